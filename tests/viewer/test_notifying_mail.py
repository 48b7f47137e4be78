"""E-mails of `sync-logs notify`, with a real server on this machine."""

import json
import ssl
import time
from email.errors import MessageError
from pathlib import Path

import pytest

from sync_logs_viewer.notifying import settings_of
from sync_logs_viewer.notifying.delivering import Limits
from sync_logs_viewer.notifying.http import HttpChannel
from sync_logs_viewer.notifying.messages import Message
from sync_logs_viewer.notifying.settings import RECIPIENTS, SENDER, SMTP, WEBHOOK
from viewer.conftest import Told
from viewer.receivers import MAIL, alert, mail, silent


def test_e_mail(told: Told) -> None:
    with mail() as server:
        channel = server.channel("me:p%40ss@")
        half = json.dumps(["\ud83d"])
        alerts = [alert(1, message="Zu spät", sample_identifiers=half), alert(2)]
        assert told.run(*alerts, **channel)
        assert told.run(*alerts, **channel)
    first, _ = server.emails
    assert first["Subject"] == "Opened: warning duration (sync s, organisation o)"
    assert first["Message-ID"] == "<a1-opened@example.com>"
    assert "Zu spät" in first.get_content()
    assert "For example: \\ud83d" in first.get_content()
    assert server.recipients[0] == ["ann@example.com", "bob@example.com"]
    assert server.logins == ["\0me\0p@ss"] * 2


@pytest.mark.parametrize(
    ("codes", "count", "words"),
    [
        # a second attempt helps
        ({"MAIL": [451]}, 1, None),
        ({"EHLO": [1]}, 1, None),
        ({"RCPT": [450, 450]}, 1, None),
        # acknowledged, whatever comes then
        ({"QUIT": [1]}, 1, None),
        ({"QUIT": [421]}, 1, None),
        ({"RCPT": [550]}, 1, "it refused 1 of 2 recipients (550)."),
        ({"RCPT": [550, 550]}, 0, "it refused all recipients (550)."),
        ({"AUTH": [535]}, 0, "it refused the user or the password (535)."),
        ({"MAIL": [550]}, 0, "it answered 550."),
        ({"DATA": [1, 1, 1]}, 0, "it cannot be reached (SMTPServerDisconnected)."),
    ],
)
def test_mail_servers_that_fail(
    told: Told, codes: dict[str, list[int]], count: int, words: str | None
) -> None:
    with mail(codes=codes) as server:
        channel = server.channel("me:secret@")
        assert told.run(alert(1), **channel) is (words is None)
        assert len(server.emails) == count
        if words is not None:
            assert words in told.complained[0]
        assert "secret" not in str(told.complained)
        assert told.run(alert(1), **channel)
        assert len(server.emails) == 1


def test_a_mail_server_that_hangs(hasty: Told) -> None:
    with silent() as port:
        assert not hasty.run(alert(1), **{SMTP: f"smtp://127.0.0.1:{port}", **MAIL})
    assert "it did not answer within 0.3 s" in hasty.complained[0]


