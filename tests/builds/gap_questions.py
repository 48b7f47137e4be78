"""A model to compare with the delivered records of the trap lake, and its gaps, worked out by hand.

The rules are in docs/answers.md, "Delivery gaps".
"""

Expected = tuple[str | None, str, str, str | None, str | None, str | None]

# the batch ends of its runs
SECOND_RUN, THIRD_RUN = "2025-03-01 01:05:00", "2025-03-01 02:05:00"
# the numbers and times are written in another way than in the payloads
MODEL = """(select id, mail, age, timestamp'2000-01-01 02:00:00+02:00' as born from values
    ('amy', 'one@x', 5), ('ben', 'two@x', 5), ('cat', 'two@x', 5), ('dot', 'one@x', 5),
    ('hal', 'two@x', 5), ('jon', 'two@x', 5), ('new', 'one@x', 5), ('pat', 'two@x', 5),
    ('rex', 'one@x', 6), ('sam', 'one@x', 5), ('sam', 'two@x', 5), ('una', 'one@x', 5),
    ('zed', 'one@x', 5),
    (null, 'one@x', 5), (null, 'one@x', 5) as model (id, mail, age))"""
SENT_MODEL = f"(select * from {MODEL} where id not in ('pat', 'new'))"
ARGUMENTS = "key='id', sync_id='gaps', compare=['mail', 'age', 'born']"

# row_id, gap, reason, since_at, failure_reason, differing_columns
MODEL_GAPS: list[Expected] = [
    ("ben", "stale", "failing", SECOND_RUN, "no", '["mail"]'),
    ("cat", "stale", "not attempted", SECOND_RUN, None, '["mail"]'),
    ("dot", "missing", "removed", THIRD_RUN, None, None),
    ("eve", "extra", "removal failed", THIRD_RUN, "no", None),
    ("fay", "extra", "removal not attempted", THIRD_RUN, None, None),
    ("gus", "extra", "not removed", None, None, None),
    ("hal", "missing", "failing", SECOND_RUN, "no", None),
    ("jon", "missing", "not attempted", SECOND_RUN, None, None),
    ("new", "missing", "never sent", None, None, None),
    ("pat", "stale", "failing", SECOND_RUN, "no", '["mail"]'),
    ("rex", "stale", "not sent", None, None, '["age"]'),
    ("una", "unknown", "payload not in the log", THIRD_RUN, "no", None),
    ("vic", "extra", "removal failed", THIRD_RUN, "no", None),
    ("zed", "missing", "failing", THIRD_RUN, "no", None),
    (None, "missing", "no key", None, None, None),
    (None, "missing", "no key", None, None, None),
]
LEFT_OUT: dict[str | None, Expected] = {
    "new": ("new", "missing", "left out", None, None, None),
    "pat": ("pat", "stale", "left out", SECOND_RUN, "no", '["mail"]'),
}
# gap, reason, record_count, sample_identifiers, since_at
COUNTS = [
    ("extra", "not removed", 1, '["gus"]', None),
    ("extra", "removal failed", 2, '["eve","vic"]', THIRD_RUN),
    ("extra", "removal not attempted", 1, '["fay"]', THIRD_RUN),
    ("missing", "failing", 2, '["hal","zed"]', SECOND_RUN),
    ("missing", "never sent", 1, '["new"]', None),
    ("missing", "no key", 2, "[]", None),
    ("missing", "not attempted", 1, '["jon"]', SECOND_RUN),
    ("missing", "removed", 1, '["dot"]', THIRD_RUN),
    ("none", None, 2, "[]", None),
    ("stale", "failing", 2, '["ben","pat"]', SECOND_RUN),
    ("stale", "not attempted", 1, '["cat"]', SECOND_RUN),
    ("stale", "not sent", 1, '["rex"]', None),
    ("unknown", "payload not in the log", 1, '["una"]', THIRD_RUN),
]
# ida was aborted after it had been refused, which is what needs a repair; only a delete says why a
# record is still there
RETOLD: list[tuple[str, str, str, str | None, str | None]] = [
    ("ida", "missing", "failing", "2025-03-01 00:05:00", "no"),
    ("kit", "extra", "removal not attempted", THIRD_RUN, "no"),
    ("lou", "extra", "removal failed", THIRD_RUN, "no"),
]
# sync, keys of the model, the gaps: what was appended stays sent, and a replacing run leaves out.
# Another organisation also has the sync `mirrored`, to which only kim was sent.
OTHER_SYNCS = [
    ("events", ["e1", "e2", "e3"], [("e2", "missing", "failing"), ("e3", "missing", "never sent")]),
    (
        *("mirrored", ["kim", "lea"]),
        [("kim", "missing", "replaced"), ("lea", "missing", "never sent")],
    ),
    ("unheard of", ["kim"], [("kim", "missing", "never sent")]),
]
