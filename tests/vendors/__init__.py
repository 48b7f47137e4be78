"""Tables of vendors as sources, beside each other and beside a lake."""
