"""The pages: addresses in, documents out. Nothing here knows SQL."""
