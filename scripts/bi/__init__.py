"""Business intelligence tools on the Thrift server of `make serve`."""
