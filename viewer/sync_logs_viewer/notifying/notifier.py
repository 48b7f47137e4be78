"""Tells each channel what it has not been told, and remembers what it has acknowledged."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .changes import due
from .delivering import Channel, NotAcknowledgedError, deliver
from .memory import Memory, UnusableMemoryError
from .messages import messages_of

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
            found = due(alerts, self.memory.told(channel.name))
            messages = messages_of(found.changes, self.viewer_url)
            self.say(f"{_named(channel)}: would send {_counted(len(messages), 'message')}.")
            for message in messages:
                for line in (message.title, *message.paragraphs, message.link):
                    self.say(f"  {line}" if line else "")

    def _tell(self, channel: Channel, alerts: Alerts) -> bool:
        found = due(alerts, self.memory.told(channel.name))
        # also makes the channel known: from now on, it is told of what ends
        self.memory.remember(channel.name, found.silent_ids)
        told, problems = 0, []
        attempts: int | None = None
        for message in messages_of(found.changes, self.viewer_url):
            try:
                problem = deliver(channel, message, attempts)
            except NotAcknowledgedError as failure:
                problems.append(str(failure))
                if not failure.is_about_message:
                    break
                # another one may pass, but it does not wait as long
                attempts = attempts if failure.is_final else 1
                continue
            self.memory.remember(channel.name, message.change_ids)
            told += len(message.change_ids)
            problems += [problem] if problem else []
        sent = f"sent {_counted(told, 'change')}" if found.changes else "nothing is new"
        self.say(f"{_named(channel)}: {sent}.")
        if problems:
            left = len(found.changes) - told
            later = f" The next call sends {_counted(left, 'change')} again." if left else ""
            self.complain(f"{_named(channel)}: {problems[0]}.{later}")
        return not problems


def _named(channel: Channel) -> str:
    return f"{channel.name} ({channel.where})"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
