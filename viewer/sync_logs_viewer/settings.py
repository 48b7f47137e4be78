"""Settings of the viewer: environment variables, read when needed."""

import os

PORT = "SYNC_LOGS_VIEWER_PORT"
DOWNLOAD_ROWS = "SYNC_LOGS_DOWNLOAD_ROWS"
GAPS = "SYNC_LOGS_GAPS_RELATION"
DEFAULT_PORT = 8080
HIGHEST_PORT = 65535
DEFAULT_DOWNLOAD_ROWS = 100_000
MOST_ROWS = 100_000_000


class SettingError(ValueError):
    """A setting is wrong; the message says what was expected and given."""


def port() -> int:
    """Port of the pages. Raises SettingError."""
    return _number(PORT, DEFAULT_PORT, 0, HIGHEST_PORT)


def download_rows() -> int:
    """Maximum number of rows of a download. Raises SettingError."""
    return _number(DOWNLOAD_ROWS, DEFAULT_DOWNLOAD_ROWS, 1, MOST_ROWS)


def gaps_relation() -> str | None:
    """The relation with the rows of `delivery_gap_counts`; None if there is none."""
    return os.environ.get(GAPS) or None


def _number(name: str, default: int, least: int, most: int) -> int:
    given = os.environ.get(name) or str(default)
    if not given.isascii() or not given.isdigit() or not least <= int(given) <= most:
        raise SettingError(f"{name} is {given!r}; expected a whole number from {least} to {most}.")
    return int(given)
