"""Where a page of a long list begins, and in which order its rows are."""

from dataclasses import asdict, dataclass

from .ask import Value


@dataclass(frozen=True)
class Position:
    """Place of a record in the log of its run."""

    batch_number: int | None
    file_name: str | None
    row_index: int | None

    def values(self) -> dict[str, Value]:
        """Its arguments."""
        return {
            # as a text, because it can have 38 digits
            "after_batch": None if self.batch_number is None else str(self.batch_number),
            "after_file": self.file_name,
            "after_row": self.row_index,
        }


@dataclass(frozen=True)
class Order:
    """Which failure patterns come first, and how many of them are on earlier pages.

    `status` is one of `PATTERNS_SHOWN`; None: those that fail now, unless there are none. `sort` is
    one of `SORTS`.
    """

    status: str | None = None
    sort: str = "open"
    after_place: int = 0

    def values(self) -> dict[str, Value]:
        """Its arguments."""
        return asdict(self)


PATTERNS_SHOWN = ("failing", "all")
SORTS = ("open", "records", "last_seen", "first_seen")
DEFAULT_ORDER, EVERY_PATTERN = Order(), Order("all")
