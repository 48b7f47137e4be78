"""What several tests share: lakes, warehouses, projects, and ways to compare. It has no test."""
