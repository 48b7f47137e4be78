"""Settings of the viewer: environment variables, read when needed."""

import os

PORT = "SYNC_LOGS_VIEWER_PORT"
DOWNLOAD_ROWS = "SYNC_LOGS_DOWNLOAD_ROWS"
DEFAULT_PORT = 8080
DEFAULT_DOWNLOAD_ROWS = 100_000
MOST_ROWS = 100_000_000


class SettingError(ValueError):
    """A setting is wrong; the message says what was expected and given."""


def port() -> int:
    """Port of the pages. Raises SettingError."""
    return _number(PORT, DEFAULT_PORT, 0, 65535)


def download_rows() -> int:
    """Maximum number of rows of a download. Raises SettingError."""
    return _number(DOWNLOAD_ROWS, DEFAULT_DOWNLOAD_ROWS, 1, MOST_ROWS)


def _number(name: str, default: int, least: int, most: int) -> int:
    given = os.environ.get(name) or str(default)
    if not given.isascii() or not given.isdigit() or not least <= int(given) <= most:
        raise SettingError(f"{name} is {given!r}; expected a whole number from {least} to {most}.")
    return int(given)
