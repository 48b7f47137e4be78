"""Failure patterns that say the same in other words (docs/answers.md, Error clusters)."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from .answers_errors import Rules, error_patterns
from .answers_facts import SyncFacts
from .rows import Row
from .values import byte_order, earliest, latest

MOST_PATTERNS = 2000
# Distances are whole millionths, so that sums and comparisons are exact.
MILLION = 1_000_000
TOO_FAR = Fraction(58 * MILLION, 100)

PLACEHOLDER = re.compile("<[^<>]*>")
CAMEL_CASE = re.compile("([a-z])([A-Z])")
NEGATED = re.compile(
    "(?:in|un)((?:valid|correct|sufficient|known|supported|recogni|authori|available).*)"
)
WITHOUT_MEANING = (
    "a again an and are as at be been by ca can for from had has have id in is it its of on or "
    "please that the these this those to try was were with you your"
)
ENDINGS = ("ing", "es", "ed", "s", "e")
LEAST_LETTERS = 4

PatternRows = Sequence[dict[str, Any]]


def error_clusters(
    all_facts: Sequence[SyncFacts], rules: Rules, most_patterns: int = MOST_PATTERNS
) -> list[Row]:
    """Shape the rows of `error_clusters`; all syncs take part, those with a changelog are shown."""
    all_rows = _rows_of(all_facts, rules)
    shown = _rows_of([facts for facts in all_facts if facts.kept.keep_changelog], rules)
    part = _in_order(all_rows)[:most_patterns]
    found = [
        [row for row in shown if row["failure_pattern"] in patterns]
        for patterns in clusters_of(part)
    ]
    clusters = [_cluster_row(rows) for rows in found if rows]
    clusters.sort(key=_cluster_order)
    return [{"cluster_number": number, **row} for number, row in enumerate(clusters, start=1)]


def words_of(pattern: str) -> list[str]:
    """List the words of a pattern that count, without their endings."""
    text = CAMEL_CASE.sub(r"\1 \2", PLACEHOLDER.sub(" ", pattern)).lower()
    text = text.replace("n't", " not").replace("n\u2019t", " not").replace("e-mail", "email")
    runs = "".join(one if one.isalpha() else " " for one in text).split()
    words = [word for run in runs for word in _without_negation(run)]
    return [_without_ending(word) for word in words if word not in WITHOUT_MEANING.split()]


def weights_of(patterns: Sequence[str]) -> list[dict[str, float]]:
    """Weigh the words of each pattern: more if they repeat in it, less if many patterns have it."""
    counts = [Counter(words_of(pattern)) for pattern in patterns]
    with_word = Counter(word for its_counts in counts for word in its_counts)
    rarity = {
        word: 1 + math.log((1 + len(patterns)) / (1 + with_it))
        for word, with_it in with_word.items()
    }
    return [
        {word: (1 + math.log(count)) * rarity[word] for word, count in its_counts.items()}
        for its_counts in counts
    ]


def distance(one: dict[str, float], other: dict[str, float]) -> int:
    """Return the distance of two patterns from their weights, in millionths."""
    if not one or not other:
        return MILLION
    product = sum(weight * other.get(word, 0.0) for word, weight in one.items())
    cosine = product / math.hypot(*one.values()) / math.hypot(*other.values())
    return round((1 - cosine) * MILLION)


def clusters_of(patterns: Iterable[str]) -> list[list[str]]:
    """Cluster patterns; of pairs with the same average, that of the first patterns comes first."""
    ordered = sorted(patterns, key=byte_order)
    weights = weights_of(ordered)
    # A cluster has the number of its first pattern.
    members = {number: [pattern] for number, pattern in enumerate(ordered)}
    sums = {(a, b): distance(weights[a], weights[b]) for a, b in combinations(members, 2)}
    while sums:
        averages = {
            (a, b): Fraction(total, len(members[a]) * len(members[b]))
            for (a, b), total in sums.items()
        }
        nearest = min(averages, key=lambda pair: (averages[pair], pair))
        if averages[nearest] >= TOO_FAR:
            break
        left, gone = nearest
        members[left] += members.pop(gone)
        del sums[nearest]
        for other in members.keys() - {left}:
            sums[_pair(left, other)] += sums.pop(_pair(gone, other))
    return list(members.values())


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _without_negation(word: str) -> list[str]:
    if word == "cannot":
        return ["not"]
    negated = NEGATED.fullmatch(word)
    return ["not", negated[1]] if negated else [word]


def _without_ending(word: str) -> str:
    singular = f"{word.removesuffix('ies')}y"
    if word.endswith("ies") and len(singular) >= LEAST_LETTERS:
        return singular
    if word.endswith(("ss", "us")):
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_LETTERS:
            return word.removesuffix(ending)
    return word


def _rows_of(all_facts: Sequence[SyncFacts], rules: Rules) -> PatternRows:
    rows = error_patterns(all_facts, rules)
    return [row for row in rows if row["failure_pattern"] is not None]


def _in_order(rows: PatternRows) -> list[str]:
    """List the patterns of rows: most open records, then most changelog rows, then by bytes."""
    opened: Counter[str] = Counter()
    attempts: Counter[str] = Counter()
    for row in rows:
        opened[row["failure_pattern"]] += row["open_record_count"]
        attempts[row["failure_pattern"]] += row["attempt_count"]
    return sorted(attempts, key=lambda one: (-opened[one], -attempts[one], byte_order(one)))


def _cluster_row(rows: PatternRows) -> dict[str, Any]:
    patterns = _in_order(rows)
    first = min(rows, key=_row_order)
    return {
        "representative_pattern": patterns[0],
        "failure_patterns": patterns,
        "pattern_count": len(patterns),
        "open_record_count": sum(row["open_record_count"] for row in rows),
        "attempt_count": sum(row["attempt_count"] for row in rows),
        "sync_count": len({(row["organization_id"], row["sync_id"]) for row in rows}),
        "vendors": sorted({row["vendor"] for row in rows} - {None}, key=byte_order),
        "first_seen_at": earliest(row["first_seen_at"] for row in rows),
        "last_seen_at": latest(row["last_seen_at"] for row in rows),
        "category": first["category"],
        "is_transient": first["is_transient"],
        "hint": first["hint"],
    }


def _row_order(row: dict[str, Any]) -> tuple[Any, ...]:
    names = [row[name] for name in ("organization_id", "sync_id", "failure_pattern")]
    return -row["open_record_count"], -row["attempt_count"], *map(byte_order, names)


def _cluster_order(row: dict[str, Any]) -> tuple[Any, ...]:
    name = byte_order(row["representative_pattern"])
    return -row["open_record_count"], -row["attempt_count"], name
