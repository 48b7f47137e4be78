"""The generated pages of `docs/` match the project: `make docs`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import Warehouse
from documents.pages_of_docs import DOCS, TABLES, manifest_in, pages_now
from helpers.consumer_projects import bare_consumer, parsed
from helpers.documents import DOCUMENTS, blocks
from helpers.project import PROJECT
from scripts.pages import (
    IncompleteDocsError,
    analyses_of,
    configuration_page,
    operation_outputs,
    outputs_in,
    settings_of,
    tables_of,
)

Manifest = Mapping[str, Any]
OPERATIONS = DOCS / "operations.md"
CODE = re.compile(r"`(\w+)`")
FILES = re.compile(r"batch file|fact file|metadata\.json|files? (?:of|in) the .*lake|and file")
TABLES_SAID = re.compile(r"tables? of|vendor's table|in a table|fact tables")
# they say where rows are and which count, and have none of them
MANIFESTS = {"int_files__planned", "int_files__landed", "sync_load_current"}
ROWS_OF_TABLES = {
    *("int_sources__arrivals", "int_sources__names", "int_sources__records", "int_sources__runs"),
}
TABLES_OF_VENDORS = {"sync_changelog", "sync_log", "sync_runs", "sync_snapshot"}


@pytest.fixture(scope="module")
def manifest(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    folder = tmp_path_factory.mktemp("parsed")
    built = Warehouse("parsed", folder / "lake", folder / "target")
    assert built.dbt("parse"), built.failures()
    return manifest_in(folder / "target")


def test_the_pages_match_the_project(manifest: Manifest) -> None:
    written = {str(path.relative_to(DOCS)): path.read_text() for path in DOCS.rglob("*.md")}
    pages = pages_now(manifest)
    stale = [name for name, text in pages.items() if written.get(name) != text]
    assert stale == [], "run: make docs"
    of_tables = {name for name in written if name.startswith("tables/")}
    assert of_tables <= set(pages), "a removed table still has a page: make docs"


def test_no_page_has_an_empty_link_or_a_sentence_with_a_gap(manifest: Manifest) -> None:
    # links without text or target, empty code or bold marks, a space before punctuation
    empty = re.compile(
        r"\[\s*\]\(|\]\(\s*\)|(?<!`)``(?!`)|\*{4}|(?<=\w) [.,;:](?=\s|$)", re.MULTILINE
    )
    found = {}
    for name, page in pages_now(manifest).items():
        text = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
        found[name] = [line for line in text.splitlines() if empty.search(line)]
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_query_without_a_documented_table_names_its_macro(manifest: Manifest) -> None:
    node = manifest["nodes"]["analysis.sync_logs.field_changes_between_runs"]
    known = manifest["nodes"] | {"analysis": {**node, "depends_on": {"nodes": [], "macros": []}}}
    with pytest.raises(IncompleteDocsError, match="it reads no documented table"):
        analyses_of({"nodes": known})
    page = pages_now(manifest)["questions.md"]
    assert "field_changes_between_runs.sql), with the macro `field_changes_between`." in page


def test_every_example_has_an_output() -> None:
    models = [model.stem for model in PROJECT.glob("models/marts/*/*.sql")]
    outputs = {name: outputs_in((TABLES / f"{name}.md").read_text()) for name in models}
    assert [name for name in models if "---" not in outputs[name].get(name, "")] == []
    answers = outputs_in((DOCS / "questions.md").read_text())
    queries = [query.stem for query in PROJECT.glob("analyses/*.sql")]
    assert [name for name in queries if "---" not in answers.get(name, "")] == []


def test_every_query_to_adapt_begins_with_its_question() -> None:
    queries = [*PROJECT.glob("analyses/*.sql")]
    assert [query.name for query in queries if not query.read_text().startswith("{#")] == []
    described = yaml.safe_load((PROJECT / "analyses" / "_analyses.yml").read_text())["analyses"]
    assert {one["name"] for one in described} == {query.stem for query in queries}


def test_a_description_names_what_its_model_reads(manifest: Manifest) -> None:
    models = models_of(manifest)
    nodes = {*models, *(one["name"] for one in manifest["nodes"].values()), *TABLES_OF_VENDORS}
    read_by = {
        name: {of_id(one) for one in manifest["parent_map"][node["unique_id"]]}
        for name, node in models.items()
    }
    wrong = []
    for name, node in models.items():
        said = " ".join(node["description"].split())
        before, after = all_read(name, read_by), {one for one in models if name in read_by[one]}
        beside = {one for one in models if read_by[one] & read_by[name]}
        known = before | after | beside | {name, *node["config"]["meta"].get("reads", {})}
        if (set(CODE.findall(said)) & nodes) - known:
            wrong.append(f"{name}: it has nothing to do with a table that it names")
        _, _, source = said.partition("Source: ")
        named = set(CODE.findall(source)) & set(nodes)
        if named and named != read_by[name]:
            wrong.append(f"{name}: it reads {read_by[name]}")
        if FILES.search(said) and before & ROWS_OF_TABLES and not TABLES_SAID.search(said):
            wrong.append(f"{name}: it also reads tables of vendors")
    assert wrong == []


def models_of(manifest: Manifest) -> dict[str, Any]:
    """Our models, by name."""
    ours = [one for key, one in manifest["nodes"].items() if key.startswith("model.sync_logs.")]
    return {one["name"]: one for one in ours}


def of_id(unique_id: str) -> str:
    return unique_id.rpartition(".")[2]


def all_read(name: str, read_by: Mapping[str, set[str]]) -> set[str]:
    """The models that a model reads, itself or through others, but not through the manifests."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = read_by.get(waiting.pop(), set()) - found
        found |= new
        waiting += new - MANIFESTS
    return found


