"""Settings of the notifier: environment variables only, because addresses are secrets."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from dbt_sync_logs.checks import HOME_VARIABLE
from sync_logs_viewer.serving import is_loopback
from sync_logs_viewer.settings import SettingError

from .delivering import Channel
from .http import Body, HttpChannel, slack_body, teams_body, webhook_body
from .mail import EmailChannel, address_of

WEBHOOK, SLACK = "SYNC_LOGS_NOTIFY_WEBHOOK_URL", "SYNC_LOGS_NOTIFY_SLACK_URL"
TEAMS = "SYNC_LOGS_NOTIFY_TEAMS_URL"
PREFIX = TEAMS.removesuffix("TEAMS_URL")
SMTP = "SYNC_LOGS_NOTIFY_SMTP_URL"
SENDER, RECIPIENTS = "SYNC_LOGS_NOTIFY_EMAIL_FROM", "SYNC_LOGS_NOTIFY_EMAIL_TO"
VIEWER, MEMORY = "SYNC_LOGS_NOTIFY_VIEWER_URL", "SYNC_LOGS_NOTIFY_MEMORY"
KNOWN = (WEBHOOK, SLACK, TEAMS, SMTP, SENDER, RECIPIENTS, VIEWER, MEMORY)
SECRETS = (SLACK, TEAMS)
DEFAULT_HOME, FILE = ".sync_logs", "notified.sqlite"
SMTP_PORTS = {"smtp": 587, "smtps": 465}
BODIES: Mapping[str, tuple[str, Body]] = {
    WEBHOOK: ("webhook", webhook_body),
    SLACK: ("slack", slack_body),
    TEAMS: ("teams", teams_body),
}
ADDRESS = re.compile(r"[^<>\n\r]*<(?P<named>[^<>@\s]+@[^<>@\s]+)>|(?P<plain>[^<>@\s]+@[^<>@\s]+)")
ENCODED = "Percent-encode it: @ is %40, and in a user or password / is %2F, ? is %3F, # is %23."


@dataclass(frozen=True)
class NotifySettings:
    """Where to send, what to remember it in, and where the pages are."""

    channels: tuple[Channel, ...]
    memory: Path
    viewer_url: str | None


def has_channel(environment: Mapping[str, str]) -> bool:
    """Whether a variable of a channel is set, even if its value or its name is wrong."""
    return any(
        name.startswith(PREFIX) and name not in (VIEWER, MEMORY) and bool(environment[name])
        for name in environment
    )


def settings_of(environment: Mapping[str, str], project: Path) -> NotifySettings:
    """The settings in an environment. Raises SettingError, which never has a value."""
    given = {name: value for name in KNOWN if (value := environment.get(name, "").strip())}
    unknown = sorted(name for name in environment if name.startswith(PREFIX) and name not in KNOWN)
    if unknown:
        raise SettingError(f"{unknown[0]} is not a setting. There are: {', '.join(KNOWN)}.")
    channels: list[Channel] = [
        HttpChannel(name, given[variable], _where(_url(variable, given[variable])), body)
        for variable, (name, body) in BODIES.items()
        if variable in given
    ]
    if {SMTP, SENDER, RECIPIENTS} & set(given):
        channels.append(_email(given))
    if not channels:
        raise SettingError(
            f"No channel is set, so nobody can be notified. Set {WEBHOOK}, {SLACK}, {TEAMS}, or "
            f"{SMTP} with {SENDER} and {RECIPIENTS}."
        )
    if VIEWER in given:
        _url(VIEWER, given[VIEWER])
    home = environment.get(HOME_VARIABLE) or DEFAULT_HOME
    memory = project / (given.get(MEMORY) or Path(home) / FILE)
    return NotifySettings(tuple(channels), memory, given.get(VIEWER))


def _email(given: Mapping[str, str]) -> EmailChannel:
    for name in (SMTP, SENDER, RECIPIENTS):
        if name not in given:
            raise SettingError(f"{name} is not set. E-mails need {SMTP}, {SENDER}, {RECIPIENTS}.")
    url = _parsed(SMTP, given[SMTP], SMTP_PORTS, "smtps://user:password@host or smtp://host:25")
    if url.path not in ("", "/") or url.query or url.fragment:
        raise SettingError(f"{SMTP} has something after the host and port. {ENCODED}")
    if (url.username is None) != (url.password is None):
        raise SettingError(f"{SMTP} has a user or a password; expected both or none.")
    recipients = tuple(filter(None, map(str.strip, given[RECIPIENTS].split(","))))
    for name, addresses in ((SENDER, (given[SENDER],)), (RECIPIENTS, recipients)):
        if not addresses or not all(map(_is_address, addresses)):
            raise SettingError(
                f"{name} is not an e-mail address such as ann@example.com"
                + (", or several with commas." if name == RECIPIENTS else ".")
            )
    host = url.hostname or ""
    return EmailChannel(
        host=host,
        port=url.port or SMTP_PORTS[url.scheme],
        user=_unquoted(url.username),
        password=_unquoted(url.password),
        is_tls=url.scheme == "smtps",
        is_loopback=is_loopback(host),
        sender=given[SENDER],
        recipients=recipients,
    )


def _url(variable: str, value: str) -> SplitResult:
    url = _parsed(variable, value, ("https", "http"), "https://host/path")
    if url.username is None and url.port and "@" in value:
        # such as https://user:12#34@host: the port would be a part of the password
        raise SettingError(f"{variable} has an @ after the host and port. {ENCODED}")
    if variable in SECRETS and url.scheme == "http" and not is_loopback(url.hostname or ""):
        raise SettingError(
            f"{variable} begins with http://; expected https://, because whoever reads it can post."
        )
    return url


def _parsed(variable: str, value: str, schemes: Collection[str], form: str) -> SplitResult:
    try:
        url = urlsplit(value)
        is_sound = url.scheme in schemes and bool(url.hostname) and url.port != 0
    except ValueError:
        is_sound = False
    if not is_sound or re.search(r"\s", value):
        # the value may be a secret with a typing error
        hint = f" {ENCODED}" if "@" in value else ""
        raise SettingError(f"{variable} is not an address such as {form}.{hint}")
    return url


def _where(url: SplitResult) -> str:
    return f"{url.hostname}:{url.port}" if url.port else str(url.hostname)


def _is_address(given: str) -> bool:
    """Whether the text is an address, or a name with one that is read from it."""
    found = ADDRESS.fullmatch(given)
    return found is not None and address_of(given) == (found["named"] or found["plain"])


def _unquoted(part: str | None) -> str | None:
    return None if part is None else unquote(part)
