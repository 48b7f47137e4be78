"""Parts of the viewer that need no warehouse."""

import io
import json
import logging
from datetime import datetime, timezone
from decimal import Decimal

import pyarrow.parquet as pq
import pytest
from starlette.datastructures import QueryParams

from sync_logs_viewer import settings
from sync_logs_viewer.exports import WRITERS
from sync_logs_viewer.masks import HIDDEN, Mask, MaskError, hashed, mask_of, masked_payload
from sync_logs_viewer.payloads import pretty
from sync_logs_viewer.serving import without_query
from sync_logs_viewer.warehouse.literals import literal, with_literals
from sync_logs_viewer.web import counting, formats
from sync_logs_viewer.web.counting import counts_of
from sync_logs_viewer.web.parameters import AddressError, Parameters, address, key_of, micros


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        ('{"a":1.10,"a":2}', '{\n  "a": 1.10,\n  "a": 2\n}'),
        ('{"n":12345678901234567890}', '{\n  "n": 12345678901234567890\n}'),
        ('{"a":{"b":[1,{"c":null}]},"d":[]}', None),
        ("[]", "[]"),
        ('"text"', '"text"'),
        ("not json", "not json"),
        ('{"a": NaN}', '{\n  "a": NaN\n}'),
        ("[" * 5000 + "]" * 5000, "[" * 5000 + "]" * 5000),
        ('{"é":"☃\\u0000"}', '{\n  "é": "☃\\u0000"\n}'),
    ],
)
def test_payloads_are_indented_and_keep_their_content(payload: str, shown: str | None) -> None:
    assert shown is None or pretty(payload) == shown
    assert "".join(pretty(payload).split()) == "".join(payload.split())


def test_masks() -> None:
    text = f'"{HIDDEN}"'
    mask = mask_of("identifiers:hashed, payload:email,payload:phone")
    assert mask == Mask("hashed", frozenset({"email", "phone"}))
    row = {
        "identifier": "Ann",
        "failure_reason": "Ann has ann@x twice",
        "record_payload": '{"email": "ann@x", "deep": [{"phone": 7}], "n": 1.10}',
    }
    assert mask.rows([row]) == [
        {
            "identifier": hashed("Ann"),
            "failure_reason": f"{HIDDEN} has {HIDDEN} twice",
            "record_payload": row["record_payload"].replace("ann@x", HIDDEN).replace("7", text),
        }
    ]
    assert mask.rows([{"row_id": None}]) == [{"row_id": None}]
    samples = mask.rows([{"sample_identifiers": '["Ann"]', "failure_reason": "no Ann"}])
    assert samples == [
        {"sample_identifiers": json.dumps([hashed("Ann")]), "failure_reason": f"no {HIDDEN}"}
    ]
    changed = {"field_name": "EMail", "previous_value": "a", "new_value": None}
    assert mask.rows([changed]) == [{**changed, "previous_value": HIDDEN}]
    inside = {"field_name": "home", "previous_value": '{"email": "a"}', "new_value": "[1"}
    assert mask.rows([inside]) == [
        {**inside, "previous_value": f'{{"email": {text}}}', "new_value": HIDDEN}
    ]
    assert mask.rows([{"field_name": "email", "change_count": 1}])[0]["change_count"] == 1
    # in a row, an identifier that looks like a hash is masked like any other
    assert mask.asked(hashed("Ann")) == hashed("Ann")
    assert mask.identifier(hashed("Ann")) == hashed(hashed("Ann"))
    assert mask.rows([{"record_payload": "email: ann@x"}]) == [{"record_payload": HIDDEN}]
    nested = {"record_payload": '{"email": {"work": "ann@x", "all": ["bob@x"]}}'}
    (shown,) = mask.rows([{**nested, "failure_reason": "ann@x, bob@x"}])
    assert shown["failure_reason"] == f"{HIDDEN}, {HIDDEN}"
    whole = {"field_name": None, "previous_value": "email: ann@x", "new_value": None}
    assert mask.rows([whole]) == [{**whole, "previous_value": HIDDEN}]
    assert mask_of(None).rows([row]) == [row]


def test_the_longest_secret_is_hidden_first() -> None:
    """A secret that begins with another one must not leave its rest in the message."""
    row = {"record_payload": '{"a": "Ann", "b": "Annabel"}', "failure_reason": "Annabel is Ann"}
    (shown,) = mask_of("payload:a,payload:b").rows([row])
    assert shown["failure_reason"] == f"{HIDDEN} is {HIDDEN}"


@pytest.mark.parametrize("setting", ["identifiers", "identifiers:secret", "payload:", "x"])
def test_a_mask_that_is_wrong_is_refused(setting: str) -> None:
    with pytest.raises(MaskError, match="SYNC_LOGS_MASK has"):
        mask_of(setting)


