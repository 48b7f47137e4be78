"""`sync-logs notify` with real servers on this machine: they fail, hang, redirect; it is killed."""

import json
import random
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.project import PROJECT
from sync_logs_viewer.notifying import Memory, MemoryInUseError, UnusableMemoryError
from sync_logs_viewer.notifying.changes import changes_of
from sync_logs_viewer.notifying.delivering import Limits
from sync_logs_viewer.notifying.http import HttpChannel, webhook_body
from sync_logs_viewer.notifying.messages import messages_of
from sync_logs_viewer.notifying.settings import SLACK, TEAMS, WEBHOOK
from viewer.conftest import Told
from viewer.receivers import (
    Answer,
    Web,
    alert,
    mail,
    resolved,
    silent,
    told_before,
    web,
    worsened,
)

FAILS: Answer = (500, {})


def test_each_change_arrives_once(told: Told) -> None:
    with web() as hook:
        url = f"{hook.url}/hook"
        half = alert(1, sample_identifiers=json.dumps(["\ud83d"]))
        assert told.run(half, resolved(2), **{WEBHOOK: url})
        assert told.run(alert(1), resolved(2), **{WEBHOOK: url})
        assert told.run(worsened(1), resolved(2), resolved(3), **{WEBHOOK: url})
    assert hook.ids == ["a1-opened", "a1-worsened", "a3-opened", "a3-resolved"]
    path, headers = hook.asked[0]
    assert (path, headers["Idempotency-Key"]) == ("/hook", "a1-opened")
    assert headers["Content-Type"].startswith("application/json")


def test_a_failing_receiver_is_asked_again_and_others_are_not(told: Told) -> None:
    with web(FAILS, (429, {"Retry-After": "1"}), (408, {})) as hook, web() as slack:
        channels = {WEBHOOK: f"{hook.url}/secret", SLACK: slack.url}
        begun = time.monotonic()
        assert not told.run(alert(1), **channels)
        # the pause that it asked for
        assert time.monotonic() - begun > 1
        (problem,) = told.complained
        assert problem == (
            f"webhook ({hook.url[7:]}): it answered 408 Request Timeout. "
            "The next call sends 1 change again."
        )
        assert told.run(alert(1), **channels)
        assert told.run(alert(1), **channels)
    assert hook.ids == ["a1-opened"]
    assert len(slack.got) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((400, {}), "it answered 400 Bad Request"),
        ((404, {}), "it answered 404 Not Found"),
        ((302, {"Location": "/elsewhere"}), "it answered 302 Found: redirects are not followed"),
        ((307, {"Location": "http://127.0.0.1:1/secret"}), "it answered 307 Temporary Redirect:"),
        ((429, {"Retry-After": "3600"}), "it answered 429 Too Many Requests"),
        ((999, {}), "it answered 999"),
    ],
)
def test_what_is_not_worth_a_second_attempt(told: Told, answer: Any, words: str) -> None:
    with web(*[answer] * (3 if answer[0] == 999 else 1)) as hook:
        assert not told.run(alert(1), **{WEBHOOK: f"{hook.url}/secret"})
        assert len(hook.asked) == (3 if answer[0] == 999 else 1)
        assert words in told.complained[0]
        assert "secret" not in told.complained[0]
        assert told.run(alert(1), **{WEBHOOK: hook.url})


def test_a_message_that_is_refused_does_not_hold_up_others(told: Told) -> None:
    with web((413, {}), (200, {}), FAILS, FAILS, FAILS, FAILS) as hook:
        alerts = [alert(number) for number in range(5)]
        assert not told.run(*alerts, **{WEBHOOK: hook.url})
        # after three attempts at one, the next had one
        assert hook.ids == ["a1-opened", "a4-opened"]
        assert told.run(*alerts, **{WEBHOOK: hook.url})
    assert hook.ids == ["a1-opened", "a4-opened", "a0-opened", "a2-opened", "a3-opened"]


