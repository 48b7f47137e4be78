"""An HTTP proxy in front of an S3 server, which throttles, cuts, refuses and delays requests."""

import re
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from helpers.servers import running
from long.s3_server import BUCKET, S3Server

# Headers that belong to one connection.
OF_CONNECTION = ("connection", "transfer-encoding", "content-length")
DELETED = '<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></DeleteResult>'


@dataclass
class Faults:
    """What goes wrong at the moment, and how often each fault has happened."""

    # every n-th request is answered with 503; 0: none
    throttled_each: int = 0
    # regular expressions for requests (`PUT key`), each of which is cut once, in the middle
    cut_once: list[str] = field(default_factory=list)
    # a regular expression for requests that the server always refuses
    refused: str | None = None
    # deletes are carried out so many seconds after their answer; until then, listings show the keys
    delete_after_seconds: float = 0
    counts: Counter[str] = field(default_factory=Counter)


@dataclass
class FaultyProxy:
    """A running proxy."""

    port: int
    faults: Faults
    late_deletes: "LateDeletes"


class LateDeletes:
    """Deletes that were answered and are not carried out yet. The last writer of a key wins."""

    def __init__(self, remove: Callable[[str], None]) -> None:
        self._remove = remove
        self._due: dict[str, float] = {}
        self._lock = threading.Lock()

    def add(self, key: str, seconds: float) -> None:
        """Delete a key later."""
        with self._lock:
            self._due[key] = time.monotonic() + seconds

    def forget(self, key: str) -> None:
        """Leave a key, because it has been written again."""
        with self._lock:
            self._due.pop(key, None)

    def carry_out(self, all_of_them: bool = False) -> None:
        """Delete what is due, or everything."""
        with self._lock:
            for key, due in list(self._due.items()):
                if all_of_them or due <= time.monotonic():
                    self._remove(key)
                    del self._due[key]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # otherwise each answer waits for the client to confirm its headers
    disable_nagle_algorithm = True
    # set in a subclass of each proxy
    server_port: ClassVar[int]
    faults: ClassVar[Faults]
    late: ClassVar[LateDeletes]
    lock: ClassVar[threading.Lock]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _serve(self) -> None:
        body = self._body()
        url = urlsplit(self.path)
        key = unquote(url.path).removeprefix(f"/{BUCKET}").removeprefix("/")
        query = parse_qs(url.query, keep_blank_values=True)
        deleted = self._deleted(key, query, body)
        request = f"DELETE {' '.join(deleted)}" if deleted else f"{self.command} {key}"
        self.late.carry_out()
        with self.lock:
            fault = self._fault(request)
            if fault:
                self.faults.counts[fault] += 1
        if fault == "throttled":
            self._refuse(503, "SlowDown", "Please reduce your request rate.")
        elif fault == "refused":
            self._refuse(403, "AccessDenied", "Access Denied")
        elif deleted and self.faults.delete_after_seconds:
            self._delay(deleted)
        else:
            if self.command in ("PUT", "POST"):
                self.late.forget(key)
            self._forward(body, is_cut=fault == "cut")

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = _serve

    def _fault(self, request: str) -> str | None:
        faults = self.faults
        faults.counts["requests"] += 1
        if faults.refused and re.search(faults.refused, request):
            return "refused"
        for pattern in faults.cut_once:
            if re.search(pattern, request):
                faults.cut_once.remove(pattern)
                return "cut"
        if faults.throttled_each and faults.counts["requests"] % faults.throttled_each == 0:
            return "throttled"
        return None

    def _deleted(self, key: str, query: dict[str, list[str]], body: bytes) -> list[str]:
        """The keys of objects that a request deletes."""
        if self.command == "DELETE" and "uploadId" not in query:
            return [key]
        if self.command != "POST" or "delete" not in query:
            return []
        found = ElementTree.fromstring(body).iter()
        return [one.text or "" for one in found if one.tag.rpartition("}")[2] == "Key"]

    def _delay(self, keys: list[str]) -> None:
        """Answer a delete as if it were done, and carry it out later."""
        for key in keys:
            self.late.add(key, self.faults.delete_after_seconds)
        with self.lock:
            self.faults.counts["delayed"] += 1
        if self.command == "DELETE":
            self._answer(204, b"")
        else:
            self._answer(200, DELETED.encode())

    def _forward(self, body: bytes, is_cut: bool) -> None:
        if is_cut and self.command in ("PUT", "POST"):
            # the server never sees it
            self._cut()
            return
        server = HTTPConnection("127.0.0.1", self.server_port, timeout=120)
        try:
            server.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in (*OF_CONNECTION, "expect"):
                    server.putheader(name, value)
            server.putheader("Content-Length", str(len(body)))
            server.endheaders(body)
            answer = server.getresponse()
            data = answer.read()
        finally:
            server.close()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in OF_CONNECTION:
                self.send_header(name, value)
        length = answer.getheader("Content-Length") if self.command == "HEAD" else len(data)
        self.send_header("Content-Length", str(length or 0))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if is_cut else data)
        if is_cut:
            self._cut()

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _refuse(self, status: int, code: str, message: str) -> None:
        text = f"<Error><Code>{escape(code)}</Code><Message>{escape(message)}</Message></Error>"
        self._answer(status, b"" if self.command == "HEAD" else text.encode())

    def _answer(self, status: int, data: bytes) -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", "application/xml")
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Report faults of the proxy, but not connections that the client has ended."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # a socket


@contextmanager
def running_proxy(server: S3Server) -> Iterator[FaultyProxy]:
    """A proxy without faults, in threads of this process."""
    faults, late = Faults(), LateDeletes(server.remove)
    facts = {
        "server_port": server.port,
        "faults": faults,
        "late": late,
        "lock": threading.Lock(),
    }
    handler = type("Handler", (_Handler,), facts)
    proxy = _Server(("127.0.0.1", 0), handler)
    with running(proxy):
        yield FaultyProxy(proxy.server_port, faults, late)
