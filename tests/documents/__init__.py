"""The documents and their examples, and what models, macros, folders and faults declare."""
