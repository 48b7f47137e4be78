"""A small project with our macros: Python models that succeed or fail in several ways."""

from pathlib import Path

from conftest import Warehouse
from helpers.project import PROJECT

MODELS = {
    # the columns are in a different order than in the YAML
    "good.py": """\
def model(dbt, session):
    words = [("three", 3), (None, 4)]
    return session.createDataFrame(words, "word string, number bigint")
""",
    "after_good.sql": """\
select number, word from {{ ref('good') }} where load_id = '{{ sync_logs.load_id() }}'
""",
    "raises.py": """\
def model(dbt, session):
    count = session.range(3).count()
    return divided(session, count)


def divided(session, count):
    raise ValueError(f"counted {count}")
""",
    "after_raises.sql": "select number, word from {{ ref('raises') }}",
    "spark_raises.py": """\
def model(dbt, session):
    session.sql("select raise_error('of the server')").collect()
    return session.range(3)
""",
    "other_columns.py": """\
def model(dbt, session):
    return session.createDataFrame([("three", 3)], "words string, number bigint")
""",
    "no_frame.py": """\
def model(dbt, session):
    return [3]
""",
}
FAILED = ["no_frame", "other_columns", "raises", "spark_raises"]
MESSAGES = {
    "raises": """\
Traceback (most recent call last):
  File "models/intermediate/raises.py", line 3, in model
    return divided(session, count)
  File "models/intermediate/raises.py", line 7, in divided
    raise ValueError(f"counted {count}")
ValueError: counted 3""",
    "other_columns": "The columns of the frame are not those that the model's YAML declares. "
    "Expected: number, word. Given: words, number.",
    "no_frame": "A Python model returns a Spark DataFrame, not list.",
}


def write_project(folder: Path) -> Path:
    """Write the project; the macros, the profile and the sources are ours."""
    models = folder / "models" / "intermediate"
    models.mkdir(parents=True)
    (folder / "dbt_project.yml").write_text((PROJECT / "dbt_project.yml").read_text())
    (folder / "macros").symlink_to(PROJECT / "macros")
    (folder / "models" / "_sources.yml").symlink_to(PROJECT / "models/staging/_sources.yml")
    described = "version: 2\nmodels:\n"
    for name, code in MODELS.items():
        (models / name).write_text(code)
        described += f"  - name: {name.split('.')[0]}\n"
        described += "    config: {materialized: load, meta: {state: {}}}\n"
        described += "    columns:\n      - {name: number, data_type: bigint}\n"
        described += "      - {name: word, data_type: string}\n"
        described += "      - {name: load_id, data_type: string}\n"
    (models / "_models.yml").write_text(described)
    return folder


def check(built: Warehouse) -> None:
    """Build the project and check the result of each model."""
    assert not built.dbt("run")
    assert built.failed() == FAILED, built.failures()
    status = {one.node.name: str(one.status) for one in built.results}
    assert [name for name, one in status.items() if one == "skipped"] == ["after_raises"]
    rows = built.rows("good", suffix="_state")
    assert sorted((row["number"], row["word"]) for row in rows) == [(3, "three"), (4, None)]
    assert len(built.rows("after_good", suffix="_state")) == 2

    messages = {one.node.name: str(one.message) for one in built.results}
    for name, expected in MESSAGES.items():
        lines = [line.removeprefix("  ") for line in messages[name].splitlines()]
        assert "\n".join(lines[1:]) == expected
    told = messages["spark_raises"]
    assert 'File "models/intermediate/spark_raises.py", line 2, in model' in told
    assert "of the server" in told
    assert "py4j" not in told
    assert "org.apache.spark.sql." not in told
    assert told.count("File ") == 1
