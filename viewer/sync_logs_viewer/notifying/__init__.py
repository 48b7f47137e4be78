"""`sync-logs notify`: each change of an alert once, to a webhook, Slack, Teams or by e-mail."""

from .memory import Memory, MemoryInUseError, UnusableMemoryError
from .notifier import Notifier
from .settings import NotifySettings, has_channel, settings_of

__all__ = [
    "Memory",
    "MemoryInUseError",
    "Notifier",
    "NotifySettings",
    "UnusableMemoryError",
    "has_channel",
    "settings_of",
]
