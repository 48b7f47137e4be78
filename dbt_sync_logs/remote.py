"""Connections to a Spark Connect server: checks that one is named and that it answers."""

import os
import re
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from .checks import EmbeddedSparkError

# With this setting a profile declares that its tables are on a server. Without a server, Spark
# would create an embedded catalog in the working folder, build everything in it and report success.
NEEDS_REMOTE = "spark.sync_logs.needsRemote"
DEFAULT_PORT = 15002
SECONDS_TO_ANSWER = 5
# gRPC uses these proxies for every host but this machine
PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")


def server_of(settings: Mapping[str, str]) -> str | None:
    """The server that PySpark will use with these settings; None for an embedded Spark."""
    return settings.get("spark.remote") or os.environ.get("SPARK_REMOTE") or None


def check_server(settings: Mapping[str, str], is_clone: bool) -> None:
    """Fail if a connection needs a server and none is named, or if the named one is not there.

    Raises EmbeddedSparkError. PySpark itself would try for minutes and then print a stack trace.
    """
    server = server_of(settings)
    if server is None:
        if settings.get(NEEDS_REMOTE, "").lower() == "true":
            raise EmbeddedSparkError(
                "This target needs a Spark Connect server, and SPARK_REMOTE names none. Start one "
                "with `make serve`, then: export SPARK_REMOTE=sc://localhost:15002"
            )
        return
    if settings.get("spark.master"):
        # PySpark refuses both settings together
        remedy = "export SYNC_LOGS_TARGET=connect" if is_clone else "choose another target"
        raise EmbeddedSparkError(
            f"SPARK_REMOTE is set, but this target starts its own Spark: {remedy}, or "
            "unset SPARK_REMOTE."
        )
    if not server.startswith("sc://"):
        # for example local[2]: PySpark starts its own server
        return
    try:
        parts = urlsplit(server)
        host, port = parts.hostname, parts.port or DEFAULT_PORT
    except ValueError:
        host, port = None, 0
    if host is None:
        raise EmbeddedSparkError(
            f"SPARK_REMOTE is {_without_secrets(server)}; give it as sc://HOST:PORT."
        )
    if host not in ("localhost", "127.0.0.1", "::1") and any(map(os.environ.get, PROXIES)):
        return
    try:
        socket.create_connection((host, port), SECONDS_TO_ANSWER).close()
    except OSError as error:
        why = error.strerror or "it does not answer in time"
        remedy = "Start one with `make serve`" if is_clone else "Start it"
        raise EmbeddedSparkError(
            f"No Spark Connect server at sc://{host}:{port} ({why}). "
            f"{remedy}, or set SPARK_REMOTE to a running one."
        ) from None


def _without_secrets(server: str) -> str:
    return re.sub(r"/;.*", "/;...", server, flags=re.DOTALL)