def drip(handler: Any) -> None:
    """Send a header byte by byte, without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nSlow: ")
    for _ in range(40):
        handler.wfile.write(b"x")
        time.sleep(0.05)


def hang_up(handler: Any) -> None:
    """Close the connection without an answer."""
    handler.connection.shutdown(socket.SHUT_RDWR)


def test_receivers_that_hang(hasty: Told) -> None:
    with silent() as port, web(drip, drip) as slow:
        channels = {WEBHOOK: f"http://127.0.0.1:{port}/secret", SLACK: slow.url}
        assert not hasty.run(alert(1), alert(2), **channels)
        # each was given up, and not tried with the second alert
        assert len(slow.got) == 2
    assert [line.partition(": ")[2] for line in hasty.complained] == [
        "it did not answer within 0.3 s. The next call sends 2 changes again.",
        "it took more than 0.5 s. The next call sends 2 changes again.",
    ]


def test_a_receiver_that_hangs_up(told: Told) -> None:
    with web(hang_up) as teams:
        assert told.run(alert(1), alert(2), **{TEAMS: teams.url})
    assert (len(teams.got), len(teams.acknowledged)) == (3, 2)


def test_a_receiver_that_is_not_there(told: Told) -> None:
    with silent() as port:
        pass
    assert not told.run(alert(1), **{WEBHOOK: f"http://me:secret@127.0.0.1:{port}/secret"})
    assert "it cannot be reached (ConnectionError)" in told.complained[0]
    assert "secret" not in told.complained[0]


def test_passwords_come_from_the_address_and_proxies_are_not_asked_for_this_machine(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = told.folder / "netrc"
    netrc.write_text("machine 127.0.0.1 login other password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with web() as hook:
        assert told.run(alert(1), **{WEBHOOK: hook.url})
        assert told.run(alert(1), alert(2), **{WEBHOOK: hook.url.replace("//", "//me:pass@")})
        (message,) = messages_of(changes_of(alert(3)), None)
        HttpChannel("webhook", f"{hook.url}/@team", "here", webhook_body).send(message)
    assert [asked.get("Authorization") for _, asked in hook.asked] == [
        *(None, "Basic bWU6cGFzcw==", None)
    ]


def test_another_address_is_a_new_channel(told: Told) -> None:
    with web() as hook:
        assert told.run(alert(1), resolved(2), **{WEBHOOK: f"{hook.url}/wrong"})
        assert told.run(alert(1), resolved(2), **{WEBHOOK: f"{hook.url}/right"})
        # a password is no address
        right = hook.url.replace("//", "//me:pass@") + "/right"
        assert told.run(alert(1), resolved(2), **{WEBHOOK: right})
    assert hook.ids == ["a1-opened", "a1-opened"]
    assert b"right" not in told.memory.read_bytes()


def test_a_slow_channel_starves_no_other(told: Told) -> None:
    def slow(handler: Any) -> None:
        time.sleep(0.2)
        handler.send_response(200)
        handler.end_headers()

    told.limits = Limits(call=0.3)
    alerts = [alert(number) for number in range(5)]
    with web(*[slow] * 5) as hook, web(FAILS, (429, {"Retry-After": "1"})) as slack:
        assert not told.run(*alerts, **{WEBHOOK: hook.url, SLACK: slack.url})
        assert len(hook.got) == 2
        assert "its time of 0.3 s is over. The next call sends 3 " in told.complained[0]
        # it does not wait longer than its time
        assert (len(slack.got), slack.acknowledged) == (2, [])
        assert "it answered 429" in told.complained[1]
        told.limits = None
        assert told.run(*alerts, **{WEBHOOK: hook.url, SLACK: slack.url})
        assert (len(hook.got), len(slack.acknowledged)) == (5, 5)


def test_many_changes_arrive_as_one(told: Told) -> None:
    with web(FAILS) as hook:
        alerts = [alert(number) for number in range(50)]
        assert told.run(*alerts, **{WEBHOOK: hook.url})
        assert told.run(*alerts, alert(50), **{WEBHOOK: hook.url})
    digest, last = hook.acknowledged
    assert (digest["kind"], digest["change_count"], last["id"]) == ("digest", 50, "a50-opened")


def test_a_certificate_must_be_trusted(
    told: Told,
    tls: ssl.SSLContext,
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with web(tls=tls) as hook, mail(tls) as server:
        channels = {WEBHOOK: f"{hook.url}/secret", **server.channel("me:secret@")}
        assert not told.run(alert(1), **channels)
        assert ["its certificate is not trusted" in line for line in told.complained] == [True] * 2
        assert (server.logins, hook.got) == ([], [])
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate[0]))
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        assert told.run(alert(1), **channels), told.complained
        assert (len(server.emails), hook.ids) == (1, ["a1-opened"])


def test_one_notifier_at_a_time(told: Told) -> None:
    file = told.folder / "memory"
    with Memory(file) as memory:
        memory.remember("webhook", told_before("a1-opened"))
        for is_read_only in (False, True):
            with pytest.raises(MemoryInUseError, match="Another notifier is at work"):
                Memory(file, is_read_only)
    with Memory(file, is_read_only=True) as memory:
        assert memory.told("webhook") == told_before("a1-opened")
        assert memory.told("slack") is None


def test_nothing_more_is_sent_if_it_cannot_be_remembered(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Memory.remember

    def remember(memory: Memory, channel: str, changes: Any) -> None:
        if list(changes):
            raise UnusableMemoryError("The disk is full.")
        kept(memory, channel, changes)

    monkeypatch.setattr(Memory, "remember", remember)
    with web() as hook, web() as slack:
        assert not told.run(alert(1), alert(2), **{WEBHOOK: hook.url, SLACK: slack.url})
    assert told.complained == ["The disk is full."]
    assert (hook.ids, slack.got) == (["a1-opened"], [])


NOTIFY = """
import os, sys
from pathlib import Path
from sync_logs_viewer.notifying import Memory, MemoryInUseError, Notifier, settings_of
from viewer.receivers import alert, resolved
# a dozen that are open, and as many that are resolved
rows = [alert(n) if n % 2 else resolved(n) for n in range(24)]
settings = settings_of(dict(os.environ), Path())
try:
    with Memory(settings.memory) as memory:
        print("begun", flush=True)
        memory.remember(settings.channels[0].key, [])
        notifier = Notifier(settings.channels, memory, None, print, print)
        sys.exit(not notifier.run(rows[: int(sys.argv[1])]))
