"""The folders of models and of macros, in the order in which they may use each other.

`docs/architecture.md` shows them as dbt's manifest has them, and tests hold the order.
"""

from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import PurePosixPath
from typing import Any

from .manifest import IncompleteDocsError, ours

BEGIN = "<!-- `make docs` writes from here -->"
END = "<!-- to here -->"
# folders below models/, in the order of a build
MODEL_ROOMS = {
    "marts/rules": "rules that assign errors to categories; a build reads them first",
    "staging": "settings of single syncs, rules for errors and names, as users give them",
    "intermediate/rules": "the rules, checked, as this build uses them",
    "intermediate/sources (arrivals)": "the runs in tables of vendors, a folder for each vendor",
    "intermediate/lake": "files and runs of tables, and which are new; the source of each of them",
    "intermediate/sources": "rows of the runs that are new or changed, a folder for each vendor",
    "intermediate/landing": "records, metadata and facts, as they were read; the manifest of files",
    "intermediate/audit": "why a file cannot be read; a Python model",
    "intermediate/runs": "the runs, their order, and which are replayed; the manifest of runs",
    "intermediate/state": "what the runs did to each record: changelog, memberships, states",
    "intermediate/answers": "counts of runs, syncs, days and errors, computed once for each load",
    "intermediate/publish": "the history of builds, and the commit",
    "intermediate/committed": "committed rows, for documented tables; most names end in `__live`",
    "marts": "the documented tables",
}
# tables of the state that the models of a folder read as an earlier build left them
READS_BEFORE = {
    "intermediate/sources (arrivals)": ("int_files__landed",),
    "intermediate/lake": ("int_files__landed", "int_runs__planned", "int_sources__known"),
    "intermediate/sources": (
        *("int_changelog__built", "int_facts__landed", "int_files__landed"),
        *("int_record_states__built", "int_records__landed", "int_runs__planned"),
    ),
    "intermediate/landing": ("int_files__landed", "purged_records"),
    "intermediate/audit": ("int_files__audited",),
    "intermediate/runs": ("int_run_counts__built", "int_runs__planned"),
    "intermediate/state": (
        *("int_changelog__built", "int_record_errors__built", "int_record_states__built"),
    ),
    "intermediate/answers": ("int_patterns__clustered",),
    "intermediate/publish": ("int_loads__recorded",),
    # the audit comes after the commit, and readers do not wait for it
    "marts": ("int_files__audited",),
}
# the only folder of macros that is in tests/
GENERIC_TESTS = "generic"
# the source that is the state of an earlier build, and the commit in it
STATE, COMMIT = "sync_logs_state", "load_current"
# models of sources that are read before the build knows what is new
ARRIVALS = (
    "__arrivals.sql",
    "__attempts.sql",
    "__history.sql",
    "__names.sql",
    "__snapshots.sql",
)
HEADS = ("folder", "what it has", "models", "reads of the load before")
# folders below macros/ and tests/
MACRO_ROOMS = {
    "session": "what this command is: its engine, names, times, load ids, whether it builds",
    "settings": "checks of settings and arguments, known words",
    "storage": "the formats of tables: parquet, Delta Lake, Apache Iceberg",
    "vocabulary": "what words, payloads and times of the log mean",
    "types": "the types of columns that Spark finds, and conversions to those of our tables",
    "lake": "pointers to the lake, and which files are read",
    "sources": "tables of vendors: where they are, which columns they have",
    "state": "how the state is read: its tables, checkpoints, `state_as_of`",
    "rules": "the rules for errors as they are given, and warnings about faulty ones",
    "loads": "what a build and its commit write; compaction, collection of loads",
    "retention": "pruning and purging",
    "fields": "which fields of two payloads differ",
    "views": "the materialization of views",
    "questions": "queries with arguments, for projects that use the package",
    "doctor": "what the doctor reports, and hints after a failed test",
    "engines": "what differs on another engine: Databricks",
    GENERIC_TESTS: "generic tests",
}


def model_room(path: str) -> str:
    """The room of a model, by its path below the project. Raises ValueError for a new folder."""
    folder = PurePosixPath(path).parent.relative_to("models").as_posix()
    # the plan needs what has arrived, and what is read needs the plan; an adapter has both
    if folder.startswith("intermediate/sources"):
        is_arrivals = path.endswith(ARRIVALS)
        return "intermediate/sources (arrivals)" if is_arrivals else "intermediate/sources"
    room = folder if folder in MODEL_ROOMS else folder.partition("/")[0]
    if room not in MODEL_ROOMS:
        raise ValueError(f"Expected a folder of models/ that rooms.py lists, given {folder!r}")
    return room


