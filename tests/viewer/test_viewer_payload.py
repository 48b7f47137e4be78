"""Fields of payloads and what changed in them: on the page, the terminal, for machines, masked.

There is no Spark: a fake warehouse returns some rows. The folder `pages` has the answers of Spark.
"""

import asyncio
import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from markupsafe import escape

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.exports import WRITERS
from sync_logs_viewer.masks import HIDDEN, VARIABLE, Mask, mask_of
from sync_logs_viewer.questions import Query
from sync_logs_viewer.web.formats import NONE, largest
from sync_logs_viewer.web.parameters import address
from sync_logs_viewer.web.routes import sync as sync_page
from viewer.fake_warehouse import ALERT, FIELD, FIELD_CHANGE, Committing, TellingWarehouse, Without
from viewer.reading import ABOUT, HOSTILE, cells, opened, typed
from viewer.test_mcp import rows as called
from viewer.test_viewer_ahead import CHOSEN, asked, of_each_sync, told, warm, warmed

HEADING = '<h2 id="payload">Payload</h2>'
AMOUNT = {**FIELD, "field_name": "Amount", "json_types": '["number"]', "longest_text": None}
AMOUNT |= {"largest_number": 73519.0, "declared_type": "string", "is_as_declared": False}
GONE = {**FIELD, "field_name": "plan", "is_in_last_run": False, "last_sync_run_id": "6"}
GONE |= {"declared_type": None, "is_as_declared": None, "longest_text": 9, "largest_number": 2.5}
KEYS = ("payload_changes", "has_more_payload_changes", "payload_fields", "has_more_payload_fields")


class CommittingAt(Committing):
    """A warehouse in which a build commits while a question is answered."""

    def __init__(self, question: str) -> None:
        super().__init__("first")
        self.question = question

    def ask(self, query: Query) -> pa.Table:
        found = super().ask(query)
        if query.name == self.question:
            self.loads = ["second"]
        return found


def changed(change_type: str, *counts: int, types: str | None = None) -> dict[str, Any]:
    names = ("previous_count", "previous_payload_count", "new_count", "payload_count")
    row = {**FIELD_CHANGE, "change_type": change_type, "json_types": types}
    return {**row, **dict(zip(names, counts, strict=True))}


def test_the_page_says_in_words_what_changed() -> None:
    changes = [
        changed("appeared", 0, 40, 1200, 2000, types='["null","string"]'),
        changed("vanished", 12, 40, 0, 38),
        changed("new type", 15, 20, 10, 20, types='["string"]'),
        changed("all null", 10, 20, 0, 20),
        changed("a later kind", 1, 2, 3, 4),
    ]
    page = opened("/sync", TellingWarehouse(payload_changes=changes), **ABOUT).text
    found = [row for row in cells(page) if len(row) == 5 and row[2] == "plan"]
    assert [row[3:] for row in found] == [
        ["new field: null, string", "0 of 40 → 1,200 of 2,000"],
        ["no longer sent", "12 of 40 → 0 of 38"],
        ["new type: string", "15 of 20 → 10 of 20 with a value → with the new type"],
        ["null in every payload", "10 of 20 → 0 of 20 with a value"],
        ["a later kind", "1 of 2 → 3 of 4"],
    ]
    assert {row[0] for row in found} == {"7 after 6"}
    link = address("/run", {**ABOUT, "sync_run_id": "7"})
    assert str(escape(link)) in page[page.index(HEADING) :]


