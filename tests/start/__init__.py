"""Commands, packages and jars, and what is checked before Spark starts."""
