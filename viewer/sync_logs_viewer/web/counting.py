"""The counts of a run in words: how many records were planned, and what became of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

OP_TYPES = ("add", "change", "remove")
MEASURES = {
    "planned": "what the run was to send",
    "attempted": "sent, or found invalid",
    "succeeded": "accepted by the destination",
    "failed": "rejected, or invalid",
    "invalid": "never sent; part of the failed ones",
}


@dataclass(frozen=True)
class Count:
    """One measure of a run, by operation and in all."""

    measure: str
    meaning: str
    by_op_type: tuple[int, ...]
    total: int
    # of the attempted records; None for those that were planned, and if none was attempted
    share: float | None


def total(run: Mapping[str, Any], measure: str) -> int:
    """The records of a run that a measure counts, whatever their operation."""
    return sum(_by_op_type(run, measure))


def share(run: Mapping[str, Any], measure: str) -> float | None:
    """A measure as a share of the attempted records; None if there are none."""
    attempted = total(run, "attempted")
    return total(run, measure) / attempted if attempted else None


def counts_of(run: Mapping[str, Any]) -> list[Count]:
    """All measures of a run, in the order in which a record passes them."""
    return [
        Count(
            measure,
            meaning,
            _by_op_type(run, measure),
            total(run, measure),
            None if measure in ("planned", "attempted") else share(run, measure),
        )
        for measure, meaning in MEASURES.items()
    ]


def _by_op_type(run: Mapping[str, Any], measure: str) -> tuple[int, ...]:
    return tuple(int(run[f"num_{measure}_{op_type}"] or 0) for op_type in OP_TYPES)