def test_no_text_breaks_out_of_a_literal() -> None:
    assert literal("o'x\\") == "cast(X'6f27785c' as string)"
    assert literal(None) == "null"
    assert literal(True) == "true"
    assert with_literals("a = :a and b::int > :b_c", {"a": ":b_c", "b_c": 1}) == (
        "a = cast(X'3a625f63' as string) and b::int > 1"
    )
    with pytest.raises(KeyError):
        with_literals(":missing", {})


def test_invisible_characters_are_shown() -> None:
    assert formats.text("a\u202eb\x00<i>") == (
        'a<span class="unseen">U+202E</span>b<span class="unseen">U+0000</span>&lt;i&gt;'
    )
    assert "null" in formats.identifier(None)
    assert "empty" in formats.identifier("")
    assert formats.identifier("x" * 300).endswith("…</bdi>")


@pytest.mark.parametrize(
    ("share", "words"),
    [(1.0, "100 %"), (0.99999, "> 99.9 %"), (0.00001, "< 0.1 %"), (0.0, "0 %"), (None, "\u2013")],
)
def test_a_share_is_never_rounded_to_all_or_none(share: float | None, words: str) -> None:
    assert formats.percent(share) == words


@pytest.mark.parametrize(
    ("hours", "words"),
    [(0.5, "30 min"), (1.0, "1.0 h"), (47.96, "48.0 h"), (60.0, "2.5 days"), (None, "\u2013")],
)
def test_hours(hours: float | None, words: str) -> None:
    assert formats.hours(hours) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((0.0, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (83.2, "1 min 23 s")),
        *((3599.4, "59 min 59 s"), (3599.6, "1 h 0 min"), (7322.0, "2 h 2 min")),
        (None, "\u2013"),
    ],
)
def test_durations(seconds: float | None, words: str) -> None:
    assert formats.duration(seconds) == words


def test_few_different_values_are_a_number() -> None:
    """The share of each possible count leads back to it, whatever the numbers of payloads."""
    for present in (*range(1, 60), 9_999, 10_000):
        for null in {0, 1, present // 3, present - 1} & {*range(present)}:
            values = present - null
            for count in {1, 2, 9, 10, 11, values} & {*range(1, values + 1)}:
                field = {"present_count": present, "null_share": null / present}
                shown = formats.different_values({**field, "distinct_share": count / values})
                words = f"{count} value{'s' if count > 1 else ''}"
                assert shown == (words if count <= 10 else formats.percent(count / values))
    nothing = {"present_count": 3, "null_share": 1.0, "distinct_share": None}
    assert formats.different_values(nothing) == "\u2013"


@pytest.mark.parametrize(
    ("value", "rule", "words"),
    [
        *((0.05, "rejection_rate", "5 %"), (1.0, "full_resync", "100 %")),
        *((5.0, "new_error_pattern", "5"), (20_000.0, "old_failures", "20,000")),
        *((3.4567, "late", "3.46"), (float("inf"), "record_count", "inf")),
    ],
)
def test_what_a_rule_measures(value: float, rule: str, words: str) -> None:
    assert formats.figure(value, rule) == words


def test_json_has_no_infinity() -> None:
    assert formats.as_data({"value": float("inf"), "threshold": 0.5}) == {
        **{"value": None, "threshold": 0.5}
    }


def test_times_of_addresses() -> None:
    assert micros("2026-01-31T06:00:00Z") == micros("2026-01-31T07:00:00+01:00")
    assert micros("1970-01-01") == 0
    at = datetime(2026, 1, 31, 6, 0, 0, 5, timezone.utc)
    assert micros(formats.exact(at)) == micros("2026-01-31T06:00:00.000005Z")
    for wrong in ("noon", "2026-13-01"):
        with pytest.raises(ValueError, match=r"month|Invalid|range"):
            micros(wrong)


AT = datetime(2026, 1, 31, 6, tzinfo=timezone.utc)
KEY = (str, None, str, int)


def key_in(text: str) -> object:
    return Parameters(QueryParams({"after": text}), ("after",), Mask()).key("after", *KEY)


def test_keys_come_back_as_they_were_given() -> None:
    for given in (("load", 10**20, "b/☃?.parquet", 2), ("", None, "", 0)):
        assert key_in(key_of(*given)) == given
    assert key_in(key_of("load", Decimal(7), "b", 2)) == ("load", 7, "b", 2)


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "e30", "%ff", "W1tb", key_of("load", 7, "b", 2)[:-3], key_of(), key_of("load")),
        *(key_of("l", 10**39, "f", 2), key_of("l", 1, "f", 2**63), key_of("l", 1, None, 2)),
        *(key_of("l", True, "f", 2), key_of("l", 1, "f", 2.5), key_of("l", 1, "\ud800", 2)),
        *(key_of("l", 1, "f", 2, 3), key_of(["l"], 1, "f", 2)),
    ],
)
def test_a_key_that_no_page_gave_is_refused(wrong: str) -> None:
    with pytest.raises(AddressError, match="is not from a link"):
        key_in(wrong)


