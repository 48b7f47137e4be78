"""E-mail over SMTP."""

import smtplib
import ssl
from contextlib import closing, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from typing import ClassVar

from . import delivering
from .delivering import UNTRUSTED, NotAcknowledgedError
from .messages import Message


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

    @property
    def where(self) -> str:
        """Host and port, for messages."""
        return f"{self.host}:{self.port}"

    def send(self, message: Message) -> str | None:
        """See Channel. One e-mail goes to all recipients."""
        try:
            with closing(self._connect()) as server:
                self._log_in(server)
                refused = server.send_message(
                    self.email(message), self.sender, list(self.recipients)
                )
                # the message is acknowledged, whatever the server says now
                with suppress(OSError, smtplib.SMTPException):
                    server.quit()
        except (OSError, ValueError, smtplib.SMTPException) as error:
            raise _explained(error) from None
        if not refused:
            return None
        # the others have it, so it is not sent again
        return f"it refused {len(refused)} of {len(self.recipients)} recipients"

    def email(self, message: Message) -> EmailMessage:
        """The message as an e-mail. The same changes have the same Message-ID."""
        email = EmailMessage()
        email["Subject"] = message.title
        email["From"] = self.sender
        email["To"] = ", ".join(self.recipients)
        email["Date"] = formatdate()
        domain = parseaddr(self.sender)[1].rpartition("@")[2]
        email["Message-ID"] = f"<{message.id}@{domain}>"
        email["Auto-Submitted"] = "auto-generated"
        link = (message.link,) if message.link else ()
        email.set_content("\n\n".join((*message.paragraphs, *link)) + "\n")
        return email

    def _connect(self) -> smtplib.SMTP:
        seconds = delivering.TIMEOUT_SECONDS
        if self.is_tls:
            return smtplib.SMTP_SSL(
                self.host, self.port, timeout=seconds, context=ssl.create_default_context()
            )
        return smtplib.SMTP(self.host, self.port, timeout=seconds)

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


def _explained(error: Exception) -> NotAcknowledgedError:
    """The failure, without the texts of the server: they can repeat what it was sent."""
    if isinstance(error, ssl.SSLError):
        return NotAcknowledgedError(UNTRUSTED, is_final=True)
    # smtplib says that it was disconnected if it waited too long
    if isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError):
        return NotAcknowledgedError(f"it did not answer within {delivering.TIMEOUT_SECONDS:g} s")
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = {code for code, _ in error.recipients.values()}
        return NotAcknowledgedError(
            f"it refused all recipients ({', '.join(map(str, sorted(codes)))})",
            is_final=min(codes) >= 500,
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
