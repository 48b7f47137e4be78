"""`make serve`: one warm Spark for the warehouse of this clone, and the pages on it."""
