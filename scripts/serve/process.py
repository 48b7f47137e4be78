"""The Spark of `make serve` in a separate process, for tests and the benchmark."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from dbt_sync_logs.checks import EmbeddedSparkError
from dbt_sync_logs.runner import PROJECT

REMOTE = re.compile(r"SPARK_REMOTE=(sc://localhost:\d+)")


@contextmanager
def running(environment: Mapping[str, str], *options: str) -> Iterator[str]:
    """The URL of the Spark of `make serve`, which runs in a separate process on free ports.

    `options` are those of `scripts.serve`. Raises `EmbeddedSparkError` if it does not start or
    does not end cleanly.
    """
    ports = {"SYNC_LOGS_CONNECT_PORT": "0", "SYNC_LOGS_THRIFT_PORT": "0"}
    process = subprocess.Popen(
        [sys.executable, "-m", "scripts.serve", "--without-viewer", *options],
        cwd=PROJECT,
        env={**environment, **ports},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = (REMOTE.search(line) for line in iter(process.stdout.readline, ""))
        url = next(filter(None, found), None)
        if url is None:
            raise EmbeddedSparkError("The Spark of `make serve` did not start.")
        yield url.group(1)
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait()
    if code:
        raise EmbeddedSparkError(f"`make serve` ended with {code} instead of 0.")
