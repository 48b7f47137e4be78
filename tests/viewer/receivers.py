"""Servers on this machine that receive notifications, and alerts to send."""

import base64
import json
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any, cast

from helpers.servers import running
from sync_logs_viewer.notifying.changes import Change, Kind, due
from sync_logs_viewer.notifying.memory import KEPT
from sync_logs_viewer.notifying.settings import RECIPIENTS, SENDER, SMTP

AT = datetime(2026, 3, 1, 6, 0, tzinfo=timezone.utc)
MAIL = {SENDER: "logs@example.com", RECIPIENTS: "ann@example.com,bob@example.com"}
# a status, and headers of the answer
Answer = tuple[int, dict[str, str]]


def alert(number: int, **values: Any) -> dict[str, Any]:
    """A row of the question `alerts`: a warning that opened, some minutes after the first."""
    row = {
        **{"organization_id": "o", "sync_id": "s", "alert_id": f"a{number}", "rule": "duration"},
        **{"severity": "warning", "worst_severity": "warning", "is_open": True, "is_muted": False},
        **{"opened_at": AT + timedelta(minutes=number), "opened_sync_run_id": f"{number}"},
        **dict.fromkeys(("worsened_at", "worsened_sync_run_id")),
        **dict.fromkeys(("resolved_at", "resolved_sync_run_id")),
        **{"value": 4.5, "value_sync_run_id": f"{number}", "threshold": 3.0},
        **{"failure_pattern": None, "sample_identifiers": None},
        **{"message": f"Run {number} took 4.5 times as long.", "data_until_at": AT},
        **{"source_name": "lake", "vendor": "census"},
    }
    return row | values


def resolved(number: int, **values: Any) -> dict[str, Any]:
    """The same, after the next run has resolved it."""
    at = AT + timedelta(minutes=number, hours=1)
    return alert(number, is_open=False, resolved_at=at, resolved_sync_run_id="next", **values)


def worsened(number: int, **values: Any) -> dict[str, Any]:
    """The same, after it became critical."""
    worst = {"severity": "critical", "worst_severity": "critical"}
    at = AT + timedelta(minutes=number, seconds=30)
    return alert(number, worsened_at=at, worsened_sync_run_id="worse", **worst, **values)


def told_before(*ids: str) -> list[Change]:
    """Changes by their ids, such as `a1-opened-2`, as the memory keeps them."""
    found = []
    for alert_id, kind, *number in (one.split("-") for one in ids):
        row = alert(int(alert_id[1:]))
        kept = {name: row[name] for name in (*KEPT, "alert_id", "severity", "worst_severity")}
        found.append(Change(cast("Kind", kind), kept, alert_id, *map(int, number)))
    return found


def due_ids(
    *alerts: dict[str, Any], told: Iterable[str] | None = ()
) -> tuple[list[str], list[str]]:
    """The ids of what is due and of what is not told, after what was told before."""
    found = due(alerts, None if told is None else told_before(*told))
    return [one.id for one in found.changes], [one.id for one in found.silent]


