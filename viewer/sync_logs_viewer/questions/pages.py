"""Where a page of a long list begins: after the key of a row, so that later pages cost no more."""

from dataclasses import dataclass

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