def macro_room(path: str) -> str:
    """The room of a macro. Raises ValueError for a new folder."""
    room = PurePosixPath(path).parent.name
    if room not in MACRO_ROOMS:
        raise ValueError(f"Expected a folder of macros/ that rooms.py lists, given {room!r}")
    return room


def model_reads(manifest: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Which model reads which other one of the project, as pairs of unique ids."""
    models = ours(manifest["nodes"], "model")
    return {
        (unique_id, read)
        for unique_id, node in models.items()
        for read in node["depends_on"]["nodes"]
        if read in models
    }


def reads_before(manifest: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The tables that each room reads as an earlier build left them, as in `READS_BEFORE`.

    A model reads them as sources, so dbt does not order it after the model that writes them. Nearly
    all read the commit of that build too, which is left out.
    """
    found: dict[str, set[str]] = {}
    for node in ours(manifest["nodes"], "model").values():
        for read in node["depends_on"]["nodes"]:
            source = manifest["sources"].get(read)
            if source and source["source_name"] == STATE and source["name"] != COMMIT:
                room = model_room(node["original_file_path"])
                found.setdefault(room, set()).add(source["identifier"])
    return {room: tuple(sorted(found[room])) for room in MODEL_ROOMS if room in found}


def macro_calls(manifest: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Which file of macros calls which other one of the project."""
    macros = ours(manifest["macros"], "macro")
    return {
        (macro["original_file_path"], macros[called]["original_file_path"])
        for macro in macros.values()
        for called in macro["depends_on"]["macros"]
        if called in macros and macros[called]["original_file_path"] != macro["original_file_path"]
    }


def with_rooms(page: str, manifest: Mapping[str, Any]) -> str:
    """The page with its drawn part from the manifest. Raises IncompleteDocsError."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise IncompleteDocsError(f"architecture.md: expected the lines {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n\n{_drawn(manifest)}\n\n{END}{after}"


def _drawn(manifest: Mapping[str, Any]) -> str:
    models = ours(manifest["nodes"], "model")
    room_of = {one: model_room(node["original_file_path"]) for one, node in models.items()}
    rows = [
        f"| `models/{room}` | {meaning} | {_names(room, room_of)} | {_before(room)} |"
        for room, meaning in MODEL_ROOMS.items()
    ]
    macros = [
        f"| `macros/{room}` | {meaning} |"
        for room, meaning in MACRO_ROOMS.items()
        if room != GENERIC_TESTS
    ]
    return "\n\n".join(
        [
            "\n".join(["```mermaid", "flowchart TD", *_tables(models, room_of), "```"]),
            "\n".join([f"| {' | '.join(HEADS)} |", "|---|---|---|---|", *rows]),
            "\n".join(["| folder | what it has |", "|---|---|", *macros]),
        ]
    )


def _tables(models: Mapping[str, Any], room_of: Mapping[str, str]) -> list[str]:
    """The tables of the state, each room a box, with arrows from what is read to what reads it."""
    reads = {one: _read_tables(one, models) for one in models if _is_table(models[one])}
    # what each table is made from, in the end
    made_from: dict[str, set[str]] = {}
    for one in TopologicalSorter(reads).static_order():
        made_from[one] = reads[one].union(*(made_from[read] for read in reads[one]))
    ordered = sorted(reads, key=lambda one: (list(MODEL_ROOMS).index(room_of[one]), one))
    boxes = [
        line
        for place, room in enumerate(dict.fromkeys(room_of[one] for one in ordered))
        for line in (
            f"    subgraph r{place} [{room.removeprefix('intermediate/')}]",
            *(f"        {_name(one)}" for one in ordered if room_of[one] == room),
            "    end",
        )
    ]
    arrows = [
        f"    {_name(read)} --> {_name(one)}"
        for one in ordered
        for read in sorted(reads[one])
        # what another arrow implies is left out
        if not any(read in made_from[other] for other in reads[one])
    ]
    return [*boxes, *arrows]


def _read_tables(reader: str, models: Mapping[str, Any]) -> set[str]:
    """The tables of the state that a model reads, itself or through views."""
    found: set[str] = set()
    for read in models[reader]["depends_on"]["nodes"]:
        if read in models:
            found |= {read} if _is_table(models[read]) else _read_tables(read, models)
    return found


def _is_table(node: Mapping[str, Any]) -> bool:
    return bool(node["config"]["materialized"] == "load" or node["name"] == "sync_load_current")


def _name(unique_id: str) -> str:
    return unique_id.rpartition(".")[2]


def _before(room: str) -> str:
    return ", ".join(f"`{name}`" for name in READS_BEFORE.get(room, ()))


def _names(room: str, room_of: Mapping[str, str]) -> str:
    names = sorted(_name(one) for one, here in room_of.items() if here == room)
    return ", ".join(f"`{name}`" for name in names)
