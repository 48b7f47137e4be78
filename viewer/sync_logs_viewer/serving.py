"""The server of the pages: uvicorn, with long addresses allowed and a short log."""

import asyncio
import ipaddress
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import uvicorn
from starlette.applications import Starlette

# an address can have an identifier of 10 kB, with three characters for each byte
LONGEST_REQUEST = 256 * 1024


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def server(app: Starlette, host: str, port: int, has_access_log: bool = False) -> uvicorn.Server:
    """The server, not yet started. Its access log has addresses without their query strings."""
    logging.getLogger("uvicorn.access").addFilter(without_query)
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level="info" if has_access_log else "warning",
            access_log=has_access_log,
            h11_max_incomplete_event_size=LONGEST_REQUEST,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
    )


def port_of(pages: uvicorn.Server) -> int:
    """The port of a started server: if 0 was given, a free one."""
    return int(pages.servers[0].sockets[0].getsockname()[1])


def run(pages: uvicorn.Server, when_ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C; call `when_ready` once the pages can be opened.

    Queries that still run are left alone: the caller must end the process with `end_process`.
    """

    async def serve() -> None:
        serving = asyncio.ensure_future(pages.serve())
        while not pages.started and not serving.done():
            await asyncio.sleep(0.05)
        if pages.started:
            when_ready()
        await serving

    loop = asyncio.new_event_loop()
    with suppress(KeyboardInterrupt):
        loop.run_until_complete(serve())


def end_process(code: int) -> NoReturn:
    """End this process now: PySpark's client would wait minutes for a Spark that has ended."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def without_query(record: logging.LogRecord) -> bool:
    """Remove the query string from a line of uvicorn's access log: it can have identifiers."""
    if isinstance(record.args, tuple) and len(record.args) >= 3:
        arguments = list(record.args)
        arguments[2] = str(arguments[2]).partition("?")[0]
        record.args = tuple(arguments)
    return True
