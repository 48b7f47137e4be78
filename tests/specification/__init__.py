"""The oracle itself, on results worked out by hand and on random histories; no Spark."""