def test_the_page_has_the_fields_below_what_changed() -> None:
    warehouse = TellingWarehouse(payload_fields=[GONE, AMOUNT, FIELD])
    page = opened("/sync", warehouse, **ABOUT).text
    assert page.index("What changed") < page.index('<h3 id="fields">Fields</h3>')
    gone, amount, email = [row for row in cells(page) if len(row) == 9 and row[0] != "Field"][-3:]
    shares = ["75 % 30 of 40", "10 %", "100 %"]
    few = TellingWarehouse(payload_fields=[{**FIELD, "distinct_share": 3 / 27}])
    (row,) = [one for one in cells(opened("/sync", few, **ABOUT).text) if one[0] == "email"]
    assert row[4] == "3 values"
    assert gone[0] == "plan not in the last run last in run 6"
    assert gone[1:8] == ["null, string", *shares, "9", "2.5", NONE]
    assert amount[:8] == ["Amount", "number", *shares, NONE, "73,519", "string not as declared"]
    assert email[:8] == ["email", "null, string", *shares, "41", NONE, "string"]
    assert email[8].endswith("run 1")


def test_the_data_of_the_page_has_both() -> None:
    found = opened("/sync.json", TellingWarehouse(), **ABOUT).json()
    assert found["payload_changes"] == [
        {**FIELD_CHANGE, "run_at": "2026-03-01T06:00:00Z", "json_types": []}
    ]
    (field,) = found["payload_fields"]
    assert (field["json_types"], field["present_share"]) == (["null", "string"], 0.75)
    assert (found["has_more_payload_changes"], found["has_more_payload_fields"]) == (False, False)


def test_the_page_says_what_it_leaves_out() -> None:
    many = {
        "payload_changes": [FIELD_CHANGE] * (sync_page.CHANGES + 1),
        "payload_fields": [FIELD] * (sync_page.FIELDS + 1),
    }
    page = opened("/sync", TellingWarehouse(**many), **ABOUT).text
    for words in ("These are the last 50; <code>payload_schema", "first 200; <code>payload_fields"):
        assert words in page
    found = opened("/sync.json", TellingWarehouse(**many), **ABOUT).json()
    assert [found[name] if name[:3] == "has" else len(found[name]) for name in KEYS] == [
        *(50, True, 200, True)
    ]


@pytest.mark.parametrize(
    "name", [HOSTILE, "<img src=x>", "", " \t", "\u202ex", "'\"; drop", "é" * 99]
)
def test_hostile_names_of_fields_are_texts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    field = {**FIELD, "field_name": name, "declared_type": name or None}
    change = {**FIELD_CHANGE, "field_name": name, "json_types": json.dumps([name])}
    warehouse = TellingWarehouse(
        payload_fields=[field] * 5, payload_changes=[change, {**change, "change_type": "new type"}]
    )
    for setting in ("", "payload:email"):
        page = opened("/sync", warehouse, setting, **ABOUT)
        assert page.status_code == 200, page.text
        assert len(page.text) < 60_000
        for mark in ("<script", "<img", "\u202e"):
            assert mark not in page.text
    section = page.text[page.text.index(HEADING) :]
    assert {"": ">empty<", " \t": ">blank<"}.get(name, "<bdi>") in section
    assert (
        opened("/sync.json", warehouse, **ABOUT).json()["payload_fields"][0]["field_name"] == name
    )
    said = typed(monkeypatch, warehouse, "fields", "--sync-id", "s")
    assert "\u202e" not in said


