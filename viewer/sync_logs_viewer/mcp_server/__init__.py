"""`sync-logs mcp`: the named questions as read-only tools of the Model Context Protocol."""

from .later import LaterWarehouse
from .running import serve_over_http, serve_over_stdio
from .server import server_of

__all__ = ["LaterWarehouse", "serve_over_http", "serve_over_stdio", "server_of"]