except MemoryInUseError as error:
    sys.exit(f"in use: {error}")
"""
EXPECTED = {
    *(f"a{number}-opened" for number in range(12)),
    *(f"a{number}-resolved" for number in range(0, 12, 2)),
}


def notify(folder: Path, hook: Web) -> "subprocess.Popen[str]":
    folders = [str(PROJECT / name) for name in ("", "viewer", "tests", "python_loaders")]
    return subprocess.Popen(
        [sys.executable, "-c", NOTIFY, "12"],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(folders), WEBHOOK: hook.url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def counting() -> Iterator[Web]:
    """A server that takes 10 ms for each message, so that a kill meets any part of a call."""

    def take(handler: Any) -> None:
        time.sleep(0.01)
        hook.answers.append(take)
        hook.acknowledged.append(hook.got[-1])
        handler.send_response(200)
        handler.end_headers()

    with web(take) as hook:
        yield hook


@pytest.mark.parametrize("seed", range(2))
def test_killed_notifiers_lose_nothing_and_repeat_only_what_was_not_acknowledged(
    tmp_path: Path, counting: Web, seed: int
) -> None:
    chance = random.Random(seed)
    killed = 0
    for _ in range(6):
        process = notify(tmp_path, counting)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
    process = notify(tmp_path, counting)
    assert process.wait() == 0, process.communicate()
    assert killed > 0
    assert set(counting.ids) == EXPECTED
    # at most the message that was under way is sent a second time after each kill
    assert len(counting.ids) - len(EXPECTED) <= killed
    before = len(counting.got)
    assert notify(tmp_path, counting).wait() == 0
    assert len(counting.got) == before


def test_two_notifiers_at_once_send_each_change_once(tmp_path: Path, counting: Web) -> None:
    processes = [notify(tmp_path, counting) for _ in range(3)]
    ended = [process.communicate() for process in processes]
    codes = [process.returncode for process in processes]
    assert codes.count(0) >= 1, ended
    for code, (_, complained) in zip(codes, ended, strict=True):
        assert code == 0 or "in use: Another notifier is at work" in complained
    assert sorted(counting.ids) == sorted(EXPECTED)
