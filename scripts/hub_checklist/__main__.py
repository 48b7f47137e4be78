"""Prints the checklist; the exit code is 1 if a demand is not met."""

import sys
from pathlib import Path

from . import CHECKS, package_in

PROJECT = Path(__file__).resolve().parents[2]
# more problems of one check would hide the other checks
SHOWN = 3


def main(folder: Path = PROJECT, dependencies: Path = PROJECT / "dbt_packages") -> int:
    """Check the package in a folder; returns the exit code."""
    package = package_in(folder, dependencies)
    findings = {check.demand: check.finding(package) for check in CHECKS}
    width = max(map(len, findings))
    for demand, found in findings.items():
        mark, shown = ("✗", found.problems[:SHOWN]) if found.problems else ("✓", (found.said,))
        left_out = len(found.problems) - SHOWN
        more = f" and {left_out} more" if left_out > 0 else ""
        print(f"{mark} {demand:<{width}}  {'; '.join(shown)}{more}")
    return int(any(found.problems for found in findings.values()))


if __name__ == "__main__":
    sys.exit(main())
