"""Servers in threads of this process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer


@contextmanager
def running(server: BaseServer) -> Iterator[None]:
    """Serve for the time of a block."""
    # a shutdown waits for the next poll
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
