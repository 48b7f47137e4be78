"""What a fault is."""

from dataclasses import dataclass
from pathlib import Path

UNIT_TESTS = "tests/builds/test_dbt_unit_tests.py"
OF_TABLES = f"{UNIT_TESTS}::test_the_unit_tests_of_models_that_read_tables_of_vendors_pass"


class FaultError(Exception):
    """A fault cannot be put into the code; the message says why and what to do."""


@dataclass(frozen=True)
class Fault:
    """A small wrong edit of the project, and the smallest suite that has to fail with it."""

    name: str
    file: str
    """Path of the file in the project."""
    old: str
    """Text that is in the file exactly once."""
    new: str
    """What stands there instead."""
    why: str
    """What goes wrong for a user."""
    seen_by: str = ""
    """A model, for its dbt unit tests, by default that of the file; or a test of pytest."""

    def __post_init__(self) -> None:
        if not self.seen_by:
            object.__setattr__(self, "seen_by", Path(self.file).stem)

    @property
    def is_in_unit_tests(self) -> bool:
        """Whether the dbt unit tests of a model have to see it."""
        return "/" not in self.seen_by

    def in_text(self, text: str) -> str:
        """The text of the file with the fault. Raises FaultError."""
        count = text.count(self.old)
        if count != 1:
            raise FaultError(
                f"The fault {self.name!r} expects its `old` text exactly once in {self.file}, but "
                f"it is there {count} times. Rewrite the fault for the code as it is now: "
                f"{self.old!r}"
            )
        return text.replace(self.old, self.new)

    def put_into(self, project: Path) -> None:
        """Write the fault into a copy of the project. Raises FaultError."""
        file = project / self.file
        if not file.is_file():
            raise FaultError(
                f"The fault {self.name!r} is in {self.file}, which does not exist. Name the file "
                "that now has the code."
            )
        file.write_text(self.in_text(file.read_text("utf-8")), "utf-8")
