"""The logs of the demo: real tables, a destination that refuses rows, and what writes its logs."""
