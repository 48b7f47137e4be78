"""`sync-logs notify`: which changes are sent, what messages say, settings, masks, the command.

There is no Spark. test_notifying_servers.py has real servers.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dbt_sync_logs.command_line import BAD_INPUT
from helpers.documents import rows_under
from helpers.project import PROJECT
from sync_logs_viewer.commands import main
from sync_logs_viewer.masks import VARIABLE, hashed
from sync_logs_viewer.notifying import Memory, UnusableMemoryError, has_channel, settings_of
from sync_logs_viewer.notifying.changes import changes_of, due, worst_first
from sync_logs_viewer.notifying.http import slack_body, teams_body, webhook_body
from sync_logs_viewer.notifying.mail import EmailChannel
from sync_logs_viewer.notifying.messages import MOST_IDS, MOST_MESSAGES, Message, messages_of
from sync_logs_viewer.notifying.settings import (
    KNOWN,
    MEMORY,
    RECIPIENTS,
    SENDER,
    SLACK,
    SMTP,
    TEAMS,
    VIEWER,
    WEBHOOK,
)
from sync_logs_viewer.settings import SettingError
from viewer.fake_warehouse import TellingWarehouse
from viewer.receivers import alert, due_ids, resolved, told_before, web, worsened

URL = "https://hooks.example/services/T00/secret"
MAIL = {SENDER: "Sync logs <logs@example.com>", RECIPIENTS: "ann@example.com, bob@example.com"}


def test_each_change_is_due_once_in_the_order_of_time() -> None:
    alerts = [resolved(3), worsened(1), alert(2)]
    assert due_ids(*alerts)[0] == [
        *("a1-opened", "a1-worsened", "a2-opened", "a3-opened", "a3-resolved")
    ]
    assert due_ids(*alerts, told={"a1-opened", "a3-opened", "a2-opened"}) == (
        ["a1-worsened", "a3-resolved"],
        [],
    )


def test_a_new_channel_is_told_only_of_what_is_open() -> None:
    assert due_ids(worsened(1), resolved(2), told=None) == (
        ["a1-opened", "a1-worsened"],
        ["a2-opened", "a2-resolved"],
    )


def test_muted_alerts_wait_while_they_are_open_and_are_forgotten_when_they_end() -> None:
    assert due_ids(alert(1, is_muted=True)) == ([], [])
    assert due_ids(alert(1)) == (["a1-opened"], [])
    ended = resolved(1, is_muted=True)
    assert due_ids(ended) == ([], ["a1-opened", "a1-resolved"])
    # its receiver would take it for open forever
    assert due_ids(ended, told={"a1-opened"}) == (["a1-resolved"], [])


def test_a_change_without_a_time_is_sent_first() -> None:
    undated = {**resolved(2), "resolved_at": None, "opened_at": None}
    half = {**resolved(3), "resolved_at": None}
    assert due_ids(alert(1), undated, half)[0] == [
        *("a2-opened", "a2-resolved", "a1-opened", "a3-opened", "a3-resolved")
    ]


def test_the_severity_of_a_change_is_the_one_of_its_time() -> None:
    assert [one.severity for one in changes_of(worsened(1))] == ["warning", "critical"]
    # better now than when it opened
    (opened,) = changes_of(alert(1, worst_severity="critical"))
    assert opened.severity == "critical"
    changes = [one for row in (alert(1), resolved(2), worsened(3)) for one in changes_of(row)]
    assert [one.id for one in worst_first(changes)] == [
        *("a3-worsened", "a3-opened", "a1-opened", "a2-resolved", "a2-opened")
    ]


def single(**values: Any) -> Message:
    (message,) = messages_of(changes_of(alert(1, **values)), "http://logs.example/viewer/")
    return message


def test_a_message_says_what_changed() -> None:
    message = single(failure_pattern="bad <id>", sample_identifiers='["ann", "bob"]')
    assert (message.id, [one.id for one in message.changes]) == ("a1-opened", ["a1-opened"])
    assert [message.title, *message.paragraphs, message.link] == [
        "Opened: warning duration (sync s, organisation o)",
        "Run 1 took 4.5 times as long.",
        "Pattern: bad <id>",
        "For example: ann, bob",
        "It opened 2026-03-01 06:01:00 (UTC) in run 1.",
        "http://logs.example/viewer/alerts?organization_id=o&sync_id=s",
    ]
    body = json.loads(json.dumps(webhook_body(message)))
    told = ("id", "kind", "changed_at", "changed_sync_run_id", "value", "sample_identifiers")
    assert [body[name] for name in told] == [
        *("a1-opened", "opened", "2026-03-01T06:01:00Z", "1", 4.5, ["ann", "bob"])
    ]


def test_a_message_names_the_run_of_its_figures_if_another_run_opened_the_alert() -> None:
    assert single(value_sync_run_id="9").paragraphs[-1] == (
        "It opened 2026-03-01 06:01:00 (UTC) in run 1. The figures are those of run 9."
    )


def test_a_message_about_an_end_leads_to_a_page_that_has_it() -> None:
    link = "http://logs.example/alerts?organization_id=o&sync_id=s&status=all"
    opened_change, resolved_change = messages_of(changes_of(resolved(1)), "http://logs.example")
    assert (opened_change.link, resolved_change.link) == (link, link)
    (withdrawn,) = messages_of(due([], told_before("a1-opened")).changes, "http://logs.example")
    assert withdrawn.link == link


def test_texts_of_logs_are_plain_and_short_everywhere() -> None:
    evil = "<!channel> [click](http://evil) \u202e\n*all* " + "\U0001f480" * 5_000
    message = single(message=evil, failure_pattern=evil, sync_id=evil, value=float("inf"))
    assert all("\n" not in text for text in (message.title, *message.paragraphs))
    assert "<U+202E>" in message.title
    slack = slack_body(message)
    assert "&lt;!channel&gt;" in slack["text"]
    assert {one["text"]["type"] for one in slack["blocks"][:-1]} == {"plain_text"}
    lengths = [len(one["text"]["text"]) for one in slack["blocks"][:-1]]
    assert lengths[0] <= 150
    assert max(lengths) <= 3_000
    (attachment,) = teams_body(message)["attachments"]
    assert {one["type"] for one in attachment["content"]["body"]} == {"RichTextBlock"}
    assert len(json.dumps(attachment, ensure_ascii=False).encode()) < 28_000
    assert webhook_body(message)["value"] is None
    email = channel(WEBHOOK, **{SMTP: "smtp://h", **MAIL}, index=1).email(message)
    assert "\n" not in email["Subject"]


def test_many_changes_are_one_digest_with_the_worst() -> None:
    rows = [alert(number, message="x" * 999) for number in range(2_000)] + [worsened(5_000)]
    changes = due(rows, set()).changes
    (message,) = messages_of(changes, None)
    assert len(message.changes) == len(changes) == 2_002
    data = webhook_body(message)
    assert data["counts"] == {
        "kind": {"opened": 2_001, "worsened": 1},
        "severity": {"critical": 1, "warning": 2_001},
        "rule": {"duration": 2_002},
    }
    assert data["changes"][0]["id"] == "a5000-worsened"
    assert len(data["changes"]) == MOST_MESSAGES
    assert len(data["change_ids"]) == MOST_IDS
    assert message.title == "2,002 changes of alerts: 2,001 opened, 1 worsened"
    assert message.paragraphs[-1] == "And 1,982 more."
    assert len(slack_body(message)["blocks"]) <= 50
    assert len(json.dumps(teams_body(message), ensure_ascii=False).encode()) < 28_000
    # the same changes in another order are the same message
    assert messages_of(changes[::-1], None)[0].id == message.id
    assert len(messages_of(changes[:MOST_MESSAGES], None)) == MOST_MESSAGES


def channel(*names: str, index: int = 0, **given: str) -> Any:
    return settings_of(dict.fromkeys(names, URL) | given, Path()).channels[index]


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    settings = settings_of(
        {WEBHOOK: URL, TEAMS: URL, SMTP: "smtps://me:p%40ss@mail.example", **MAIL, VIEWER: ""},
        tmp_path,
    )
    assert [one.name for one in settings.channels] == ["webhook", "teams", "email"]
    assert settings.memory == tmp_path / ".sync_logs" / "notified.sqlite"
    email = settings.channels[-1]
    assert isinstance(email, EmailChannel)
    assert (email.where, email.password) == ("mail.example:465", "p@ss")
    assert settings_of({WEBHOOK: URL, "SYNC_LOGS_HOME": "/home"}, tmp_path).memory == Path(
        "/home/notified.sqlite"
    )
    # neither a log nor a traceback has a secret
    assert "secret" not in repr(settings)
    assert "p@ss" not in repr(settings)
    assert not has_channel({MEMORY: "m", VIEWER: "http://v", WEBHOOK: ""})
    assert has_channel({SMTP: "wrong"})
    assert has_channel({f"{KNOWN[0]}S": URL})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, f"No channel is set, so nobody can be notified. Set {WEBHOOK}, {SLACK}, {TEAMS}, or"),
        ({f"{KNOWN[0]}S": URL}, f"{WEBHOOK}S is not a setting. There are: {WEBHOOK},"),
        ({SLACK: "hooks.slack.com/secret"}, f"{SLACK} is not an address such as https://host/path"),
        ({SLACK: "http://hooks.slack.com/secret"}, f"{SLACK} begins with http://"),
        ({WEBHOOK: "https://h:secret/"}, f"{WEBHOOK} is not an address"),
        ({WEBHOOK: "https://h/sec ret"}, f"{WEBHOOK} is not an address"),
        ({WEBHOOK: "https://me:12#secret@h/"}, f"{WEBHOOK} has an @ after the host and port. Perc"),
        ({WEBHOOK: "https://me:12/secret@h/"}, f"{WEBHOOK} has an @ after the host and port. Perc"),
        ({WEBHOOK: "https://me:12?secret@h/"}, f"{WEBHOOK} has an @ after the host and port. Perc"),
        ({WEBHOOK: "https://me:se#secret@h/"}, f"{WEBHOOK} is not an address such as https://host"),
        ({WEBHOOK: URL, VIEWER: "secret"}, f"{VIEWER} is not an address"),
        ({RECIPIENTS: "ann@example.com"}, f"{SMTP} is not set. E-mails need"),
        ({SMTP: "https://secret@mail", **MAIL}, f"{SMTP} is not an address such as smtps://"),
        ({SMTP: "smtps://secret@mail", **MAIL}, f"{SMTP} has a user or a password"),
        ({SMTP: "smtp://me:12/secret@h", **MAIL}, f"{SMTP} has something after the host and port."),
        ({SMTP: "smtp://me:12#secret@h", **MAIL}, f"{SMTP} has something after the host and port."),
        ({SMTP: "smtp://me:12?secret@h", **MAIL}, f"{SMTP} has something after the host and port."),
        ({SMTP: "smtp://m", **MAIL, SENDER: "a@b <c@d>"}, f"{SENDER} is not an e-mail address"),
        ({SMTP: "smtp://m", **MAIL, RECIPIENTS: "ann, bob"}, f"{RECIPIENTS} is not an e-mail"),
        ({SMTP: "smtp://m", **MAIL, SENDER: "a@b\nBcc: c@d"}, f"{SENDER} is not an e-mail"),
    ],
)
def test_wrong_settings_are_named_without_their_values(given: dict[str, str], words: str) -> None:
    with pytest.raises(SettingError) as refused:
        settings_of(given, Path())
    assert str(refused.value).startswith(words)
    assert "secret" not in str(refused.value)
    # the message says what to do with a password that is cut
    assert "@h" not in str(given) or "Percent-encode it: @ is %40" in str(refused.value)


def test_the_page_has_the_settings() -> None:
    rows = rows_under(PROJECT / "docs" / "viewer.md", "Notifications")
    assert {row[0].strip("`") for row in rows} == set(KNOWN)


def test_a_damaged_memory_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database " * 100)
    (tmp_path / "a file").touch()
    for file in (tmp_path / "text", tmp_path / "a file" / "memory"):
        with pytest.raises(UnusableMemoryError, match=f"cannot be used .*{MEMORY}"):
            Memory(file)
    newer = tmp_path / "newer"
    with Memory(newer) as memory:
        memory._connection.execute("pragma user_version = 99")
    with pytest.raises(UnusableMemoryError, match="version 99 instead of 1"):
        Memory(newer)


@pytest.fixture
def warehouse(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TellingWarehouse:
    rows = [alert(1, failure_pattern="no ann", message="3 like ann.", sample_identifiers='["ann"]')]
    telling = TellingWarehouse(alerts=[*rows, resolved(2)])
    monkeypatch.chdir(tmp_path)
    for name in (*KNOWN, VARIABLE, "SYNC_LOGS_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(
        "sync_logs_viewer.asking.warehouse_of_target", lambda *_, may_start: telling
    )
    return telling


def test_a_dry_run_prints_and_leaves_nothing(
    warehouse: TellingWarehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(SLACK, URL)
    assert main(["notify", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[:3] == [
        "slack (hooks.example): would send 1 message.",
        "  Opened: warning duration (sync s, organisation o)",
        "  3 like ann.",
    ]
    assert "secret" not in said
    assert list(Path().iterdir()) == []
    asked = warehouse.last("alerts")
    assert (asked["is_open_only"], asked["since_micros"]) == (False, None)


def test_a_dry_run_locks_and_changes_no_file(tmp_path: Path) -> None:
    file = tmp_path / "a ?#%41 memory"
    file.touch()
    with Memory(file, is_read_only=True) as memory:
        assert memory.told("webhook") is None
    assert file.stat().st_size == 0
    with Memory(file) as memory:
        memory.remember("webhook", told_before("a1-opened"))
    file.chmod(0o444)
    whole = file.read_bytes()
    with closing(sqlite3.connect(file, isolation_level=None)) as reader:
        # someone who only reads forbids an exclusive lock
        reader.execute("begin")
        reader.execute("select * from told").fetchall()
        with Memory(file, is_read_only=True) as first, Memory(file, is_read_only=True) as second:
            assert first.told("webhook") == second.told("webhook") == told_before("a1-opened")
    file.chmod(0o644)
    with Memory(file, is_read_only=True), Memory(file):
        # a dry run that is still at work holds up nobody
        pass
    assert file.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [file]


def test_masks_hold_in_messages(
    warehouse: TellingWarehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(WEBHOOK, URL)
    monkeypatch.setenv(VARIABLE, "identifiers:hashed")
    assert main(["notify", "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "ann" not in said.replace("organisation", "")
    assert "Pattern: no (hidden)" in said
    assert hashed("ann") in said
    assert main(["alerts", "--format", "jsonl"]) == 0
    assert "like ann" not in capsys.readouterr().out


def test_wrong_settings_end_the_command_before_spark_starts(
    warehouse: TellingWarehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["notify"]) == BAD_INPUT
    monkeypatch.setenv(WEBHOOK, URL)
    monkeypatch.setenv(VARIABLE, "identifiers")
    assert main(["notify"]) == BAD_INPUT
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv(MEMORY, "/dev/null/memory")
    assert main(["notify"]) == BAD_INPUT
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(" ")[0] for line in told] == ["notify:"] * 3
    assert "No channel is set" in told[0]
    assert warehouse.asked == []


def test_the_command_says_whether_all_was_sent(
    warehouse: TellingWarehouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SYNC_LOGS_HOME", "home")
    with web((404, {})) as hook:
        monkeypatch.setenv(WEBHOOK, hook.url)
        assert [main(["notify"]) for _ in range(3)] == [1, 0, 0]
        with Memory(Path("home") / "notified.sqlite"):
            assert main(["notify"]) == 1
    assert hook.ids == ["a1-opened"]
    said, complained = capsys.readouterr()
    where = f"webhook ({hook.url[7:]})"
    assert said.splitlines() == [f"{where}: sent {told}." for told in ("0 changes", "1 change")] + [
        f"{where}: nothing is new."
    ]
    assert complained.splitlines() == [
        f"notify: {where}: it answered 404 Not Found. The next call sends 1 change again.",
        f"notify: Another notifier is at work with {Path.cwd()}/home/notified.sqlite. "
        "It sends what is due.",
    ]


def test_alerts_on_the_terminal(
    warehouse: TellingWarehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["alerts", "--sync-id", "s"]) == 0
    assert "3 like ann." in capsys.readouterr().out
    assert warehouse.last("alerts")["is_open_only"] is True
    assert main(["alerts", "--since", "1970-01-01T00:00:01Z"]) == 0
    asked = warehouse.last("alerts")
    assert (asked["is_open_only"], asked["since_micros"]) == (False, 1_000_000)
    assert main(["alerts", "--since", "then"]) == 1
    assert "--since is 'then'" in capsys.readouterr().err
    assert main(["alerts", "--all"]) == 0
    asked = warehouse.last("alerts")
    assert (asked["is_open_only"], asked["since_micros"]) == (False, None)
    assert main(["alerts", "--all", "--since", "1970-01-01T00:00:01Z"]) == 1
    assert "--all and --since exclude each other" in capsys.readouterr().err
