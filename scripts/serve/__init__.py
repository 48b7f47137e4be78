"""`make serve`: one warm Spark for the warehouse of this clone, with the pages on it."""