class Web:
    """An HTTP server that records what it gets. `answers` go to the first requests, then 200."""

    def __init__(self, *answers: Answer | Callable[[Any], None]) -> None:
        self.got: list[dict[str, Any]] = []
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.acknowledged: list[dict[str, Any]] = []
        self.answers = list(answers)
        self.url = ""

    @property
    def ids(self) -> list[str]:
        """The ids of the messages that it has acknowledged."""
        return [one["id"] for one in self.acknowledged]

    def take(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request."""
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.got.append(body)
        self.asked.append((handler.path, dict(handler.headers)))
        answer = self.answers.pop(0) if self.answers else (200, {})
        if callable(answer):
            answer(handler)
            return
        status, headers = answer
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        # before the answer, because a test may go on as soon as it has that
        if 200 <= status < 300:
            self.acknowledged.append(body)
        handler.end_headers()


@contextmanager
def web(
    *answers: Answer | Callable[[Any], None], tls: ssl.SSLContext | None = None
) -> Iterator[Web]:
    """A server for the time of a block."""
    found = Web(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.take(self)

        def do_GET(self) -> None:
            # what a followed redirect would ask
            found.asked.append((self.path, {}))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            # a client that was killed
            pass

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    with running(server):
        found.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_address[1]}"
        yield found


class Mail:
    """An SMTP server that records e-mails.

    `codes` are what it answers instead, by command and in turn; at 1, it hangs up; at 2, it takes
    the command (and the e-mail) and never answers.
    """

    def __init__(self, tls: ssl.SSLContext | None, codes: dict[str, list[int]]) -> None:
        self.emails: list[Any] = []
        self.sources: list[bytes] = []
        self.senders: list[str] = []
        self.recipients: list[list[str]] = []
        self.logins: list[str] = []
        self.tls = tls
        self.codes = codes
        self.port = 0

    def channel(self, user: str = "") -> dict[str, str]:
        """The settings of the channel; a user and a password end with an @."""
        return {SMTP: f"smtp://{user}127.0.0.1:{self.port}", **MAIL}


@contextmanager
def mail(
    tls: ssl.SSLContext | None = None,
    codes: dict[str, list[int]] | None = None,
    outer_tls: ssl.SSLContext | None = None,
) -> Iterator[Mail]:
    """A server for the time of a block; TLS begins after STARTTLS, or with the first byte."""
    found = Mail(tls, codes or {})

    class Handler(StreamRequestHandler):
        def say(self, words: str) -> None:
            self.wfile.write(f"{words}\r\n".encode())

        def handle(self) -> None:
            with suppress(OSError):
                self.say("220 here")
                recipients: list[str] = []
                while line := self.rfile.readline().decode().strip():
                    command, _, rest = line.partition(" ")
                    command = command.upper()
                    codes = found.codes.get(command)
                    code = codes.pop(0) if codes else 0
                    if command == "QUIT" and code == 0:
                        self.say("221 bye")
                        return
                    if command == "DATA" and code in (0, 2):
                        self.say("354 go on")
                        self.take(recipients)
                    if code == 2:
                        self.rfile.read()
                    if code in (1, 2):
                        return
                    if code:
                        self.say(f"{code} no")
                    elif command == "EHLO":
                        can = "STARTTLS" if found.tls and not self.is_secret else "AUTH PLAIN"
                        self.say(f"250-here\r\n250 {can}")
                    elif command == "STARTTLS" and found.tls is not None:
                        self.say("220 go")
                        self.connection = found.tls.wrap_socket(self.connection, server_side=True)
                        self.setup()
                        self.is_secret = True
                    elif command == "AUTH":
                        found.logins.append(base64.b64decode(rest.split()[-1]).decode())
                        self.say("235 welcome")
                    else:
                        if command == "MAIL":
                            found.senders.append(rest.partition(":")[2].split()[0])
                        if command == "RCPT":
                            recipients.append(rest.partition(":")[2].strip("<>"))
                        self.say("250 fine")

        def take(self, recipients: list[str]) -> None:
            lines = b"".join(iter(self.rfile.readline, b".\r\n"))
            found.sources.append(lines)
            found.emails.append(message_from_bytes(lines, policy=policy.default))
            found.recipients.append(recipients)

        is_secret = False

        def setup(self) -> None:
            if not hasattr(self, "connection"):
                self.connection = self.request
            self.rfile = self.connection.makefile("rb")
            self.wfile = self.connection.makefile("wb", 0)

    class Server(ThreadingTCPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    if outer_tls is not None:
        server.socket = outer_tls.wrap_socket(server.socket, server_side=True)
    with running(server):
        found.port = server.server_address[1]
        yield found


@contextmanager
def silent() -> Iterator[int]:
    """The port of a server that accepts connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])
