"""Where the server listens: stdin and stdout of its process, or a port of this machine."""

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from sync_logs_viewer.serving import port_of, run, server
from sync_logs_viewer.web.app import LOOPBACK

HOST, PATH = "127.0.0.1", "/mcp"


def serve_over_stdio(tools: Server[Any]) -> None:
    """Serve until stdin ends. The SDK moves other output of this process to stderr."""
    _log_calls_only()
    # a thread waits for the next line, and Python would wait for that thread
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    async def serve() -> None:
        async with stdio_server() as (received, sent):
            await tools.run(received, sent, tools.create_initialization_options())

    # not `asyncio.run`, which would wait for queries that still run
    asyncio.new_event_loop().run_until_complete(serve())


def serve_over_http(tools: Server[Any], port: int, say: Callable[[str], None]) -> None:
    """Serve on this machine until Ctrl-C; `say` gets the address."""
    _log_calls_only()
    app = tools.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[f"{host}:*" for host in LOOPBACK],
            allowed_origins=[f"http://{host}:*" for host in LOOPBACK],
        ),
    )
    pages = server(app, HOST, port)
    run(pages, lambda: say(f"http://{HOST}:{port or port_of(pages)}{PATH}"))


def _log_calls_only() -> None:
    """Log our calls to stderr, and nothing of the SDK: its messages have values of the caller."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("mcp: %(message)s"))
    calls = logging.getLogger(__package__)
    calls.setLevel(logging.INFO)
    calls.propagate = False
    calls.handlers = [handler]
