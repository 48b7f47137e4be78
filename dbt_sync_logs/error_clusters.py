"""Failure patterns that say the same in other words.

The model `int_patterns__clustered` calls it. Patterns are compared by their words: TF-IDF weights,
cosine distance, average linkage; the rules are in docs/answers.md. scikit-learn computes it and is
an extra: `dbt-sync-logs[clusters]`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# another version computes the clusters again even if no pattern is new
RULES_VERSION = 1
# The distances of all pairs take 32 MB. Others, with the fewest open records, are left out.
MOST_PATTERNS = 2000
# average distance of two groups, from which on they are two
MOST_DISTANCE = 0.58

SCHEMA = "pattern_hash string, cluster_id int, rules_version int"
# what tells whether rows of an earlier load still hold
KEY = ("pattern_hash", "rules_version")

PLACEHOLDER = re.compile(r"<[^<>]*>")
CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
NEGATED = re.compile(
    r"(?:in|un)((?:valid|correct|sufficient|known|supported|recogni|authori|available).*)"
)
NOT = re.compile("n['\u2019]t")
STOP_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        "a again an and are as at be been by ca can for from had has have id in is it its of on or "
        "please that the these this those to try was were with you your",
    )
)
ENDING = re.compile(r"(?<=.{4})(?:ing|es|ed|s|e)$")
PLURAL = re.compile(r"(?<=.{3})ies$")


class NoClusteringError(Exception):
    """scikit-learn is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "error_clusters is empty: scikit-learn is not installed. "
            "Install it: pip install '<clone>[clusters]'"
        )


def most_open(patterns: Any) -> dict[str, str]:
    """{hash: pattern} of those that take part; rows of `int_error_patterns__counted`."""
    rows = (
        patterns.where("failure_pattern is not null")
        .groupBy("failure_pattern")
        .agg({"open_record_count": "sum", "attempt_count": "sum"})
        .selectExpr(
            "sha2(failure_pattern, 256) as pattern_hash",
            "failure_pattern",
            "-`sum(open_record_count)` as fewest_open",
            "-`sum(attempt_count)` as fewest_attempts",
        )
        .orderBy("fewest_open", "fewest_attempts", "failure_pattern")
        .limit(MOST_PATTERNS)
    )
    return {row["pattern_hash"]: row["failure_pattern"] for row in rows.collect()}


def are_of(patterns: Mapping[str, str], known: Iterable[Sequence[Any]]) -> bool:
    """Whether rows (KEY) of an earlier load are of these patterns and rules."""
    return {tuple(row) for row in known} == {(one, RULES_VERSION) for one in patterns}


def rows_of(patterns: Mapping[str, str]) -> list[tuple[str, int, int]]:
    """Rows (SCHEMA) of {hash: pattern}; without scikit-learn a line that says so, and none."""
    try:
        clusters = clustered(list(patterns.values()))
    except NoClusteringError as error:
        from dbt.adapters.events.logging import AdapterLogger

        AdapterLogger("sync_logs").info(str(error))
        return []
    return [(hash_, clusters[pattern], RULES_VERSION) for hash_, pattern in patterns.items()]


def words(pattern: str) -> list[str]:
    """The words that count, in order, with repeats."""
    text = CAMEL_CASE.sub(" ", PLACEHOLDER.sub(" ", pattern)).lower()
    text = NOT.sub(" not", text).replace("e-mail", "email")
    letters = "".join(one if one.isalpha() else " " for one in text)
    found = [part for word in letters.split() for part in _parts(word)]
    return [_without_ending(word) for word in found if word not in STOP_WORDS]


def _parts(word: str) -> tuple[str, ...]:
    negated = NEGATED.fullmatch(word)
    if negated:
        return ("not", negated[1])
    return ("not",) if word == "cannot" else (word,)


def _without_ending(word: str) -> str:
    if PLURAL.search(word):
        return f"{word[:-3]}y"
    return word if word.endswith(("ss", "us")) else ENDING.sub("", word)


def clustered(patterns: Sequence[str]) -> dict[str, int]:
    """The cluster of each pattern: the number of its first pattern in byte order, from 0.

    Depends only on the set of patterns, not on their order. Patterns without a word are clusters of
    their own. Raises NoClusteringError without scikit-learn.
    """
    try:
        from sklearn.cluster import AgglomerativeClustering
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.metrics.pairwise import cosine_distances
    except ImportError:
        raise NoClusteringError from None

    ordered = sorted(set(patterns))
    if len(ordered) < 2 or not any(words(one) for one in ordered):
        return {one: number for number, one in enumerate(ordered)}
    weights = TfidfVectorizer(analyzer=words, sublinear_tf=True).fit_transform(ordered)
    # rounded, so that machines that add in another order agree
    distances = cosine_distances(weights).round(6)
    groups = AgglomerativeClustering(
        n_clusters=None,
        metric="precomputed",
        linkage="average",
        distance_threshold=MOST_DISTANCE,
    ).fit_predict(distances)
    first: dict[int, int] = {}
    return {
        one: first.setdefault(group, number)
        for number, (one, group) in enumerate(zip(ordered, groups, strict=True))
    }
