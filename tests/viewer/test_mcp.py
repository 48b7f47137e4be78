"""The tools for machines, called by the client of the protocol's SDK.

There is no Spark: a fake warehouse returns some rows. `test_mcp_servers.py` has the processes.
"""

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any

import pyarrow as pa
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult

from dbt_sync_logs.command_line import COMMANDS
from sync_logs_viewer import named, settings
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.commands import main
from sync_logs_viewer.masks import HIDDEN, VARIABLE, Mask, hashed, mask_of
from sync_logs_viewer.mcp_server import LaterWarehouse, server_of
from sync_logs_viewer.named import QUESTIONS, Question
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.questions.ask import FOLDER
from sync_logs_viewer.warehouse import TargetError, Warehouse, WarehouseError
from sync_logs_viewer.warehouse.literals import with_literals
from sync_logs_viewer.web.routes import ROUTES
from sync_logs_viewer.web.routes.run import CHARACTERS
from viewer.fake_warehouse import PATTERN, STATISTICS, Committing, TellingWarehouse
from viewer.reading import ABOUT, ANN, OF_RUN, browser

pytestmark = pytest.mark.usefixtures("relation_of_gaps")
# commands and queries that are no questions: what the viewer does, and parts of its pages
NO_QUESTIONS = {"serve", "report", "notify"}
PARTS_OF_PAGES = {
    *("last_build", "trends", "sync", "activity", "patterns_of_sync", "record_counts", "health"),
    *("changes_of_record", "memberships_of_record", "failures_of_record", "states_of_record"),
    *("audience_size", "moves", "error_categories", "error_clusters", "changed_fields"),
    *("file_issues", "settings_issues", "organizations_of_record", "patterns_of_runs"),
    *("payload_changes", "pattern_counts", "errors_of_run", "data_until"),
    "changes_of_periods",
}
# a page has both: what an argument of the others chooses
PARTS = ("errors",)
# pages that lead to those of a question
PAGES_BETWEEN = {"/find", "/compare"}
# what a question needs, or has another query for
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("syncs", {}),
    ("runs", ABOUT),
    ("records", {**OF_RUN, "status": "Rejected", "identifier": "ann"}),
    ("record", ANN),
    ("members", {**ABOUT, "at": "2026-10-10T06:00:00Z"}),
    ("errors", ABOUT),
    ("errors", {**ABOUT, "category": "refused", "failure_pattern": "<id> is refused"}),
    ("failures", ABOUT),
    ("alerts", ABOUT),
    ("gaps", ABOUT),
    ("fields", ABOUT),
    ("fields", {**ABOUT, "examples": True}),
    ("periods", ABOUT),
    ("periods", {**ABOUT, "from": "2026-02-01", "until": "2026-02-03", "errors": True}),
    ("builds", {}),
]


HOSTILE = ("' or '1'='1", '"; drop table x --', "\\", "\\'", "a\nb\x00", ":identifier")


