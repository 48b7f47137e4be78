"""One message to one receiver: attempts with back-off until it is acknowledged."""

import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from threading import Thread
from typing import Protocol

from urllib3 import Retry
from urllib3.exceptions import InvalidHeader, MaxRetryError

from .messages import Message

# at once, and after 2, 4 and 8 seconds with up to a second more
ATTEMPTS = 5
BACKOFF_SECONDS, JITTER_SECONDS = 1.0, 1.0
# without any answer, and of an attempt as a whole: an answer can come byte by byte
TIMEOUT_SECONDS, ATTEMPT_SECONDS = 10.0, 30.0
# a receiver that asks for a longer pause gets the rest with the next build
LONGEST_PAUSE_SECONDS = 60.0
# statuses below 500 that say "not now"
RETRIED = (408, 425, 429)
UNTRUSTED = "its certificate is not trusted, or it does not speak TLS"


class NotAcknowledgedError(Exception):
    """A receiver did not take a message; the text says why, without any secret."""

    def __init__(
        self,
        why: str,
        *,
        is_final: bool = False,
        is_about_message: bool = False,
        retry_after: str | None = None,
    ) -> None:
        """`is_final`: a second attempt would not help. `is_about_message`: another one may pass."""
        super().__init__(why)
        self.is_final = is_final
        self.is_about_message = is_about_message
        self.retry_after = retry_after


class Channel(Protocol):
    """A receiver."""

    @property
    def name(self) -> str:
        """The name under which the memory knows it."""

    @property
    def where(self) -> str:
        """Host and port, for messages: the rest of an address may be a secret."""

    def send(self, message: Message) -> str | None:
        """Send a message once. Raises NotAcknowledgedError, and returns what else went wrong."""


def deliver(channel: Channel, message: Message, attempts: int | None = None) -> str | None:
    """Send a message until it is acknowledged. Raises NotAcknowledgedError."""
    count = ATTEMPTS if attempts is None else attempts
    retries = Retry(count - 1, backoff_factor=BACKOFF_SECONDS, backoff_jitter=JITTER_SECONDS)
    while True:
        try:
            return _attempt(channel, message)
        except NotAcknowledgedError as failure:
            if failure.is_final:
                raise
            try:
                retries = retries.increment(error=failure)
            except MaxRetryError:
                raise failure from None
            pause = _pause(retries, failure)
            if pause > LONGEST_PAUSE_SECONDS:
                raise
        time.sleep(pause)


def _attempt(channel: Channel, message: Message) -> str | None:
    """One attempt, which is given up after a while, even if something still arrives."""
    outcome: Future[str | None] = Future()

    def send() -> None:
        try:
            outcome.set_result(channel.send(message))
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=send, daemon=True).start()
    try:
        return outcome.result(ATTEMPT_SECONDS)
    except FutureTimeoutError:
        raise NotAcknowledgedError(f"it took more than {ATTEMPT_SECONDS:g} s") from None


def _pause(retries: Retry, failure: NotAcknowledgedError) -> float:
    own = retries.get_backoff_time()
    if failure.retry_after is None:
        return own
    try:
        return max(own, retries.parse_retry_after(failure.retry_after))
    except (InvalidHeader, OverflowError, ValueError):
        return own