def test_lone_surrogates_and_deep_payloads_are_shown() -> None:
    half = '{"a":"\\ud83d"}'
    assert pretty(half) == '{\n  "a": "\\ud83d"\n}'
    assert masked_payload(half, frozenset({"x"})) == '{"a": "\\ud83d"}'
    assert masked_payload("[" * 600 + "]" * 600, frozenset({"x"})) == HIDDEN
    payload = '{"e": "ann@x", "E": "bob@y", "e": 1}'
    twice = {"record_payload": payload, "failure_reason": "ann@x, bob@y", "payload_length": 36}
    (row,) = mask_of("payload:e").rows([twice])
    assert row["failure_reason"] == f"{HIDDEN}, {HIDDEN}"
    assert row["record_payload"] == payload.replace("ann@x", HIDDEN).replace(
        "bob@y", HIDDEN
    ).replace("1", f'"{HIDDEN}"')
    assert row["payload_length"] == len(row["record_payload"])


def test_addresses_carry_any_text() -> None:
    hostile = "a/b?c&d=#e%2F ☃\x00"
    made = address("/record", {"identifier": hostile, "at": None, "text": ""})
    assert dict(QueryParams(made.partition("?")[2])) == {"identifier": hostile, "text": ""}


@pytest.mark.parametrize("kind", list(WRITERS))
def test_files_without_rows_are_valid(kind: str) -> None:
    written = b"".join(WRITERS[kind](["a", "b"], []))
    assert kind != "csv" or written == b"a,b\r\n"
    assert kind != "jsonl" or written == b""
    assert kind != "parquet" or pq.read_table(io.BytesIO(written)).num_rows == 0


def test_parquet_of_records_has_the_same_types_whatever_their_values() -> None:
    names = ["identifier", "batch_number", "batch_ended_at", "row_index"]
    empty: dict[str, object] = dict.fromkeys(names)
    full = {
        "identifier": "a",
        "batch_number": Decimal(10**20),
        "batch_ended_at": AT,
        "row_index": 1,
    }
    schemas = [
        pq.read_schema(io.BytesIO(b"".join(WRITERS["parquet"](names, rows))))
        for rows in ([], [empty], [full])
    ]
    assert schemas[0] == schemas[1] == schemas[2]


def test_headers_of_a_csv_are_not_formulas() -> None:
    written = b"".join(WRITERS["csv"](["=a"], [{"=a": "\ttab"}])).decode()
    assert written == "'=a\r\n'\ttab\r\n"


@pytest.mark.parametrize("given", ["eighty", "-1", "99999"])
def test_an_invalid_port_is_refused(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("SYNC_LOGS_VIEWER_PORT", given)
    with pytest.raises(settings.SettingError, match="expected a whole number from 0 to 65535"):
        settings.port()


def test_the_access_log_has_no_query_strings() -> None:
    line = '%s - "%s %s HTTP/%s" %d'
    asked = ("127.0.0.1:1", "GET", "/record?identifier=secret", "1.1", 200)
    record = logging.LogRecord("uvicorn.access", logging.INFO, "", 0, line, asked, None)
    assert without_query(record)
    assert record.getMessage() == '127.0.0.1:1 - "GET /record HTTP/1.1" 200'


def test_the_counts_of_a_run_say_which_share_of_the_attempted_records_they_are() -> None:
    run = {
        f"num_{measure}_{op_type}": count
        for measure, counts in {
            **{"planned": (9, 40, 1), "attempted": (8, 32, None), "succeeded": (6, 24, 0)},
            **{"failed": (2, 8, 0), "invalid": (1, 3, 0)},
        }.items()
        for op_type, count in zip(counting.OP_TYPES, counts, strict=True)
    }
    assert [(one.measure, one.by_op_type, one.total, one.share) for one in counts_of(run)] == [
        ("planned", (9, 40, 1), 50, None),
        ("attempted", (8, 32, 0), 40, None),
        ("succeeded", (6, 24, 0), 30, 0.75),
        ("failed", (2, 8, 0), 10, 0.25),
        ("invalid", (1, 3, 0), 4, 0.1),
    ]
    nothing = dict.fromkeys(run, 0)
    assert {one.share for one in counts_of(nothing)} == {None}