def talked(talk: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(talk)


def called(
    tool: str,
    arguments: dict[str, Any],
    warehouse: Warehouse | None = None,
    mask: Mask | None = None,
) -> CallToolResult:
    """The result of one call of a server in this process."""
    answers = Answers(warehouse or TellingWarehouse(), mask or Mask())

    async def talk() -> CallToolResult:
        async with Client(server_of(answers)) as client:
            return await client.call_tool(tool, arguments)

    found: CallToolResult = talked(talk())
    return found


def rows(*call: Any) -> list[dict[str, Any]]:
    found = called(*call)
    assert not found.is_error, found.content
    listed: list[dict[str, Any]] = found.structured_content["rows"]
    return listed


def told(*call: Any) -> str:
    """The message of a call that fails."""
    found = called(*call)
    assert found.is_error
    (content,) = found.content
    assert content.type == "text"
    return content.text


def listed() -> list[Any]:
    async def talk() -> Any:
        async with Client(server_of(Answers(TellingWarehouse(), Mask()))) as client:
            return (await client.list_tools()).tools

    tools: list[Any] = talked(talk())
    return tools


def typed(
    warehouse: TellingWarehouse, question: Question, arguments: dict[str, Any]
) -> tuple[int, list[Query]]:
    """The exit code of the command of a question, and its queries."""
    given = [
        text
        for name, value in arguments.items()
        for text in (f"--{name.replace('_', '-')}", *([] if value is True else [str(value)]))
    ]
    warehouse.asked.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sync_logs_viewer.asking.warehouse_of_target", lambda *_, **__: warehouse)
        code = main([question.command, *given])
    return code, warehouse.asked


def compared(query: Query) -> tuple[str, dict[str, Any]]:
    """A query without what the callers limit."""
    limits = ("row_limit", "rows_by_sync", "payload_limit")
    return query.name, {name: value for name, value in query.values if name not in limits}


def test_each_question_is_a_page_a_command_and_a_tool() -> None:
    assert {one.page for one in QUESTIONS} == {route.path for route in ROUTES} - PAGES_BETWEEN
    commands = {name for name, command in COMMANDS.items() if command.extra == "viewer"}
    assert {one.command for one in QUESTIONS} == commands - NO_QUESTIONS
    names = [tool.name for tool in listed()]
    assert names == [one.command for one in QUESTIONS]
    assert {tool for tool, _ in ASKED} == set(names)


def test_each_query_of_the_catalog_is_asked_by_a_question_or_is_a_part_of_a_page() -> None:
    warehouse = TellingWarehouse()
    for tool, arguments in ASKED:
        called(tool, arguments, warehouse)
    asked = {one.name for one in warehouse.asked}
    assert {file.stem for file in FOLDER.glob("*.sql")} == asked | PARTS_OF_PAGES


@pytest.mark.parametrize(("tool", "arguments"), ASKED)
def test_page_command_and_tool_send_the_same_queries(tool: str, arguments: dict[str, Any]) -> None:
    question = named.BY_COMMAND[tool]
    warehouse = TellingWarehouse()
    assert rows(tool, arguments, warehouse)
    asked = [compared(one) for one in warehouse.asked if one.name != "last_build"]
    code, typed_queries = typed(warehouse, question, arguments)
    assert code == 0
    assert [compared(one) for one in typed_queries] == asked
    warehouse.asked.clear()
    data = "/index.json" if question.page == "/" else f"{question.page}.json"
    if question.page == "/run":
        arguments = {**OF_RUN}
    arguments = {name: value for name, value in arguments.items() if name not in PARTS}
    with browser(Answers(warehouse, Mask())) as client:
        assert client.get(data, params=arguments).status_code == 200
    assert {name for name, _ in asked} <= {one.name for one in warehouse.asked}


def test_tools_only_read_and_say_what_they_take() -> None:
    for tool, question in zip(listed(), QUESTIONS, strict=True):
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.open_world_hint is False
        assert tool.description.casefold().startswith(question.about.casefold())
        Draft202012Validator.check_schema(tool.input_schema)
        takes = [one.name for one in question.parameters]
        assert list(tool.input_schema["properties"]) == [*takes, "rows"]
        assert all(one["description"] for one in tool.input_schema["properties"].values())
        assert tool.input_schema["additionalProperties"] is False
    for tool, arguments in ASKED:
        schema = next(one.input_schema for one in listed() if one.name == tool)
        Draft202012Validator(schema).validate({**arguments, "rows": 3})


def test_a_result_has_its_build_and_says_what_is_cut() -> None:
    syncs = [{**STATISTICS, "sync_id": str(number)} for number in range(3)]
    found = called("syncs", {"rows": 2}, TellingWarehouse(syncs=syncs))
    assert found.structured_content is not None
    assert {name: value for name, value in found.structured_content.items() if name != "rows"} == {
        "load_id": "load",
        "as_of": "2026-03-01T06:00:00Z",
        "has_more": True,
    }
    assert [one["sync_id"] for one in found.structured_content["rows"]] == ["0", "1"]
    (content,) = found.content
    assert content.type == "text"
    assert json.loads(content.text) == found.structured_content
    found = called("syncs", {"rows": 3}, TellingWarehouse(syncs=syncs))
    assert found.structured_content is not None
    assert found.structured_content["has_more"] is False


def test_rows_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = TellingWarehouse()
    rows("records", ABOUT, warehouse)
    # one more shows whether there are more
    assert warehouse.last("records")["row_limit"] == 101
    assert warehouse.last("records")["payload_limit"] == CHARACTERS
    monkeypatch.setenv(settings.DOWNLOAD_ROWS, "5")
    rows("records", {**ABOUT, "rows": 5}, warehouse)
    assert warehouse.last("records")["row_limit"] == 6
    for wrong in (6, 0, -1, True, "5", 1.5):
        said = told("records", {**ABOUT, "rows": wrong}, warehouse)
        assert said == f"rows is {wrong!r}; expected a whole number from 1 to 5."


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("records", {**ABOUT, "status": "Refused"}),
        ("members", {**ABOUT, "at": "yesterday"}),
        ("alerts", {"since": "then"}),
        ("alerts", {"all": True, "since": "2026-10-01T00:00:00Z"}),
        ("runs", {"sync_id": "t"}),
        ("runs", {"sync_id": "s"}),
        ("runs", {"sync_id": "x" * 1000}),
        ("records", {**ABOUT}),
        ("failures", {"rows": 0}),
    ],
)
def test_a_wrong_argument_is_refused_with_the_words_of_the_terminal(
    tool: str, arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    syncs = [STATISTICS, {**STATISTICS, "organization_id": "p"}]
    warehouse = TellingWarehouse(syncs=syncs, runs=[])
    said = told(tool, arguments, warehouse)
    assert typed(warehouse, named.BY_COMMAND[tool], arguments)[0] == 1
    words = capsys.readouterr().err.removeprefix("sync-logs: ").strip()
    if tool == "failures":
        words = words.replace(f"{settings.MOST_ROWS}", f"{settings.DEFAULT_DOWNLOAD_ROWS}")
    for name in ("organization_id", "sync_run_id", "status", "at", "since", "all", "rows"):
        words = words.replace(f"--{name.replace('_', '-')}", name)
    assert said == words
    assert len(said) < 400


def test_an_argument_that_lacks_is_unknown_or_of_another_type() -> None:
    assert told("runs", {}) == "the following arguments are required: sync_id."
    assert told("runs", {"sync_id": "s", "limit": 1}) == (
        "unrecognized arguments: limit. There are: sync_id, organization_id, rows."
    )
    for wrong in (3002, ["s"], {"a": "s"}, "\ud800"):
        assert told("runs", {"sync_id": wrong}) == f"sync_id is {wrong!r}; expected a text."
    assert told("alerts", {"all": "yes"}) == "all is 'yes'; expected true or false."
    # what many clients give for an argument that they leave out
    assert rows("runs", {"sync_id": "s", "organization_id": None, "rows": None})


def test_a_tool_that_lacks_is_an_error_of_the_protocol() -> None:
    async def talk() -> str:
        async with Client(server_of(Answers(TellingWarehouse(), Mask()))) as client:
            try:
                await client.call_tool("drop", {})
            except MCPError as error:
                return str(error)
        return ""

    assert talked(talk()).startswith("There is no such tool. There are: syncs, runs,")


class Literal(TellingWarehouse):
    """Writes the SQL as the real ones do."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def ask(self, query: Query) -> pa.Table:
        self.sent.append(with_literals(query.sql, query.arguments))
        return super().ask(query)


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value[:20]))
def test_hostile_values_are_bound(value: str) -> None:
    warehouse = Literal()
    given = {"organization_id": value, "sync_id": value, "sync_run_id": value}
    texts = ("operation", "failure_reason", "identifier", "identifier_prefix")
    rows("records", {**given, **dict.fromkeys(texts, value)}, warehouse)
    assert {warehouse.last("records")[name] for name in (*given, *texts)} == {value}
    rows("errors", {**ABOUT, "category": value, "failure_pattern": value}, warehouse)
    assert [sql for sql in warehouse.sent if value in sql] == []
    literal = f"category = cast(X'{value.encode().hex()}' as string)"
    assert any(literal in sql for sql in warehouse.sent)


def test_masks_hold() -> None:
    warehouse = TellingWarehouse()
    mask = mask_of("identifiers:hashed,payload:email")
    for identifier in ("ann", hashed("ann")):
        (row,) = rows("records", {**ABOUT, "identifier": identifier}, warehouse, mask)
        assert warehouse.last("records")["identifier"] == hashed("ann")
        assert row["identifier"] == hashed("ann")
        assert row["failure_reason"] == f"{HIDDEN} is refused"
        assert "ann@x" not in json.dumps(row)
    # the whole payload, because the end may have a key to hide
    assert warehouse.last("records")["payload_limit"] > CHARACTERS
    for tool, arguments in ASKED:
        found = json.dumps(rows(tool, arguments, warehouse, mask))
        assert '"ann"' not in found, tool
    (row,) = rows("errors", {}, warehouse, mask)
    assert row["sample_identifiers"] == [hashed("ann")]
    prefix = {**ABOUT, "identifier_prefix": "an"}
    assert told("records", prefix, warehouse, mask).startswith(
        f"Identifiers are hashed ({VARIABLE}"
    )
    hidden = Mask("hidden")
    for tool, arguments in (
        ("records", prefix),
        ("records", {**ABOUT, "identifier": "ann"}),
        ("record", ANN),
    ):
        said = told(tool, arguments, warehouse, hidden)
        assert said == f"Identifiers are hidden ({VARIABLE}): you cannot search for one."
    assert [one["row_id"] for one in rows("members", ABOUT, warehouse, hidden)] == [HIDDEN]


class Failing(TellingWarehouse):
    """Fails with the identifier in its message."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def ask(self, query: Query) -> pa.Table:
        if query.name != "last_build":
            raise self.error
        return super().ask(query)


def test_calls_are_logged_without_values(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "sync_logs_viewer.mcp_server")
    secret = "ann@example.com"
    about = {"organization_id": secret, "identifier": secret}
    rows("record", about)
    told("record", {**about, "rows": 0})
    told("record", {**about, secret: secret})
    assert told("record", about, Failing(WarehouseError(f"no {secret}"))) == f"no {secret}"
    # what nobody expected may tell others about the log
    assert told("record", about, Failing(KeyError(secret))) == "record failed with KeyError."
    lines = [one.getMessage() for one in caplog.records if "mcp_server" in one.name]
    assert [line.rpartition(",")[0] for line in lines] == [
        "record: 1 rows",
        "record: GivenError",
        "record: GivenError",
        "record: WarehouseError",
        "record: KeyError",
    ]
    assert secret not in caplog.text


def test_a_result_is_as_of_one_build() -> None:
    """If a build commits between the queries of a call, all are sent again."""
    warehouse = Committing("first", "first", "second")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sync_logs_viewer.answers.SECONDS_CURRENT", 0.0)
        found = called("syncs", {}, warehouse)
    assert found.structured_content is not None
    assert found.structured_content["load_id"] == "second"
    assert [one.name for one in warehouse.asked].count("health") == 2


def test_the_warehouse_is_looked_for_until_there_is_one() -> None:
    """A client may start its servers before `make serve` runs."""
    found: list[Warehouse] = []

    def find() -> Warehouse:
        if not found:
            raise TargetError("Use `make serve`.")
        return found[0]

    later = LaterWarehouse(find)
    assert told("syncs", {}, later) == "Use `make serve`."
    found.append(TellingWarehouse())
    assert rows("syncs", {}, later)
    assert len(list(later.stream(catalog.syncs()))) == 1


def test_lists_are_lists() -> None:
    (row,) = rows("errors", {}, TellingWarehouse(error_patterns=[PATTERN]))
    assert row["sample_identifiers"] == ["ann"]
    assert rows("failures", {}, TellingWarehouse(failures=[])) == []
