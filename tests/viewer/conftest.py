"""Notifiers that tests run, with short pauses, and a certificate."""

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from sync_logs_viewer.notifying import Memory, Notifier, delivering, settings_of
from sync_logs_viewer.notifying.delivering import Channel, Limits
from sync_logs_viewer.settings import GAPS


class Told:
    """Runs a notifier on some alerts, and keeps what it says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []
        self.complained: list[str] = []
        self.limits: Limits | None = None

    @property
    def memory(self) -> Path:
        """The file of what was told."""
        return self.folder / ".sync_logs" / "notified.sqlite"

    def run(self, *alerts: dict[str, Any], **environment: str) -> bool:
        """Notify the channels of an environment; whether all were told."""
        self.said, self.complained = [], []
        settings = settings_of(environment, self.folder)
        with Memory(settings.memory) as memory:
            channels: Iterable[Channel] = settings.channels
            if self.limits is not None:
                channels = [replace(cast("Any", one), limits=self.limits) for one in channels]
            notifier = Notifier(channels, memory, None, self.said.append, self.complained.append)
            return notifier.run(list(alerts))


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Told:
    for name, value in (
        *(("BACKOFF_SECONDS", 0.01), ("JITTER_SECONDS", 0.01)),
        ("ATTEMPTS", 3),
    ):
        monkeypatch.setattr(delivering, name, value)
    # smtplib looks up the name of this machine, which can take seconds
    monkeypatch.setattr(socket, "getfqdn", lambda name="": "localhost")
    return Told(tmp_path)


@pytest.fixture
def hasty(told: Told, monkeypatch: pytest.MonkeyPatch) -> Told:
    told.limits = Limits(answer=0.3, attempt=0.5)
    monkeypatch.setattr(delivering, "ATTEMPTS", 2)
    return told


@pytest.fixture
def relation_of_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of the user counts gaps."""
    monkeypatch.setenv(GAPS, "analytics.gap_counts")


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl creates the certificate")
    folder = tmp_path_factory.mktemp("certificate")
    files = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-out", str(files[0]), "-keyout", str(files[1])]
    subprocess.run(command, check=True, capture_output=True)
    return files


@pytest.fixture
def tls(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context
