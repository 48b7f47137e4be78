"""One message to one receiver: attempts with back-off until it is acknowledged."""

import hashlib
import math
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from threading import Thread
from typing import Protocol

from urllib3 import Retry
from urllib3.exceptions import InvalidHeader, MaxRetryError

from .messages import Message

# at once, and after 2, 4 and 8 seconds with up to a second more
ATTEMPTS = 5
BACKOFF_SECONDS, JITTER_SECONDS = 1.0, 1.0
# a receiver that asks for a longer pause gets the rest with the next build
LONGEST_PAUSE_SECONDS = 60.0
# statuses below 500 that say "not now"
RETRIED = (408, 425, 429)
UNTRUSTED = "its certificate is not trusted, or it does not speak TLS"


@dataclass(frozen=True)
class Limits:
    """How long a receiver may take, in seconds."""

    # without any answer
    answer: float = 10.0
    # of an attempt as a whole: an answer can come byte by byte
    attempt: float = 30.0
    # after this time of a call, no attempt begins: the next call sends the rest
    call: float = 120.0


class NotAcknowledgedError(Exception):
    """A receiver did not take a message; the text says why, without any secret."""

    def __init__(
        self,
        why: str,
        *,
        is_final: bool = False,
        is_about_message: bool = False,
        retry_after: str | None = None,
        rest: "Channel | None" = None,
    ) -> None:
        """Why it failed.

        `is_final`: a second attempt would not help. `is_about_message`: another one may pass.
        `rest`: those who do not have it, if others do.
        """
        super().__init__(why)
        self.is_final = is_final
        self.is_about_message = is_about_message
        self.retry_after = retry_after
        self.rest = rest


class Channel(Protocol):
    """A receiver."""

    @property
    def name(self) -> str:
        """Its name, for messages."""

    @property
    def key(self) -> str:
        """The name under which the memory knows it: another address is another channel."""

    @property
    def where(self) -> str:
        """Host and port, for messages: the rest of an address may be a secret."""

    @property
    def limits(self) -> Limits:
        """How long it may take."""

    def send(self, message: Message) -> str | None:
        """Send a message once. Raises NotAcknowledgedError, and returns what else went wrong."""


def key_of(name: str, address: str) -> str:
    """The key of a channel, which does not tell its address."""
    return f"{name} {hashlib.sha256(address.encode('utf-8', 'backslashreplace')).hexdigest()[:16]}"


def deliver(
    channel: Channel, message: Message, attempts: int | None = None, until: float = math.inf
) -> str | None:
    """Send a message until it is acknowledged; returns what else went wrong.

    No attempt begins after `until`, a time of the monotonic clock. Raises NotAcknowledgedError.
    """
    count = ATTEMPTS if attempts is None else attempts
    retries = Retry(count - 1, backoff_factor=BACKOFF_SECONDS, backoff_jitter=JITTER_SECONDS)
    refused: str | None = None
    while True:
        try:
            return _attempt(channel, message)
        except NotAcknowledgedError as failure:
            if failure.rest is not None:
                # the others have it, whatever comes now
                channel, refused = failure.rest, str(failure)
            following = _following(retries, failure, until)
            if following is None:
                if refused is None:
                    raise
                return refused
        retries, pause = following
        time.sleep(pause)


def _following(
    retries: Retry, failure: NotAcknowledgedError, until: float
) -> tuple[Retry, float] | None:
    """The attempts that are left and the pause before the next one; None if there is none."""
    if failure.is_final:
        return None
    try:
        left = retries.increment(error=failure)
    except MaxRetryError:
        return None
    pause = _pause(left, failure)
    is_too_long = pause > LONGEST_PAUSE_SECONDS or time.monotonic() + pause > until
    return None if is_too_long else (left, pause)


def _attempt(channel: Channel, message: Message) -> str | None:
    """One attempt, which is given up after a while, even if something still arrives."""
    outcome: Future[str | None] = Future()

    def send() -> None:
        try:
            outcome.set_result(channel.send(message))
        except NotAcknowledgedError as failure:
            outcome.set_exception(failure)
        except BaseException as error:
            # of a library that cannot write this message: other messages and channels go on
            name = type(error).__name__
            outcome.set_exception(
                NotAcknowledgedError(
                    f"it cannot be sent ({name})", is_final=True, is_about_message=True
                )
            )

    Thread(target=send, daemon=True).start()
    seconds = channel.limits.attempt
    try:
        return outcome.result(seconds)
    except FutureTimeoutError:
        raise NotAcknowledgedError(f"it took more than {seconds:g} s") from None


def _pause(retries: Retry, failure: NotAcknowledgedError) -> float:
    own = retries.get_backoff_time()
    if failure.retry_after is None:
        return own
    try:
        return max(own, retries.parse_retry_after(failure.retry_after))
    except (InvalidHeader, OverflowError, ValueError):
        return own
