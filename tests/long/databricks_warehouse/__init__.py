"""A Databricks warehouse that is not one: it records what dbt's adapter sends, and runs nothing.

The modules run in an environment of their own, with `dbt-databricks`.
"""
