"""The demo lake: real tables, a destination that refuses rows, and the loader's own writer."""
