"""Pages and commands on a fake warehouse: what a browser is shown, and what a terminal prints."""

import re
import sys
from io import BytesIO, TextIOWrapper
from typing import Any

import pytest
from starlette.testclient import TestClient

from sync_logs_viewer import asking
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.commands import main
from sync_logs_viewer.masks import mask_of
from sync_logs_viewer.web.app import application
from viewer.fake_warehouse import RECORD, TellingWarehouse

ABOUT = {"organization_id": "o", "sync_id": "s"}
OF_RUN = {**ABOUT, "sync_run_id": "7"}
OF_RUNS = {**OF_RUN, "before_sync_run_id": "6"}
ANN = {"organization_id": "o", "identifier": "ann"}
# what any page may need
ASKED = OF_RUNS | ANN
HOSTILE = "<script>alert(1)</script>\u202e" + "long words " * 500


def browser(answers: Answers) -> TestClient:
    """A browser of this machine."""
    return TestClient(application(answers), "http://127.0.0.1", follow_redirects=False)


def opened(path: str, warehouse: TellingWarehouse, setting: str = "", **parameters: str) -> Any:
    """The answer to that browser."""
    with browser(Answers(warehouse, mask_of(setting))) as client:
        return client.get(path, params=parameters)


class _Kept(BytesIO):
    """Bytes that stay readable after their file is closed."""

    def close(self) -> None:
        """Stay open."""


def printed(monkeypatch: pytest.MonkeyPatch, *command: str) -> str:
    """What a command that succeeds prints."""
    buffer = _Kept()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", TextIOWrapper(buffer, "utf-8", newline=""))
        assert main(command) == 0
        if not sys.stdout.closed:
            sys.stdout.flush()
    return buffer.getvalue().decode()


def typed(monkeypatch: pytest.MonkeyPatch, warehouse: TellingWarehouse, *command: str) -> str:
    """What a command prints about a warehouse."""
    with monkeypatch.context() as patch:
        patch.setattr(asking, "warehouse_of", lambda given, may_start: warehouse)
        return printed(patch, *command)


def cells(text: str) -> list[list[str]]:
    """The texts of each table row."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    tags = re.compile(r"<[^>]*>")
    return [
        [" ".join(tags.sub("", one).split()) for one in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


def sent(payload: str | None, **others: Any) -> dict[str, Any]:
    """A row of a record's log."""
    length = None if payload is None else len(payload)
    row = {**RECORD, "sync_id": "s", "sync_run_id": "7", "record_payload": payload}
    return row | {"payload_length": length, "display_status": "Success"} | others
