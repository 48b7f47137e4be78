"""Tells each channel what it has not been told, and remembers what it has acknowledged."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .changes import due
from .delivering import Channel, NotAcknowledgedError, deliver
from .memory import Memory, UnusableMemoryError
from .messages import Message, messages_of

Alerts = list[dict[str, Any]]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Notifier:
    """Channels, their memory, and where to say what was done."""

    channels: Iterable[Channel]
    memory: Memory
    viewer_url: str | None
    say: Say
    complain: Say

    def run(self, alerts: Alerts) -> bool:
        """Send what is due; whether all of it was acknowledged. One channel holds up no other."""
        try:
            outcomes = [self._tell(channel, alerts) for channel in self.channels]
        except UnusableMemoryError as error:
            # what is sent now would be sent again
            self.complain(str(error))
            return False
        return all(outcomes)

    def preview(self, alerts: Alerts) -> None:
        """Say what `run` would send."""
        for channel in self.channels:
            found = due(alerts, self.memory.told(channel.key))
            messages = messages_of(found.changes, self.viewer_url)
            self.say(f"{_named(channel)}: would send {_counted(len(messages), 'message')}.")
            for message in messages:
                for line in (message.title, *message.paragraphs, message.link):
                    self.say(f"  {line}" if line else "")

    def _tell(self, channel: Channel, alerts: Alerts) -> bool:
        found = due(alerts, self.memory.told(channel.key))
        # also makes the channel known: from now on, it is told of what ends
        self.memory.remember(channel.key, found.silent)
        told, problems = self._send(channel, messages_of(found.changes, self.viewer_url))
        sent = f"sent {_counted(told, 'change')}" if found.changes else "nothing is new"
        self.say(f"{_named(channel)}: {sent}.")
        if problems:
            left = len(found.changes) - told
            later = f" The next call sends {_counted(left, 'change')} again." if left else ""
            self.complain(f"{_named(channel)}: {'; '.join(dict.fromkeys(problems))}.{later}")
        return not problems

    def _send(self, channel: Channel, messages: Iterable[Message]) -> tuple[int, list[str]]:
        """Send messages in their order; how many changes were told, and what went wrong."""
        told, problems = 0, []
        until = time.monotonic() + channel.limits.call
        attempts: int | None = None
        failed: set[str] = set()
        for message in messages:
            alert_ids = {change.alert_id for change in message.changes}
            if alert_ids & failed:
                # its receiver would think that the alert is open after its end
                continue
            if time.monotonic() > until:
                problems.append(f"its time of {channel.limits.call:g} s is over")
                break
            try:
                problem = deliver(channel, message, attempts, until)
            except NotAcknowledgedError as failure:
                problems.append(str(failure))
                failed |= alert_ids
                if not failure.is_about_message:
                    break
                # another one may pass, but it does not wait as long
                attempts = attempts if failure.is_final else 1
                continue
            self.memory.remember(channel.key, message.changes)
            told += len(message.changes)
            problems += [problem] if problem else []
        return told, problems


def _named(channel: Channel) -> str:
    return f"{channel.name} ({channel.where})"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
