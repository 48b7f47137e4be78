"""The pages, the commands in the terminal, the report, and `make watch`."""
