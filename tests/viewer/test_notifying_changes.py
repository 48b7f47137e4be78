"""Alerts that open again, are withdrawn, end while muted; the order of changes and of a digest."""

from pathlib import Path
from typing import Any

import pytest

from sync_logs_viewer import commands
from sync_logs_viewer.commands import main
from sync_logs_viewer.notifying.changes import changes_of, due
from sync_logs_viewer.notifying.http import webhook_body
from sync_logs_viewer.notifying.messages import messages_of
from sync_logs_viewer.notifying.settings import MEMORY, WEBHOOK
from viewer.conftest import Told
from viewer.fake_warehouse import TellingWarehouse
from viewer.receivers import Answer, alert, due_ids, resolved, told_before, web, worsened

ENDED = ("a1-opened", "a1-resolved")
AGAIN = (*ENDED, "a1-opened-2", "a1-resolved-2")


@pytest.mark.parametrize(
    ("row", "told", "sent"),
    [
        (alert(1), ENDED, ["a1-opened-2"]),
        (worsened(1), ENDED, ["a1-opened-2", "a1-worsened-2"]),
        (alert(1), AGAIN[:3], []),
        (resolved(1), AGAIN[:3], ["a1-resolved-2"]),
        (resolved(1), AGAIN, []),
        (alert(1), AGAIN, ["a1-opened-3"]),
        (alert(1, is_muted=True), ENDED, []),
        (alert(1), ("a1-opened", "a1-withdrawn"), ["a1-opened-2"]),
        (resolved(1), ("a1-opened", "a1-withdrawn"), []),
        # its end is told, so its past is not sent any more
        (resolved(1), ("a1-resolved",), []),
    ],
)
def test_an_alert_can_open_again(
    row: dict[str, Any], told: tuple[str, ...], sent: list[str]
) -> None:
    assert due_ids(row, told=told) == (sent, [])


def test_a_message_says_that_an_alert_opened_again() -> None:
    (message,) = messages_of(changes_of(alert(1), 2), None)
    assert (message.id, message.title) == (
        "a1-opened-2",
        "Opened again: warning duration (sync s, organisation o)",
    )


def test_the_end_of_a_muted_alert_is_sent_if_its_beginning_was() -> None:
    ended = {**worsened(1), **resolved(1, is_muted=True), "worsened_at": worsened(1)["worsened_at"]}
    assert due_ids(ended, told=("a1-opened",)) == (["a1-resolved"], ["a1-worsened"])
    assert due_ids(ended, told=ENDED) == ([], [])
    # muted from its second beginning
    assert due_ids(resolved(1, is_muted=True), told=(*ENDED, "a1-opened-2"))[0] == ["a1-resolved-2"]


@pytest.mark.parametrize(
    ("told", "sent"),
    [
        (("a1-opened",), ["a1-withdrawn"]),
        (("a1-opened", "a1-worsened"), ["a1-withdrawn"]),
        (("a1-opened", "a1-withdrawn"), []),
        (ENDED, []),
        (AGAIN[:3], ["a1-withdrawn-2"]),
        (AGAIN, []),
        ((), []),
    ],
)
def test_an_alert_whose_row_is_gone_is_withdrawn(told: tuple[str, ...], sent: list[str]) -> None:
    assert due_ids(told=told) == (sent, [])


def test_the_changes_of_an_alert_keep_their_order_even_if_its_times_are_wrong() -> None:
    row = {**worsened(9), **{"is_open": False, "resolved_sync_run_id": "next"}}
    for time in (None, alert(1)["opened_at"]):
        assert due_ids({**row, "resolved_at": time})[0] == [
            *("a9-opened", "a9-worsened", "a9-resolved")
        ]


def test_a_digest_begins_with_what_is_open_and_new() -> None:
    ended = [resolved(number, worst_severity="critical") for number in range(100, 130)]
    rows = [*ended, alert(1), alert(3), worsened(2), worsened(4)]
    changes = due(rows, told_before("a7-opened")).changes
    (message,) = messages_of(changes, None)
    shown = [one["id"] for one in webhook_body(message)["changes"]]
    assert shown[:6] == [
        *("a4-worsened", "a2-worsened", "a4-opened", "a3-opened", "a2-opened", "a1-opened")
    ]
    # ended ones: the newest first as well
    assert shown[6:8] == ["a129-resolved", "a128-resolved"]
    assert webhook_body(message)["counts"]["kind"]["withdrawn"] == 1


def test_a_receiver_is_told_of_each_end(told: Told) -> None:
    secret = {"message": "ann failed", "sample_identifiers": '["ann"]', "failure_pattern": "ann"}
    with web() as hook:
        for alerts in (
            [],
            [worsened(1, **secret), alert(2)],
            [alert(2, is_muted=True)],
            [resolved(2, is_muted=True)],
            [alert(1), resolved(2)],
            [resolved(2), resolved(1)],
        ):
            assert told.run(*alerts, **{WEBHOOK: hook.url})
            assert told.run(*alerts, **{WEBHOOK: hook.url})
    assert hook.ids == [
        *("a1-opened", "a1-worsened", "a2-opened", "a1-withdrawn", "a2-resolved"),
        *("a1-opened-2", "a1-resolved-2"),
    ]
    withdrawn = hook.acknowledged[3]
    assert withdrawn["text"] == "Withdrawn: critical duration (sync s, organisation o)"
    assert (withdrawn["kind"], withdrawn["alert_id"]) == ("withdrawn", "a1")
    assert "ann" not in str(withdrawn).replace("organi", "")
    assert b"ann failed" not in told.memory.read_bytes()


def test_a_failed_message_holds_up_the_later_ones_of_its_alert_only(told: Told) -> None:
    refused: Answer = (413, {})
    with web(refused) as hook:
        assert told.run(**{WEBHOOK: hook.url})
        alerts = [resolved(1), resolved(2)]
        assert not told.run(*alerts, **{WEBHOOK: hook.url})
        assert hook.ids == ["a2-opened", "a2-resolved"]
        assert "The next call sends 2 changes again." in told.complained[0]
        assert told.run(*alerts, **{WEBHOOK: hook.url})
    assert hook.ids[2:] == ["a1-opened", "a1-resolved"]


def test_nothing_is_withdrawn_because_a_question_was_cut(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [alert(1), alert(2)]
    monkeypatch.setattr(
        "sync_logs_viewer.asking.warehouse_of_target",
        lambda *_, may_start: TellingWarehouse(alerts=rows),
    )
    with web() as web_hook:
        monkeypatch.setenv(WEBHOOK, web_hook.url)
        monkeypatch.setenv(MEMORY, str(tmp_path / "memory"))
        assert main(["notify"]) == 0
        rows.pop()
        monkeypatch.setattr(commands, "MOST_ROWS", 1)
        assert main(["notify"]) == 1
    assert "There are at least 1 alerts; expected fewer." in capsys.readouterr().err
    assert web_hook.ids == ["a1-opened", "a2-opened"]