def test_every_output_in_a_document_is_produced() -> None:
    outputs = {
        (str(document.relative_to(PROJECT)), block.split()[0].split("/")[0])
        for document in DOCUMENTS
        for block in blocks(document, "text")
        if document.parent != TABLES and document.name != "questions.md"
    }
    # `make docs` writes the others but the one-off check; test_examples.py compares all with a run
    assert outputs == {
        *(("README.md", "Most"), ("README.md", "vendor"), ("docs/moving.md", "organization_id")),
        *(("docs/operations.md", name) for name in operation_outputs(OPERATIONS.read_text())),
        ("CONTRIBUTING.md", "1"),
        # the layout of a lake
        ("README.md", "<lake>"),
    }


def test_a_table_without_a_question_is_named(manifest: Manifest) -> None:
    node = manifest["nodes"]["model.sync_logs.sync_runs"]
    silent = {**node, "config": {**node["config"], "meta": {}}}
    with pytest.raises(IncompleteDocsError, match=r"sync_runs: its YAML has no .*question"):
        tables_of({"nodes": {"model": silent}})


def test_a_column_that_does_not_say_whether_it_can_be_null_is_named(manifest: Manifest) -> None:
    node = manifest["nodes"]["model.sync_logs.sync_runs"]
    columns = {"error": {**node["columns"]["error"], "description": "Error of the whole run."}}
    with pytest.raises(IncompleteDocsError, match=r"sync_runs: .* whether error can be null"):
        tables_of({"nodes": {"model": {**node, "columns": columns}}})


def test_common_columns_are_described_once(manifest: Manifest) -> None:
    pages = pages_now(manifest)
    index, runs = pages["tables/README.md"], pages["tables/sync_runs.md"]
    _, _, described = index.partition("## Common columns")
    many = columns_in(described)
    assert {"organization_id", "source_name", "sync_id", "vendor"} <= set(many)
    (named,) = re.findall(r"^\[Common columns\].*?\.$", runs, re.MULTILINE | re.DOTALL)
    columns = list(manifest["nodes"]["model.sync_logs.sync_runs"]["columns"])
    assert [one for one in columns if one not in many] == columns_in(runs)
    assert [one for one in columns if one in many] == CODE.findall(named)
    assert "Never null. " not in index + runs
    # columns in sequence that mean the same share an item
    assert "- `num_planned_add`, `num_planned_change`, `num_planned_remove` (bigint): " in runs


def columns_in(page: str) -> list[str]:
    """The columns that a page lists, in their order."""
    return CODE.findall(" ".join(re.findall(r"^- (`\w+`(?:,\s+`\w+`)*) \(\w+\):", page, re.M)))


def test_settings_are_read_with_their_comments() -> None:
    (first, second) = settings_of("""
name: project
vars:
  sync_logs:
    # -- Time --
    # How long. 60 because files
    # are late. Range: 0 to 9. Null: never.
    sync_logs_minutes: 60

    # Where.
    sync_logs_path: "{{ env_var('HERE') }}"
models:
  # not a setting
""")
    assert (first.name, first.default, first.group) == ("sync_logs_minutes", "60", "Time")
    assert first.reason == "How long. 60 because files are late. Null: never."
    assert (first.range, second.range) == ("0 to 9", "")
    assert second.default == "{{ env_var('HERE') }}"
    assert "## Time\n\n### `sync_logs_minutes`" in configuration_page([first, second])


def test_every_setting_has_a_reason() -> None:
    project = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())
    settings = settings_of((PROJECT / "dbt_project.yml").read_text())
    assert [one.name for one in settings] == list(project["vars"]["sync_logs"])
    assert [one.name for one in settings if not (one.reason and one.group)] == []


def test_our_analyses_exposures_and_overview_stay_out_of_other_projects(tmp_path: Path) -> None:
    off = {"marts": {"audiences": {"+enabled": False}, "facts": {"+enabled": False}}}
    project = bare_consumer(tmp_path / "project", profile="shop", models={"sync_logs": off})
    target = {"type": "spark", "method": "session", "host": "localhost", "schema": "shop"}
    profile = {"shop": {"target": "dev", "outputs": {"dev": target}}}
    (project / "profiles.yml").write_text(yaml.safe_dump(profile))
    theirs = parsed(project)
    ours = [key for key in (*theirs.nodes, *theirs.exposures) if "sync_logs" in key]
    assert [key for key in ours if key.startswith(("analysis.", "exposure."))] == []
    assert "doc.sync_logs.__overview__" not in theirs.docs
    assert "doc.sync_logs.__sync_logs__" in theirs.docs
