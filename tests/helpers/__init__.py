"""Shared by several tests: lakes, warehouses, projects and comparisons. It has no tests."""
