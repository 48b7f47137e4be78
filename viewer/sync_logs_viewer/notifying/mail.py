"""E-mail over SMTP."""

import smtplib
import ssl
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from typing import Any, ClassVar

from .delivering import UNTRUSTED, Limits, NotAcknowledgedError, key_of
from .messages import Message

# Servers that check a message can be slow to answer, and one that is sent again is there twice.
# `attempt` is longer than `call`: so what is given up, and may have arrived, has no next attempt.
LIMITS = Limits(answer=60.0, attempt=180.0)


class _Smtp(smtplib.SMTP):
    """Knows whether the server may have the message."""

    may_have_it = False

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.may_have_it = True
        return super().data(msg)


class _SmtpOverTls(_Smtp, smtplib.SMTP_SSL):
    pass


@dataclass(frozen=True)
class EmailChannel:
    """Sends plain e-mails through a server."""

    name: ClassVar[str] = "email"
    host: str
    port: int
    user: str | None
    password: str | None = field(repr=False)
    # TLS from the first byte; otherwise STARTTLS if the server has it
    is_tls: bool
    # without TLS, a password is sent only to this machine
    is_loopback: bool
    sender: str
    recipients: tuple[str, ...]
    limits: Limits = LIMITS
    # recipients that the server has refused in earlier attempts, while it took the others
    refused: Mapping[str, int] | None = None

    @property
    def key(self) -> str:
        """See Channel."""
        return key_of(self.name, ",".join(sorted(map(address_of, self.recipients))))

    @property
    def where(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}"

    def send(self, message: Message) -> str | None:
        """See Channel. One e-mail goes to all recipients."""
        before = self.refused
        to = [address_of(one) for one in self.recipients]
        if before is not None:
            to = [one for one in to if one in before and before[one] < 500]
        server: _Smtp | None = None
        try:
            with closing(self._connect()) as server:
                self._log_in(server)
                refused = server.send_message(self.email(message), address_of(self.sender), to)
                # the message is acknowledged: nothing waits for the answer to the good-bye
                with suppress(OSError, smtplib.SMTPException):
                    server.putcmd("QUIT")
        except smtplib.SMTPRecipientsRefused as error:
            if before is None:
                raise _nobody(_codes(error.recipients)) from None
            return self._outcome({**before, **_codes(error.recipients)})
        except (OSError, ValueError, smtplib.SMTPException) as error:
            may_have_it = server is not None and server.may_have_it
            raise _explained(error, self.limits, may_have_it) from None
        final = {one: code for one, code in (before or {}).items() if code >= 500}
        return self._outcome({**final, **_codes(refused)})

    def _outcome(self, refused: Mapping[str, int]) -> str | None:
        """What to say of those who do not have it; raises NotAcknowledgedError if some may yet."""
        if not refused:
            return None
        count = f"{len(refused)} of {len(self.recipients)} recipients"
        words = f"it refused {count} ({_listed(refused)})"
        if min(refused.values()) < 500:
            raise NotAcknowledgedError(words, rest=replace(self, refused=refused))
        return words

    def email(self, message: Message) -> EmailMessage:
        """The message as an e-mail. The same changes have the same Message-ID."""
        email = EmailMessage()
        email["Subject"] = _plain(message.title)
        email["From"] = self.sender
        email["To"] = ", ".join(self.recipients)
        email["Date"] = formatdate()
        domain = address_of(self.sender).rpartition("@")[2]
        email["Message-ID"] = f"<{message.id}@{domain}>"
        email["Auto-Submitted"] = "auto-generated"
        link = (message.link,) if message.link else ()
        email.set_content("\n\n".join((*message.paragraphs, *link)) + "\n")
        return email

    def _connect(self) -> _Smtp:
        seconds = self.limits.answer
        if self.is_tls:
            return _SmtpOverTls(
                self.host, self.port, timeout=seconds, context=ssl.create_default_context()
            )
        return _Smtp(self.host, self.port, timeout=seconds)

    def _log_in(self, server: smtplib.SMTP) -> None:
        server.ehlo_or_helo_if_needed()
        is_secret = self.is_tls
        if not self.is_tls and server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
            is_secret = True
        if self.user is None or self.password is None:
            return
        if not is_secret and not self.is_loopback:
            raise NotAcknowledgedError(
                "it offers no TLS, and a password is not sent without", is_final=True
            )
        server.login(self.user, self.password)


def address_of(given: str) -> str:
    """The address alone: only headers have display names."""
    return parseaddr(given)[1]


def _plain(title: str) -> str:
    """A title for a header: `=?…?=` is an encoded text there, which could have line ends."""
    seen = "".join(one if one.isprintable() else " " for one in title)
    return seen.replace("=?", "= ?")


def _codes(refused: Mapping[str, tuple[int, bytes]]) -> dict[str, int]:
    return {recipient: code for recipient, (code, _) in refused.items()}


def _listed(refused: Mapping[str, int]) -> str:
    return ", ".join(map(str, sorted(set(refused.values()))))


def _nobody(refused: Mapping[str, int]) -> NotAcknowledgedError:
    return NotAcknowledgedError(
        f"it refused all recipients ({_listed(refused)})", is_final=min(refused.values()) >= 500
    )


def _explained(error: Exception, limits: Limits, may_have_it: bool) -> NotAcknowledgedError:
    """The failure, without the texts of the server: they can repeat what it was sent."""
    if isinstance(error, ssl.SSLError):
        return NotAcknowledgedError(UNTRUSTED, is_final=True)
    # smtplib says that it was disconnected if it waited too long
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        # it may have taken it, and then each attempt is one e-mail more
        return NotAcknowledgedError(
            f"it did not answer within {limits.answer:g} s", is_final=may_have_it
        )
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return NotAcknowledgedError(
            f"it refused the user or the password ({error.smtp_code})",
            is_final=error.smtp_code >= 500,
        )
    if isinstance(error, smtplib.SMTPResponseException):
        return NotAcknowledgedError(
            f"it answered {error.smtp_code}",
            is_final=error.smtp_code >= 500,
            is_about_message=error.smtp_code >= 500,
        )
    if isinstance(error, smtplib.SMTPServerDisconnected | OSError):
        return NotAcknowledgedError(f"it cannot be reached ({type(error).__name__})")
    return NotAcknowledgedError(
        f"it cannot take it ({type(error).__name__})", is_final=True, is_about_message=True
    )