def test_masks_hide_the_figures_of_a_field_with_its_values(monkeypatch: pytest.MonkeyPatch) -> None:
    email = {**FIELD, "longest_text": 41777}
    warehouse = TellingWarehouse(payload_fields=[AMOUNT, email, GONE])
    setting = "payload:aMOUNT,payload:email,identifiers:hidden"
    page = opened("/sync", warehouse, setting, **ABOUT).text
    for words in ("Amount", "email", "2.5", HIDDEN):
        assert words in page[page.index(HEADING) :]
    fields = opened("/sync.json", warehouse, setting, **ABOUT).json()["payload_fields"]
    monkeypatch.setenv(VARIABLE, setting)
    command = ("fields", "--sync-id", "s", "--format")
    lines = typed(monkeypatch, warehouse, *command, "jsonl")
    table = typed(monkeypatch, warehouse, *command, "table")
    tool = called("fields", ABOUT, warehouse, mask_of(setting))
    for found in (fields, [json.loads(line) for line in lines.splitlines()], tool):
        assert [(one["longest_text"], one["largest_number"]) for one in found] == [
            *((None, HIDDEN), (HIDDEN, None), (9, 2.5))
        ]
        assert [one["field_name"] for one in found] == ["Amount", "email", "plan"]
    for text in (page, json.dumps(fields), lines, table, json.dumps(tool)):
        for secret in ("73519", "73,519", "41777", "41,777"):
            assert secret not in text
    # a column of a file has one type
    rows = mask_of(setting).rows([AMOUNT, email, GONE])
    written = b"".join(WRITERS["parquet"](["longest_text", "largest_number"], rows))
    columns = pq.read_table(io.BytesIO(written)).to_pydict()
    assert columns == {"longest_text": [None, None, 9], "largest_number": [None, None, 2.5]}
    # the names of fields are no values
    assert Mask("hidden").rows([AMOUNT]) == [AMOUNT]


EXAMPLES = {**ABOUT, "examples": "true"}


def example(field_name: str, value: str, row_id: str | None = "ann") -> dict[str, Any]:
    return {"field_name": field_name, "row_id": row_id, "example": value}


def test_examples_are_read_from_the_last_run_when_asked_for() -> None:
    found = [example("email", "a<b>@x"), example("Amount", "1.50"), example("other", "no field")]
    warehouse = TellingWarehouse(payload_fields=[GONE, AMOUNT, FIELD], payload_examples=found)
    plain = opened("/sync", warehouse, **ABOUT).text
    assert "payload_examples" not in {one.name for one in warehouse.asked}
    assert str(escape(address("/sync", {**EXAMPLES}))) + '#fields">Show an example' in plain
    page = opened("/sync", warehouse, **EXAMPLES).text
    assert warehouse.last("payload_examples") == {**ABOUT, "sync_run_id": "7", "value_limit": 101}
    rows = [row for row in cells(page) if len(row) == 10 and row[0] != "Field"]
    assert [row[2] for row in rows] == [NONE, "1.50", "a&lt;b&gt;@x"]
    assert str(escape(address("/sync", {**ABOUT}))) + '#fields">Hide the examples' in page
    assert "Examples are from 100 records of run" in page
    fields = opened("/sync.json", warehouse, **EXAMPLES).json()["payload_fields"]
    assert [one["example"] for one in fields] == [None, "1.50", "a<b>@x"]
    assert opened("/sync", warehouse, **ABOUT, examples="no").status_code == 400


def test_without_a_run_there_are_no_examples() -> None:
    for fields in ([GONE], []):
        warehouse = TellingWarehouse(payload_fields=fields)
        page = opened("/sync", warehouse, **EXAMPLES)
        assert page.status_code == 200
        assert "payload_examples" not in {one.name for one in warehouse.asked}
        assert ("no run: none has payloads" in page.text) is bool(fields)
    # the rows of the run were pruned or purged since
    pruned = TellingWarehouse(payload_examples=[])
    (row,) = [row for row in cells(opened("/sync", pruned, **EXAMPLES).text) if row[0] == "email"]
    assert row[2] == NONE


