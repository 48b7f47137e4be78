"""The demo lake: real tables, a destination that refuses rows, and the loader that writes it."""