def test_tls_from_the_first_byte(
    told: Told,
    tls: ssl.SSLContext,
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with mail(outer_tls=tls, codes={"RCPT": [0, 450]}) as server:
        channel = {SMTP: f"smtps://me:secret@127.0.0.1:{server.port}", **MAIL}
        assert told.run(alert(1), **channel), told.complained
    assert (len(server.emails), server.logins) == (2, ["\0me\0secret"] * 2)


def test_a_password_is_not_sent_in_clear(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sync_logs_viewer.notifying.settings.is_loopback", lambda host: False)
    with mail() as server:
        assert not told.run(alert(1), **server.channel("me:secret@"))
        assert "it offers no TLS" in told.complained[0]
        assert told.run(alert(1), **server.channel())
    assert server.logins == []


@pytest.mark.parametrize(
    "text",
    [
        "=?utf-8?q?=0AContent-Type:_text=2Fhtml=0A=0A<a>?=",
        "=?utf-8?b?Cgo8YT4=?= =?utf-8?q?=0A=0A<a>?=",
        "==?utf-8?q??=0A?=\r\n\x1b\x85\u2028\u202e=?utf-8?q?=E2=80=AE?=",
    ],
)
def test_a_title_is_never_decoded(told: Told, text: str) -> None:
    with mail() as server:
        assert told.run(alert(1, sync_id=text), **server.channel())
    (source,), (email,) = server.sources, server.emails
    assert b"=?" not in source
    assert email.get_content_type() == "text/plain"
    assert email.keys()[:2] == ["Subject", "From"]
    assert email["Subject"].isprintable()
    assert "(sync =" in email["Subject"]
    assert email.get_content().startswith("Run 1 took")


@pytest.mark.parametrize("codes", [{"DATA": [2, 2]}, {"DATA": [2, 2], "RCPT": [450]}])
def test_an_e_mail_that_may_have_arrived_is_not_repeated_in_a_call(
    told: Told, codes: dict[str, list[int]]
) -> None:
    # the answer, then the attempt as a whole takes too long
    for limits in (Limits(0.2, 9, 6), Limits(9, 0.3, 0.2)):
        told.limits = limits
        with mail(codes={name: list(ones) for name, ones in codes.items()}) as server:
            assert not told.run(alert(1), alert(2), **server.channel())
            assert len(server.emails) == 1
        assert "The next call sends 2 changes again." in told.complained[0]


def test_an_e_mail_has_time_of_its_own() -> None:
    (channel,) = settings_of({SMTP: "smtp://h", **MAIL}, Path()).channels
    limits = channel.limits
    assert limits.answer >= 60
    assert limits.attempt > limits.call


def test_an_e_mail_is_acknowledged_before_the_good_bye(told: Told) -> None:
    told.limits = Limits(answer=5, attempt=6)
    begun = time.monotonic()
    with mail(codes={"QUIT": [2]}) as server:
        assert told.run(alert(1), **server.channel())
    assert len(server.emails) == 1
    assert time.monotonic() - begun < 4


ANN, BOB = MAIL[RECIPIENTS].split(",")


@pytest.mark.parametrize(
    ("codes", "got", "words"),
    [
        # the second attempt is for bob alone
        ({"RCPT": [0, 450]}, [[ANN], [BOB]], None),
        ({"RCPT": [450, 0, 450]}, [[BOB], [ANN]], None),
        ({"RCPT": [450, 0], "DATA": [0, 451]}, [[BOB], [ANN]], None),
        ({"RCPT": [450, 0, 421, 550]}, [[BOB]], "it refused 1 of 2 recipients (550)."),
        ({"RCPT": [450, 0, 451, 452]}, [[BOB]], "it refused 1 of 2 recipients (452)."),
        ({"RCPT": [450, 0], "DATA": [0, 550]}, [[BOB]], "it refused 1 of 2 recipients (450)."),
        ({"RCPT": [450, 0], "DATA": [0, 1, 1]}, [[BOB]], "it refused 1 of 2 recipients (450)."),
    ],
)
def test_an_e_mail_is_sent_again_only_to_those_who_do_not_have_it(
    told: Told, codes: dict[str, list[int]], got: list[list[str]], words: str | None
) -> None:
    with mail(codes=codes) as server:
        channel = server.channel()
        assert told.run(alert(1), **channel) is (words is None)
        assert server.recipients == got
        assert [line.partition(": ")[2] for line in told.complained] == ([words] if words else [])
        assert told.run(alert(1), **channel)
        assert server.recipients == got
    # all have the same e-mail
    assert len({(one["Message-ID"], one["To"]) for one in server.emails}) == 1


def test_of_three_recipients_each_has_its_own_outcome(told: Told) -> None:
    with mail(codes={"RCPT": [550, 450, 0, 0]}) as server:
        channel = server.channel()
        channel[RECIPIENTS] += ",cat@example.com"
        assert not told.run(alert(1), **channel)
    assert server.recipients == [["cat@example.com"], [BOB]]
    assert "it refused 1 of 3 recipients (550)." in told.complained[0]


def test_display_names_are_only_in_headers(told: Told) -> None:
    with mail() as server:
        channel = {**server.channel(), SENDER: "Jörg of the logs <logs@example.com>"}
        channel[RECIPIENTS] = f"Änne <{ANN}>, {BOB}"
        assert told.run(alert(1), **channel), told.complained
    assert (server.senders, server.recipients) == (["<logs@example.com>"], [[ANN, BOB]])
    assert server.emails[0]["To"] == f"Änne <{ANN}>, {BOB}"
    assert server.emails[0]["Message-ID"] == "<a1-opened@example.com>"


def test_other_recipients_are_a_new_channel(told: Told) -> None:
    with mail() as server:
        for recipients in (ANN, f"Ann <{ANN}>", f"{BOB},{ANN}", f"{ANN}, {BOB}"):
            assert told.run(alert(1), **{**server.channel(), RECIPIENTS: recipients})
    # neither a name nor the order of addresses counts
    assert server.recipients == [[ANN], [BOB, ANN]]


def test_an_error_of_one_channel_does_not_stop_another(
    told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def fail(_: HttpChannel, message: Message) -> None:
        tried.append(message.id)
        raise MessageError("secret")

    monkeypatch.setattr(HttpChannel, "send", fail)
    with mail() as server:
        channels = {WEBHOOK: "http://h", **server.channel()}
        assert not told.run(alert(1), alert(2), **channels)
    assert tried == ["a1-opened", "a2-opened"]
    assert len(server.emails) == 2
    assert told.complained == [
        "webhook (h): it cannot be sent (MessageError). The next call sends 2 changes again."
    ]
