"""The viewer's terminal commands, its report, and what docs/viewer.md says about it.

There is no Spark: a fake warehouse returns some rows. The folder `pages` has the answers of Spark.
"""

import asyncio
import json
import re
import shlex
import sys
import threading
from pathlib import Path
from socket import socket
from typing import Any

import pyarrow as pa
import pytest
from starlette.testclient import TestClient

import sync_logs_viewer.serving
from dbt_sync_logs.checks import EmbeddedSparkError
from dbt_sync_logs.command_line import COMMANDS
from helpers.documents import commands, rows_under
from helpers.project import PROJECT
from sync_logs_demo.syncs import DEMO_SYNCS
from sync_logs_viewer import settings
from sync_logs_viewer.answers import PARALLEL, Answers
from sync_logs_viewer.commands import main
from sync_logs_viewer.exports import KINDS
from sync_logs_viewer.masks import VARIABLE, Mask, hashed, mask_of
from sync_logs_viewer.notifying.settings import KNOWN, WEBHOOK
from sync_logs_viewer.questions import Query, Record, Sync, catalog
from sync_logs_viewer.web.downloads import PARAMETERS
from sync_logs_viewer.web.parameters import key_of
from sync_logs_viewer.web.routes import ROUTES
from viewer.fake_warehouse import RUN, STATISTICS, Committing, TellingWarehouse
from viewer.reading import ABOUT, ASKED, OF_RUN, browser, opened, printed

PAGE = PROJECT / "docs" / "viewer.md"
START = "sync-logs "
WRITTEN = [
    line
    for line in (line.removeprefix(START) for line in commands() if line.startswith(START))
    if COMMANDS[line.split()[0]].extra == "viewer"
]
# the syncs in the documents: those of the demo, and one of another project
SYNCS = [
    {**STATISTICS, "organization_id": organization, "sync_id": sync}
    for organization, sync in [
        *((one.organization_id, one.sync_id) for one in DEMO_SYNCS),
        ("1", "42"),
    ]
]


