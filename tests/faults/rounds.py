"""Which faults can be tried together.

A dbt unit test reads nothing but its own model and the macros that this model calls. So faults that
touch different models are put into the project together, and the tests of each model tell which of
the faults were seen.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from faults.fault import Fault
from scripts.check import touched_models


@dataclass
class Round:
    """Faults that touch different models."""

    reads_tables: bool
    faults: list[Fault] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)

    @property
    def models(self) -> list[str]:
        """The models whose unit tests have to see the faults."""
        return sorted({fault.seen_by for fault in self.faults})


def rounds_of(faults: Iterable[Fault], manifest: Any, models: Mapping[str, bool]) -> list[Round]:
    """Rounds for faults that unit tests have to see.

    `manifest` is the project without faults. `models` tells of each model with unit tests whether
    it reads tables of vendors; the manifest lacks these models, and no fault is in their macros.
    """
    rounds: list[Round] = []
    for fault in faults:
        reads_tables = models[fault.seen_by]
        touched = {fault.seen_by, *touched_models(manifest, {fault.file})}
        for chosen in rounds:
            if chosen.reads_tables == reads_tables and not touched & chosen.touched:
                break
        else:
            chosen = Round(reads_tables)
            rounds.append(chosen)
        chosen.faults.append(fault)
        chosen.touched |= touched
    return rounds
