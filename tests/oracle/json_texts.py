"""JSON texts, read as strictly as Spark reads them."""

import json
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

# Deeper nesting counts as invalid JSON, whatever Python's own limit is.
MOST_LEVELS = 1000
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def parse_json(
    text: str, object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None
) -> Any:
    """Parse a JSON text. Raises `ValueError` if it is invalid or nested too deeply."""
    levels = accumulate(STEPS.get(character, 0) for character in STRINGS.sub("", text))
    if max(levels, default=0) > MOST_LEVELS:
        raise ValueError(f"at most {MOST_LEVELS} levels of nesting are read")
    return json.loads(text, object_pairs_hook=object_pairs_hook, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