@pytest.mark.parametrize("value", [HOSTILE, "<img src=x>", "", " \t", "\u202ex", '{"a": "<b>"}'])
def test_examples_are_short_texts(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = TellingWarehouse(payload_examples=[example("email", value)])
    page = opened("/sync", warehouse, **EXAMPLES).text
    for mark in ("<script", "<img", "<b>", "\u202e"):
        assert mark not in page
    section = page[page.index('id="fields"') :]
    assert {"": ">empty<", " \t": ">blank<"}.get(value, "<bdi>") in section
    (field,) = opened("/sync.json", warehouse, **EXAMPLES).json()["payload_fields"]
    assert len(field["example"]) <= 101
    assert field["example"].rstrip("…") == value[:100]
    said = typed(monkeypatch, warehouse, "fields", "--sync-id", "s", "--examples")
    assert "\u202e" not in said


def test_masks_hide_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = [{**FIELD, "field_name": name} for name in ("Email", "code", "to", "parent", "name")]
    found = [
        *(example("Email", "ann@x", "ab"), example("code", "ab", "ab")),
        *(example("to", '{"EMAIL": "ann@x", "n": [1]}'), example("parent", '{"of": "an\\"n"}')),
        example("name", "x" * 98 + "longer", "longer"),
    ]
    found[3]["row_id"] = 'an"n'
    warehouse = TellingWarehouse(payload_fields=fields, payload_examples=found)

    def shown(setting: str) -> list[str]:
        page = opened("/sync.json", warehouse, setting, **EXAMPLES).json()
        examples = [one["example"] for one in page["payload_fields"]]
        tool = called("fields", {**ABOUT, "examples": True}, warehouse, mask_of(setting))
        monkeypatch.setenv(VARIABLE, setting)
        command = ("fields", "--sync-id", "s", "--examples", "--format", "jsonl")
        lines = typed(monkeypatch, warehouse, *command).splitlines()
        assert [one["example"] for one in tool] == examples
        assert [json.loads(line)["example"] for line in lines] == examples
        assert "row_id" not in lines[0]
        return examples

    assert shown("")[:4] == ["ann@x", "ab", '{"EMAIL": "ann@x", "n": [1]}', '{"of": "an\\"n"}']
    assert shown("payload:email")[:3] == [HIDDEN, "ab", f'{{"EMAIL": "{HIDDEN}", "n": [1]}}']
    for setting in ("identifiers:hidden", "identifiers:hashed"):
        email, code, to, parent, name = shown(setting)
        # the field of the identifier, however short; and what a nested value has of it
        assert (email, code, parent) == ("ann@x", HIDDEN, f'{{"of": "{HIDDEN}"}}')
        assert to == f'{{"EMAIL": "{HIDDEN}@x", "n": [1]}}'
        # the whole value was read, so that its end cannot have half of an identifier
        assert warehouse.last("payload_examples")["value_limit"] > 101
        assert name == ("x" * 98 + HIDDEN)[:100] + "…"
    # of a value that was cut, a mask cannot tell what it has
    cut = [example("to", '{"email": "a')]
    page = opened("/sync", TellingWarehouse(payload_examples=cut), "payload:email", **EXAMPLES)
    assert "a</bdi>" not in page.text
    assert Mask().rows([example("code", "ab", "ab")]) == [example("code", "ab", "ab")]
    # without a key, there is no identifier to find
    keyless = example("code", "ab", None)
    assert Mask("hidden").rows([keyless])[0]["example"] == "ab"


def test_examples_are_of_the_build_of_the_page() -> None:
    warehouse = CommittingAt("payload_examples")
    assert opened("/sync.json", warehouse, **EXAMPLES).json()["load_id"] == "second"
    assert [one.name for one in warehouse.asked].count("payload_fields") == 2


@pytest.mark.parametrize("missing", ["payload_fields", "payload_changes"])
def test_a_warehouse_without_the_tables_has_the_rest_of_the_page(
    missing: str, caplog: pytest.LogCaptureFixture
) -> None:
    page = opened("/sync", Without(missing), **ABOUT)
    assert page.status_code == 200
    assert HEADING not in page.text
    assert 'id="runs"' in page.text
    assert f"cannot be read: There is no table for {missing}." in caplog.text
    found = opened("/sync.json", Without(missing), **ABOUT).json()
    assert [found[name] for name in KEYS] == [[], False, [], False]
    # without its own tables, the page is not there
    assert opened("/sync", Without("sync"), **ABOUT).status_code == 503


def test_without_fields_the_page_says_what_to_do() -> None:
    empty = TellingWarehouse(payload_fields=[], payload_changes=[])
    page = opened("/sync", empty, **ABOUT).text
    assert HEADING in page
    assert "set <code>sync_logs_python_models</code> to true, and build" in page
    assert "<h3>" not in page
    calm = opened("/sync", TellingWarehouse(payload_changes=[]), **ABOUT).text
    assert "No field has appeared or vanished" in calm
    assert "sync_logs_python_models" not in calm


def test_all_of_the_page_is_of_one_build() -> None:
    """If a build commits before the fields are read, the runs are read again."""
    warehouse = CommittingAt("payload_fields")
    answers = Answers(warehouse, Mask())
    of_page = sync_page.with_payloads(CHOSEN, sync_page.questions(CHOSEN), answers)
    build, _, payloads = asyncio.run(of_page)
    assert build.load_id == "second"
    assert payloads is not None
    assert [one.name for one in warehouse.asked].count("runs") == 2


def test_the_section_is_asked_ahead() -> None:
    rows = {"payload_fields": FIELD, "payload_changes": FIELD_CHANGE}
    answers, warehouse = warmed(**{name: of_each_sync(**row) for name, row in rows.items()})
    changes, fields = told(answers, *sync_page.payload_questions(CHOSEN))
    assert asked(warehouse) == set()
    for found in (changes, fields):
        assert [(one["organization_id"], one["sync_id"]) for one in found] == [("p", "t")]


def test_the_others_are_asked_ahead_without_the_tables() -> None:
    warehouse = Without("payload_fields", "payload_changes")
    answers = warm(warehouse)
    warehouse.asked.clear()
    told(answers, *sync_page.questions(CHOSEN))
    assert asked(warehouse) == set()


@pytest.mark.parametrize("path", ["/alerts", "/sync", "/"])
def test_an_alert_leads_to_the_section(path: str) -> None:
    alert = {**ALERT, "rule": "payload_schema", "failure_pattern": None, "value": 3.0}
    page = opened(path, TellingWarehouse(alerts=[alert]), **(ABOUT if path == "/sync" else {})).text
    assert f'<a href="{escape(address("/sync", {**ABOUT}))}#payload">fields</a>' in page
    assert "payload schema: 3, critical from 1" in page


def test_the_terminal_shows_the_fields_of_a_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = TellingWarehouse(payload_fields=[GONE, AMOUNT])
    said = typed(monkeypatch, warehouse, "fields", "--sync-id", "s", "--rows", "7")
    assert warehouse.last("payload_fields") == {**ABOUT, "rows_by_sync": 7}
    lines = said.splitlines()
    assert "largest_number" in lines[0]
    assert [line.split()[0] for line in lines if "Amount" in line or "plan" in line] == [
        *("plan", "Amount")
    ]


def test_the_terminal_shows_examples_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("fields", "--sync-id", "s")
    said = typed(monkeypatch, TellingWarehouse(), *command, "--examples").splitlines()
    assert said[0].split()[:3] == ["field_name", "json_types", "example"]
    assert "ann@x" in said[2]
    assert "ann@x" not in typed(monkeypatch, TellingWarehouse(), *command)
    none = TellingWarehouse(payload_fields=[GONE])
    assert "plan" in typed(monkeypatch, none, *command, "--examples")


def test_the_tool_has_lists_of_types() -> None:
    (row,) = called("fields", {"sync_id": "s"}, TellingWarehouse())
    assert row["json_types"] == ["null", "string"]
    assert row["first_seen_at"] == "2026-03-01T06:00:00Z"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        *((None, NONE), (0.0, "0"), (-0.5, "-0.5"), (1234567.0, "1,234,567"), (0.1, "0.1")),
        *((1e300, "1e+300"), (float("inf"), "inf"), (float("nan"), "nan"), (7, "7")),
        *((float(2**53), "9.00719925474099e+15"), (HIDDEN, HIDDEN)),
    ],
)
def test_numbers_of_records_are_short(number: float | None, shown: str) -> None:
    assert largest(number) == shown
