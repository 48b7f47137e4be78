"""Each step (CTE) of a model has a unique name in the model."""

import re
from collections import Counter

from helpers.project import PROJECT

STEP = re.compile(r"^\s*(\w+) as \($", re.MULTILINE)
ALIAS = re.compile(r"\b(?:from|join) \w+ as (\w+)")
MODELS = sorted(PROJECT.glob("models/**/*.sql"))


def shadowed(sql: str) -> set[str]:
    """Names with two meanings: two steps, or a step and an alias of another step."""
    steps = Counter(STEP.findall(sql))
    return {name for name, count in steps.items() if count > 1} | (
        set(steps) & set(ALIAS.findall(sql))
    )


def test_no_step_shadows_another() -> None:
    found = {model.stem: shadowed(model.read_text()) for model in MODELS}
    assert {name: names for name, names in found.items() if names} == {}
    assert any(STEP.search(model.read_text()) for model in MODELS)


def test_a_shadow_is_found() -> None:
    steps = "with\n\nruns as (\n    select 1\n),\n\n"
    nested = "late as (\n    with\n    runs as (\n    select 2\n))"
    assert shadowed(steps + nested) == {"runs"}
    alias = "late as (\n    select 2\n)\nselect * from late as runs"
    assert shadowed(steps + alias) == {"runs"}
