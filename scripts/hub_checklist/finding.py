"""A demand on a package, and what a check of it found."""

from collections.abc import Callable
from dataclasses import dataclass

from .package import Package


@dataclass(frozen=True)
class Finding:
    """What a check found: what holds, in a few words, and what does not."""

    said: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Check:
    """A demand, and the function that looks for problems."""

    demand: str
    find: Callable[[Package], Finding]
    needs_manifest: bool = True

    def finding(self, package: Package) -> Finding:
        """What it finds in a package."""
        if self.needs_manifest and package.manifest is None:
            return Finding("", ("the project of a user does not parse",))
        return self.find(package)