class Terminal:
    """What commands print, and which queries they send to which target."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.warehouse = TellingWarehouse()
        self.targets: list[tuple[Any, ...]] = []
        self.served: list[tuple[str, int]] = []
        self.apps: list[Any] = []
        self._patch = monkeypatch
        monkeypatch.chdir(folder)
        for name in (VARIABLE, settings.PORT, "DBT_PROFILES_DIR", *KNOWN):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(WEBHOOK, "http://127.0.0.1:1/only-for-dry-runs")
        monkeypatch.setenv(settings.GAPS, "analytics.gap_counts")
        monkeypatch.setattr("sync_logs_viewer.asking.warehouse_of_target", self._connect)
        monkeypatch.setattr(sync_logs_viewer.serving, "server", self._serve)
        monkeypatch.setattr(sync_logs_viewer.serving, "run", lambda pages, when_ready: when_ready())

    def _connect(self, *target: Any, may_start: bool) -> TellingWarehouse:
        self.targets.append((*target, may_start))
        return self.warehouse

    def _serve(self, app: Any, host: str, port: int, has_access_log: bool) -> Any:
        self.served.append((host, port))
        self.apps.append(app)
        return None

    def run(self, line: str) -> str:
        """Run a command that succeeds and return its output."""
        return printed(self._patch, *shlex.split(line))


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    return Terminal(monkeypatch, tmp_path)


def test_a_proxy_has_its_own_host_and_port(terminal: Terminal) -> None:
    terminal.run("serve --allow-host logs.example --port 8123")
    assert terminal.served == [("127.0.0.1", 8123)]
    for host, status in (("logs.example", 200), ("127.0.0.1", 200), ("other.example", 400)):
        with TestClient(terminal.apps[0], f"http://{host}") as client:
            assert client.get("/static/style.css").status_code == status


@pytest.mark.parametrize("line", WRITTEN)
def test_each_command_of_the_documents_runs(terminal: Terminal, line: str) -> None:
    terminal.warehouse = TellingWarehouse(syncs=SYNCS)
    said = terminal.run(line)
    given = shlex.split(line)
    assert len(terminal.targets) == 1
    if "--out" in given:
        assert Path(given[given.index("--out") + 1]).stat().st_size > 10
    else:
        assert said
    if given[0] != "serve":
        assert terminal.warehouse.asked


def test_a_command_is_written_for_each_question() -> None:
    written = {shlex.split(line)[0] for line in WRITTEN}
    viewer = {name for name, command in COMMANDS.items() if command.extra == "viewer"}
    # `make report` is the command of the documents for the report
    assert written == viewer - {"report"}


def test_records_are_those_of_the_last_run(terminal: Terminal) -> None:
    said = terminal.run("records --sync-id s --status REJECTED --format csv")
    assert said.splitlines()[1].startswith("7,ann,Rejected,ann is refused")
    asked = terminal.warehouse.last("records")
    assert (asked["organization_id"], asked["sync_run_id"], asked["status"]) == (
        *("o", RUN["sync_run_id"]),
        "Rejected",
    )
    assert asked["row_limit"] == 100


def test_formats_and_files(terminal: Terminal) -> None:
    (line,) = terminal.run("records --sync-id s --format jsonl").splitlines()
    assert json.loads(line)["identifier"] == "ann"
    assert terminal.run("records --sync-id s --format csv --rows 3 --out rows.csv") == ""
    assert terminal.warehouse.last("records")["row_limit"] == 3
    assert Path("rows.csv").read_text().count("\n") == 2
    assert "ann" in terminal.run("records --sync-id s")


@pytest.mark.parametrize(
    ("syncs", "words"),
    [
        ([STATISTICS, {**STATISTICS, "organization_id": "p"}], r"2 organisations .* \(o, p\): add"),
        (
            [{**STATISTICS, "sync_id": "t"}],
            "No organisation has a sync 's'; `syncs` lists all syncs.",
        ),
    ],
)
def test_an_organisation_is_required_where_it_is_needed(
    terminal: Terminal,
    capsys: pytest.CaptureFixture[str],
    syncs: list[dict[str, Any]],
    words: str,
) -> None:
    terminal.warehouse = TellingWarehouse(syncs=syncs)
    assert main(["runs", "--sync-id", "s"]) == 1
    assert re.match(f"sync-logs: {words}", capsys.readouterr().err)
    terminal.run("runs --sync-id s --organization-id o")


def test_masks_apply_on_the_terminal(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "identifiers:hashed,payload:email")
    said = terminal.run("records --sync-id s --identifier ann --format jsonl")
    assert terminal.warehouse.last("records")["identifier"] == hashed("ann")
    assert hashed("ann") in said
    assert "ann@x" not in said
    assert "ann is refused" not in said
    assert main(["records", "--sync-id", "s", "--identifier-prefix", "an"]) == 1
    monkeypatch.setenv(VARIABLE, "identifiers:hidden")
    assert main(["record", "--organization-id", "o", "--identifier", "ann"]) == 1
    monkeypatch.setenv(VARIABLE, "identifiers")
    assert main(["syncs"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" (")[0] for line in told[:2]] == [
        "sync-logs: Identifiers are hashed",
        "sync-logs: Identifiers are hidden",
    ]
    assert told[2].startswith("sync-logs: SYNC_LOGS_MASK has 'identifiers'")


def test_the_report_is_one_self_contained_file(terminal: Terminal) -> None:
    assert "The report is in " in terminal.run("report")
    text = Path("sync_logs_report.html").read_text("utf-8")
    assert "Customers" in text
    assert "ann is refused" in text
    assert "<svg" in text
    assert re.findall(r'<script|<link|<img|\bsrc=|href="(?!#)', text) == []
    # the page says that the report leaves this out
    assert "ann@x" not in text
    assert (PROJECT / "Makefile").read_text().count("/sync-logs report") == 1


@pytest.mark.parametrize("command", ["report", "serve"])
def test_without_the_extra_for_charts_a_line_says_so(
    command: str,
    terminal: Terminal,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal.run(command)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    terminal.run(command)
    assert capsys.readouterr().err == (
        "sync-logs: no charts: vl_convert is not installed. Install dbt-sync-logs with its extra "
        '`charts`: pip install "<clone>[charts]".\n'
    )


def test_the_server_warns_who_can_reach_the_pages(
    terminal: Terminal, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "http://127.0.0.1:8080/" in terminal.run("serve")
    monkeypatch.setenv(settings.PORT, "8090")
    assert main(["serve", "--host", "0.0.0.0", "--allow-host", "logs.example"]) == 0
    assert "can reach it sees all records" in capsys.readouterr().err
    assert terminal.served == [("127.0.0.1", 8080), ("0.0.0.0", 8090)]
    # serve must not start its own Spark, because no build could run meanwhile
    assert [target[-1] for target in terminal.targets] == [False, False]


def test_where_profiles_are(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal.run("syncs --target prod --schema marts")
    Path("profiles").mkdir()
    terminal.run("syncs")
    terminal.run("syncs --profiles-dir .")
    monkeypatch.setenv("DBT_PROFILES_DIR", "elsewhere")
    terminal.run("syncs")
    here = Path.cwd()
    assert terminal.targets == [
        (here, "prod", None, "marts", True),
        (here, None, here / "profiles", None, True),
        (here, None, Path(), None, True),
        (here, None, None, None, True),
    ]


def test_the_page_names_each_address_and_its_parameters() -> None:
    told = {row[0].strip("`"): named(row[2]) for row in rows_under(PAGE, "Addresses")}
    assert told == {route.path: list(route.parameters) for route in ROUTES}
    downloads = re.findall(r"`/run/records\.(\w+)`", PAGE.read_text())
    assert downloads == list(KINDS)
    assert set(PARAMETERS) == set(told["/run"]) - {"after"}


def named(cell: str) -> list[str]:
    """The code in a cell, without the text in brackets after it."""
    return re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", cell))


def test_the_page_names_the_keys_of_the_data() -> None:
    told = {row[0].strip("`"): named(row[1]) for row in rows_under(PAGE, "JSON")}
    with browser(Answers(TellingWarehouse(), Mask())) as client:
        for route in ROUTES:
            address = "/index.json" if route.path == "/" else f"{route.path}.json"
            wanted = {name: ASKED[name] for name in route.parameters if name in ASKED}
            if route.path in ("/", "/errors"):
                wanted = {}
            answer = client.get(address, params=wanted)
            assert answer.status_code == 200, answer.text
            keys = list(answer.json())
            assert keys == ["load_id", "as_of", *told.pop(address)]
    assert told == {}


def test_the_page_documents_masks_and_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = [line for line in commands(PAGE) if line.startswith(f"export {VARIABLE}=")]
    assert mask_of(line.partition("=")[2]) == Mask("hashed", frozenset({"email", "phone"}))
    parts = {row[0].strip("`") for row in rows_under(PAGE, "Masks")}
    assert {mask_of(part).identifiers for part in parts} == {"hashed", "hidden", "shown"}
    text = PAGE.read_text()
    monkeypatch.delenv(settings.DOWNLOAD_ROWS, raising=False)
    assert f"({settings.download_rows():,} unless set; from 1 to {settings.MOST_ROWS:,})" in text
    assert f"| `{settings.PORT}` | {settings.DEFAULT_PORT} |" in text


def test_the_ports_of_the_page_are_those_of_make_serve() -> None:
    from scripts.serve.spark import DEFAULT_PORTS

    told = {row[0].strip("`"): row[1] for row in rows_under(PAGE, "Ports")}
    assert {name: str(port) for name, port in DEFAULT_PORTS.items()}.items() <= told.items()


def test_ports_that_are_taken_are_named_together() -> None:
    from scripts.serve.spark import free_ports

    with socket() as one, socket() as other:
        taken = {}
        for name, holder in (("ONE", one), ("OTHER", other)):
            holder.bind(("127.0.0.1", 0))
            holder.listen()
            taken[name] = str(holder.getsockname()[1])
        with pytest.raises(EmbeddedSparkError) as raised:
            free_ports({**taken, "FREE": "0"})
    said = str(raised.value)
    assert all(f"Port {port} is not available" in said for port in taken.values())
    assert said.endswith("Otherwise: export ONE=0 OTHER=0, for free ports.")
    free = free_ports({"ONE": "0", "OTHER": "0"})
    assert free["ONE"] != free["OTHER"]


def test_cached_answers_take_limited_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also answers without rows, because their questions have long arguments."""
    monkeypatch.setattr("sync_logs_viewer.answers.MEGABYTES_KEPT", 1)
    answers = Answers(TellingWarehouse(history_of_record=[]), Mask())

    async def ask() -> None:
        for number in range(200):
            record = Record("o", f"{number}" * 5_000, False)
            await answers.all(catalog.history_of_record(record, 1, 1))

    asyncio.run(ask())
    assert len(answers._kept) < 100


