"""Failure patterns in clusters (docs/answers.md): expected values worked out by hand."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from oracle import ANSWER_COLUMNS, ErrorRule, answers_clusters, compute_answers, read_answer
from oracle.answers import answers_of
from oracle.answers_clusters import clusters_of, distance, error_clusters, weights_of, words_of
from oracle.answers_facts import Kept, facts_of
from oracle.building import at, batch, lake_of, row, sent
from oracle.building_hightouch import logged, seen
from oracle.cluster_examples import example_groups
from oracle.hightouch import runs_of
from oracle.history import in_order, read_runs, read_syncs
from oracle.lake import BatchFile
from oracle.retention import Purge
from oracle.sources import LAKE
from specification.small_lake_answers import AS_OF, Rows, answers, failed, picked
from specification.small_retention import before, built, kept


def clusters(*files: BatchFile, **more: Any) -> Rows:
    return answers(*files, **more)["error_clusters"]


def fails(place: str, ended: int, **messages: str | None) -> BatchFile:
    """Write a run of a sync ("organisation sync") in which records fail with messages."""
    organization, sync = place.split()
    rows = [failed(key, message, ended) for key, message in messages.items()]
    return batch(str(ended), *rows, organization=organization, sync=sync)


def sets(patterns: list[str]) -> set[frozenset[str]]:
    return {frozenset(found) for found in clusters_of(patterns)}


def one_by_one(*patterns: str) -> set[frozenset[str]]:
    return {frozenset([one]) for one in patterns}


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        # what the steps before have put in, but nothing with another bracket in it
        ("no <email address>here<id>", "no here"),
        ("no <big <red blue>> tall", "no big tall"),
        ("lastName FOOBar Foo__c lastÄrger xY", "last name foobar foo c lastärger x y"),
        ("It isn't, DON'T and didn\u2019t", "not do not did not"),
        ("row1of2 naïve Größe ² 日本 e\u0301", "row naïv größ 日本 e"),
        ("Can not and cannot", "not not"),
        ("Invalid invalidity incorrectly", "not valid not validity not correctly"),
        ("insufficient unknown unsupported", "not sufficient not known not support"),
        ("unrecognised unauthorized unavailable", "not recognis not authoriz not availabl"),
        # only at the beginning, and only these
        ("reinvalid invoice inner united isinvalid", "reinvalid invoic inner unit isinvalid"),
        ("a again an and are as at be been by ca can for from had has have id in is it its", ""),
        ("of on or please that the these this those to try was were with you your", ""),
        # the words in the list are compared before their endings go
        ("yours ids not no do does if will", "your ids not no do does if will"),
        ("missing sing limited used bus", "miss sing limit used bus"),
        ("values value dates addresses address", "valu valu date address address"),
        ("properties property ties flies status", "property property ties flie status"),
        ("expire expires expired E-Mail e mail", "expir expir expir email e mail"),
        # only one ending goes
        ("settings beings", "setting being"),
        ("404", ""),
        ("", ""),
    ],
)
def test_words(pattern: str, words: str) -> None:
    assert words_of(pattern) == words.split()


# Of two patterns, both have red: 1 + ln(3/3) = 1; one has blue: 1 + ln(3/2) = 1.405465. The first
# has red twice: 1 + ln 2 = 1.693147. Cosine: 1.693147 / √(1.693147² + 1.405465²) = 0.769447.
def test_weights_and_distance() -> None:
    one, other = weights_of(["red blue red", "red"])
    assert one == pytest.approx({"red": 1.693147, "blue": 1.405465}, abs=1e-6)
    assert other == {"red": 1}
    assert (distance(one, other), distance(other, one)) == (230_553, 230_553)
    # patterns without words count, too: 1 + ln(4/3) and 1 + ln(4/2)
    one, other, without = weights_of(["red blue red", "red", "404"])
    assert one == pytest.approx({"red": 1.693147 * 1.287682, "blue": 1.693147}, abs=1e-6)
    assert (distance(without, one), distance(without, without)) == (1_000_000, 1_000_000)
    same = weights_of(["not valid mail <x>", "Invalid mails", "tall"])
    assert (distance(same[0], same[1]), distance(same[0], same[2])) == (0, 1_000_000)


# Red in two of two patterns weighs 1, any other word 1.405465. With one other word in each pattern,
# the cosine is 1 / (1 + 1.975332) = 0.336; with two words in common, it is 2 / 3.975332 = 0.503.
def test_a_pair() -> None:
    assert sets(["red blue", "red tall"]) == one_by_one("red blue", "red tall")
    assert sets(["red soft blue", "red soft tall"]) == {
        frozenset(["red soft blue", "red soft tall"])
    }
    assert sets(["", "404", "500", "<id>"]) == one_by_one("", "404", "500", "<id>")
    assert sets(["red"]) == one_by_one("red")
    assert sets([]) == set()


# Of n patterns, two have red: 1 + ln((1 + n)/3); other words are in one: 1 + ln((1 + n)/2). So the
# distance of these two is 0.580499 if there are eight others, and 0.577827 if there are nine.
def test_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = ["red blue", "red tall"]
    others = ["soft", "wide", "loud", "grey", "cold", "warm", "dark", "thin", "slow"]
    assert sets([*pair, *others[:8]]) == one_by_one(*pair, *others[:8])
    assert sets([*pair, *others]) == {frozenset(pair), *one_by_one(*others)}
    for millionths, count in ((580_000, 2), (579_999, 1)):
        monkeypatch.setattr(answers_clusters, "distance", lambda *_, far=millionths: far)
        assert len(sets(pair)) == count


# Red is in three of four: 1 + ln(5/4) = 1.223144; blue in two: 1 + ln(5/3) = 1.510826; the others
# 1 + ln(5/2) = 1.916291. Distances: red - red blue 0.370772, red - red soft 0.461971,
# red blue - red soft 0.661457, red blue - blue tall 0.518799; of all others, 1.
# First red + red blue. On average, red soft is 0.561714 away, blue tall 0.759400.
# By the nearest patterns, blue tall would be near; by the farthest ones, red soft would not be.
def test_average_distance() -> None:
    patterns = ["red", "red blue", "red soft", "blue tall"]
    expected = {frozenset(["red", "red blue", "red soft"]), frozenset(["blue tall"])}
    assert all(sets(list(one)) == expected for one in permutations(patterns))


# Three words are in three of four (1.223144), tall in two (1.510826). The long ones are at most
# 0.285435 apart. Red is 0.422650, 1 and 0.529936 away: 0.650862, as each pattern counts once. If
# the last two, which join first, counted as one, it would be (0.422650 + 0.764968) / 2 = 0.593809.
def test_every_pattern_counts_once() -> None:
    long = ["red blue soft", "blue tall soft", "red blue tall soft"]
    expected = {frozenset(["red"]), frozenset(long)}
    assert all(sets(list(one)) == expected for one in permutations(["red", *long]))


# Red weighs 1; blue and tall, in two of three patterns, 1.287682. The first two are 0.623795 apart,
# and 0.215244 from the third. So the last step joins patterns that are 0.419520 apart on average.
def test_a_pattern_between_others() -> None:
    patterns = ["red blue", "red tall", "red blue tall"]
    assert sets(patterns) == {frozenset(patterns)}


def test_examples() -> None:
    groups = example_groups()
    patterns = [pattern for group in groups for pattern in group]
    assert len(set(patterns)) == len(patterns)
    for ordered in (patterns, patterns[::-1]):
        assert sorted(sorted(found) for found in clusters_of(ordered)) == groups


RULES = (
    ErrorRule("Invalid", "addresses", 1, False, "correct them"),
    ErrorRule("not valid", "others", 2, True),
)
INVALID, NOT_VALID = "Invalid email", "Email is not valid"
# Open: two and none with the first pattern, one and two with the second one.
FILES = (
    fails("o s", 3, a=INVALID, b=INVALID),
    fails("o t", 4, a=NOT_VALID, b=INVALID, c="slow"),
    fails("o t", 2, b=INVALID),
    sent("9", 9, "b", sync="t"),
    fails("p s", 5, a=NOT_VALID, b=NOT_VALID, c="slow"),
)


def test_rows() -> None:
    found = clusters(*FILES, rules=RULES)
    assert all(tuple(one) == ANSWER_COLUMNS["error_clusters"] for one in found)
    assert found == [
        {
            **{"cluster_number": 1, "representative_pattern": NOT_VALID},
            **{"failure_patterns": [NOT_VALID, INVALID], "pattern_count": 2},
            **{"open_record_count": 5, "attempt_count": 7, "sync_count": 3},
            **{"vendors": ["census"], "first_seen_at": at(2), "last_seen_at": at(5)},
            # of the rows with two open records and two attempts, that of the first organisation
            **{"category": "addresses", "is_transient": False, "hint": "correct them"},
        },
        {
            **{"cluster_number": 2, "representative_pattern": "slow"},
            **{"failure_patterns": ["slow"], "pattern_count": 1},
            **{"open_record_count": 2, "attempt_count": 2, "sync_count": 2},
            **{"vendors": ["census"], "first_seen_at": at(4), "last_seen_at": at(5)},
            **{"category": "uncategorised", "is_transient": None, "hint": None},
        },
    ]
    assert clusters(*reversed(FILES), rules=RULES) == found
    # in a built table, the lists are JSON
    texts = {"failure_patterns": f'["{NOT_VALID}","{INVALID}"]', "vendors": '["census"]'}
    assert read_answer(found[0] | texts) == found[0]


# By open records, then attempts, then bytes: representatives, ranks, and the row of the category.
def test_orders() -> None:
    files = [fails("o s", 1, a="Zinc", b="copper", c="Écru", d="lead", e="tin")]
    columns = "cluster_number representative_pattern open_record_count attempt_count"
    assert picked(clusters(*files, sent("3", 3, "e"), fails("o s", 2, d="lead")), columns) == [
        *[(1, "lead", 1, 2), (2, "Zinc", 1, 1), (3, "copper", 1, 1), (4, "Écru", 1, 1)],
        (5, "tin", 0, 1),
    ]
    first, second, third = "Zinc bad", "bad, zinc", "bad: zinc"
    for messages, patterns in (
        ((third, second, first), [first, second, third]),
        ((third, second, third), [third, second]),
    ):
        found = clusters(fails("o s", 1, **dict(zip("abc", messages, strict=True))))
        assert picked(found, "representative_pattern failure_patterns") == [(patterns[0], patterns)]


# The row decides, not the sum: more open records, then attempts, then organisation, sync, pattern.
@pytest.mark.parametrize(
    ("files", "hint"),
    [
        ((fails("o s", 1, a=NOT_VALID, b=NOT_VALID), fails("o t", 1, a=INVALID)), None),
        ((fails("o t", 1, a=NOT_VALID), fails("o s", 1, a=INVALID)), "correct them"),
        ((fails("p a", 1, a=NOT_VALID), fails("o s", 1, a=INVALID)), "correct them"),
        ((fails("o s", 1, a=INVALID, b=NOT_VALID),), None),
        (
            (fails("o s", 1, a=NOT_VALID), *[fails("o t", n, a=INVALID) for n in (1, 2)]),
            "correct them",
        ),
        (
            (fails("o s", 1, a=NOT_VALID), fails("o t", 1, a=INVALID), sent("2", 2, "a")),
            "correct them",
        ),
    ],
)
def test_the_row_of_the_category(files: tuple[BatchFile, ...], hint: str | None) -> None:
    assert picked(clusters(*files, rules=RULES), "hint") == [(hint,)]


def test_a_null_pattern_is_none() -> None:
    found = clusters(fails("o s", 1, a=None, b="", c="404", d="<x>"), fails("o t", 1, a=None))
    columns = "representative_pattern pattern_count sync_count"
    assert picked(found, columns) == [("", 1, 1), ("404", 1, 1), ("<x>", 1, 1)]
    assert clusters(fails("o s", 1, a=None)) == []


def test_times_that_are_not_known() -> None:
    undated = batch("x", row("a", "upsert", "rejected", message="no"))
    columns = "first_seen_at last_seen_at"
    assert picked(clusters(undated, fails("o t", 2, a="no")), columns) == [(at(2), at(2))]
    assert picked(clusters(undated), columns) == [(None, None)]


def test_vendors() -> None:
    theirs = runs_of(seen(logged("1", "a", status="failed", failure_reason="slow")))
    ours = read_runs(lake_of(fails("p s", 1, a="slow"), fails("p t", 1, a="slow")))
    facts = [facts_of(sync) for sync in in_order([*theirs, *ours], AS_OF)]
    assert picked(answers_of(facts, AS_OF)["error_clusters"], "vendors sync_count") == [
        (["census", "hightouch"], 3)
    ]
    unknown: Any = None
    lake = replace(lake_of(FILES[0]), source=replace(LAKE, vendor=unknown))
    assert picked(compute_answers(lake, AS_OF)["error_clusters"], "vendors") == [([],)]


# Red and the long one are 0.654795 apart, but with red blue between them only 0.545990 on average
# (red weighs 1, blue 1.287682, the others 1.693147). Without it, they are 0.620 apart.
def test_a_sync_whose_changelog_is_not_kept() -> None:
    long = "red blue tall soft"
    files = [fails("o s", 1, a="red", b=long), fails("o t", 2, a="red blue", b="red", c="tin")]

    def with_settings(**values: Any) -> Rows:
        return kept(*files, sync="t", **values).answers()["error_clusters"]

    columns = "cluster_number failure_patterns open_record_count attempt_count sync_count"
    whole = [(1, ["red", "red blue", long], 4, 4, 2), (2, ["tin"], 1, 1, 1)]
    assert picked(with_settings(), columns) == whole
    assert picked(with_settings(keep_runs=False, keep_snapshot=False), columns) == whole
    hidden = with_settings(keep_changelog=False)
    assert picked(hidden, columns) == [(1, ["red", long], 2, 2, 1)]
    assert picked(hidden, "pattern_count last_seen_at") == [(2, at(1))]
    assert len(clusters(files[0])) == 2
    # here the order of what is shown is that of the records that are shown
    files = [fails("o s", 1, a="Tin", b="tin", c="tin"), fails("o t", 1, a="Tin", b="Tin")]
    assert picked(with_settings(), "representative_pattern") == [("Tin",)]
    assert picked(with_settings(keep_changelog=False), "representative_pattern") == [("tin",)]


# The most open records, then attempts, in all syncs; then bytes. Others are in no cluster.
def test_most_patterns() -> None:
    files = (
        fails("o s", 1, a="red", b="red", c="blue", d="tall", e="soft"),
        fails("o s", 2, d="tall"),
        fails("o t", 1, a="soft", b="grey", c="grey", d="grey"),
    )
    kept = {"s": Kept(), "t": Kept(keep_changelog=False)}
    facts = [facts_of(one, kept[one.sync_id]) for one in read_syncs(lake_of(*files), AS_OF)]
    for most, patterns in enumerate(
        ([], [], ["red"], ["red", "soft"], ["red", "soft", "tall"], ["blue", "red", "soft", "tall"])
    ):
        found = error_clusters(facts, (), most)
        assert sorted(str(one["representative_pattern"]) for one in found) == patterns


# A pruned run still counts. A record that was purged does not, so other words weigh less or more.
def test_pruned_and_purged() -> None:
    files = (fails("o s", 1, a="red", b="red blue"), fails("o s", 2, c="red blue tall soft"))
    whole = built(*files)
    expected = compute_answers(lake_of(*files), AS_OF)["error_clusters"]
    assert len(expected) == 1
    pruned = whole.after_prune(before(9)).built()
    assert whole.answers()["error_clusters"] == pruned.answers()["error_clusters"] == expected
    # the next build with news clusters what is left
    purged = pruned.after_purge(Purge("o", "b")).built(lake_of(sent("9", 9, "z")), AS_OF)
    found = purged.answers()["error_clusters"]
    assert picked(found, "representative_pattern") == [("red",), ("red blue tall soft",)]
