"""Tests that take hours, or need an engine or a server of their own: `make test-long`."""
