"""Receivers over HTTP: a webhook of your own, Slack, Microsoft Teams."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.utils import get_auth_from_url

from sync_logs_viewer.serving import is_loopback

from .delivering import RETRIED, UNTRUSTED, Limits, NotAcknowledgedError, key_of
from .messages import Message

Body = Callable[[Message], Mapping[str, Any]]
LIMITS = Limits()
ADAPTIVE_CARD = "application/vnd.microsoft.card.adaptive"


@dataclass(frozen=True)
class HttpChannel:
    """Posts JSON to an address, which may be a secret."""

    name: str
    url: str = field(repr=False)
    # host and port, for messages
    where: str
    body: Body
    limits: Limits = LIMITS

    @property
    def key(self) -> str:
        """See Channel. A new password is the way to the same receiver."""
        url = urlsplit(self.url)
        return key_of(self.name, url._replace(netloc=url.netloc.rpartition("@")[2]).geturl())

    def send(self, message: Message) -> str | None:
        """See Channel."""
        # its warnings can have the address
        logging.getLogger("urllib3").setLevel(logging.CRITICAL + 1)
        try:
            with requests.Session() as session:
                # no passwords from ~/.netrc, and no proxy to this machine
                url = urlsplit(self.url)
                host = url.hostname or ""
                has_user = url.username is not None
                session.auth = get_auth_from_url(self.url) if has_user else _no_auth
                # the body of the answer stays unread: a receiver could send one without end
                with session.post(
                    self.url,
                    data=json.dumps(self.body(message), ensure_ascii=False).encode(
                        # half of a character from an escape in a log: JSON can escape it again
                        "utf-8",
                        "backslashreplace",
                    ),
                    headers={
                        "Content-Type": "application/json; charset=utf-8",
                        "User-Agent": "sync-logs-notify",
                        "Idempotency-Key": message.id,
                    },
                    proxies={"no_proxy": host} if is_loopback(host) else None,
                    timeout=self.limits.answer,
                    allow_redirects=False,
                    stream=True,
                ) as answer:
                    _check(answer.status_code, answer.headers.get("Retry-After"))
                    return None
        except requests.exceptions.SSLError:
            raise NotAcknowledgedError(UNTRUSTED, is_final=True) from None
        except requests.exceptions.Timeout:
            seconds = f"{self.limits.answer:g} s"
            raise NotAcknowledgedError(f"it did not answer within {seconds}") from None
        except (requests.exceptions.RequestException, OSError, ValueError) as error:
            # the text of the error would have the address
            raise NotAcknowledgedError(f"it cannot be reached ({type(error).__name__})") from None


def _check(status: int, retry_after: str | None) -> None:
    if 200 <= status < 300:
        return
    words = f"it answered {status}{_phrase(status)}"
    if 300 <= status < 400:
        raise NotAcknowledgedError(
            f"{words}: redirects are not followed; set the final address", is_final=True
        )
    raise NotAcknowledgedError(
        words,
        is_final=status < 500 and status not in RETRIED,
        is_about_message=status not in RETRIED,
        retry_after=retry_after,
    )


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""


def _no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def webhook_body(message: Message) -> Mapping[str, Any]:
    """For programs: the change with its alert, or the digest."""
    return {"text": message.title, **message.data}


def slack_body(message: Message) -> Mapping[str, Any]:
    """For an incoming webhook of Slack: texts from logs are plain, so they mention nobody."""
    texts = (message.title, *message.paragraphs)
    blocks: list[dict[str, Any]] = [
        {
            "type": "header" if number == 0 else "section",
            "text": {"type": "plain_text", "text": text, "emoji": False},
        }
        for number, text in enumerate(texts)
    ]
    if message.link:
        link = {"type": "mrkdwn", "text": f"<{message.link}|Open the alerts>"}
        blocks.append({"type": "section", "text": link})
    # what a notification of the system shows; Slack reads these three as its markup
    short = message.title.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": short, "blocks": blocks}


def teams_body(message: Message) -> Mapping[str, Any]:
    """For a workflow of Teams ("When a Teams webhook request is received"): an Adaptive Card.

    The texts are runs, because Teams reads Markdown in other blocks: a log could have a link.
    """
    runs = [{"type": "TextRun", "text": message.title, "weight": "Bolder"}]
    runs += [{"type": "TextRun", "text": text} for text in message.paragraphs]
    card: dict[str, Any] = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "msteams": {"width": "Full"},
        "body": [{"type": "RichTextBlock", "inlines": [run]} for run in runs],
    }
    if message.link:
        card["actions"] = [
            {"type": "Action.OpenUrl", "title": "Open the alerts", "url": message.link}
        ]
    attachment = {"contentType": ADAPTIVE_CARD, "contentUrl": None, "content": card}
    return {"type": "message", "attachments": [attachment]}