def test_the_cache_drops_what_was_asked_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sync_logs_viewer.answers.MEGABYTES_KEPT", 0.1)
    warehouse = TellingWarehouse(history_of_record=[])
    answers = Answers(warehouse, Mask())

    def page(number: int) -> Query:
        return catalog.history_of_record(Record("o", f"{number}" * 5_000, False), 1, 1)

    async def ask() -> None:
        for number in (1, 2, 3, 1, 4, 5, 1):
            await answers.all(page(number))

    asyncio.run(ask())
    # the first one was shown again and again, so it was kept
    assert warehouse.asked.count(page(1)) == 1
    assert ("load", page(2)) not in answers._kept


def test_a_page_is_as_of_one_build() -> None:
    """If a build commits while a page is asked, the page is asked again."""
    warehouse = Committing("first", "second")
    answers = Answers(warehouse, Mask())
    about = catalog.sync(Sync("o", "s"))
    build, _ = asyncio.run(answers.all(about))
    assert build.load_id == "second"
    assert warehouse.asked.count(about) == 2


def test_closed_pages_leave_queries_in_spark_alone() -> None:
    """Spark interrupts the thread that plans a cancelled query, which can break the catalog."""
    done = threading.Event()

    class Slow(TellingWarehouse):
        cancelled = 0

        def ask(self, query: Query) -> pa.Table:
            found = super().ask(query)
            assert query.name != "sync" or done.wait(60)
            return found

        def cancel(self, tag: str) -> None:
            self.cancelled += 1

    warehouse = Slow()
    answers = Answers(warehouse, Mask())

    def page(number: int | str) -> "asyncio.Future[Any]":
        return asyncio.ensure_future(answers.all(catalog.sync(Sync("o", str(number)))))

    def asked() -> list[str]:
        return [str(one.arguments["sync_id"]) for one in warehouse.asked if one.name == "sync"]

    async def close() -> None:
        pages = [page(number) for number in range(2 * PARALLEL)]
        while len(asked()) < PARALLEL:
            await asyncio.sleep(0.01)
        for one in pages:
            one.cancel()
        await asyncio.wait(pages)
        # a page that is opened again waits for the query that still runs
        again = page(asked()[0])
        await asyncio.sleep(0.1)
        done.set()
        await again

    asyncio.run(close())
    # the other queries were dropped before Spark had them
    assert len(asked()) == PARALLEL
    assert warehouse.cancelled == 0


def test_a_download_is_as_of_the_build_that_it_names() -> None:
    """If a build commits while the counts are queried, everything is queried again."""
    warehouse = Committing("first", "first", "second")
    response = opened("/run/records.jsonl", warehouse, **OF_RUN)
    assert response.status_code == 200
    assert response.headers["x-sync-logs-load"] == "second"


def test_a_page_key_cannot_probe_hidden_identifiers() -> None:
    key = key_of("load", "an")
    refused = opened("/audience", TellingWarehouse(), "identifiers:hidden", **ABOUT, after=key)
    assert refused.status_code == 400
