"""The list of faults fits the project; `make test-faults` tries them."""

import re

import pytest

from faults import FAULTS, Fault, FaultError
from helpers.project import PROJECT
from helpers.unit_tests import written


def test_each_fault_has_a_name_of_its_own() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(names) == len(set(names)) >= 40


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_changes_its_file(fault: Fault) -> None:
    text = (PROJECT / fault.file).read_text("utf-8")
    assert fault.in_text(text) != text


def test_the_suite_of_each_fault_is_there() -> None:
    models = {model for model, _ in written().values()}
    lost = [
        f"{fault.name}: {fault.seen_by}"
        for fault in FAULTS
        if not (fault.seen_by in models if fault.is_in_unit_tests else is_test(fault.seen_by))
    ]
    assert lost == []


def is_test(seen_by: str) -> bool:
    file, _, name = seen_by.partition("::")
    path = PROJECT / file
    return path.is_file() and f"def {name}(" in path.read_text("utf-8")


def test_models_that_read_tables_have_faults_of_their_own() -> None:
    """A round of such faults is made without knowing who calls a macro."""
    read_tables = {model for model, reads_tables in written().values() if reads_tables}
    files = {fault.file for fault in FAULTS if fault.seen_by in read_tables}
    assert [file for file in files if not file.startswith("models/")] == []


def test_each_room_has_a_fault() -> None:
    folders = {
        "/".join(file.relative_to(PROJECT).parts[:3])
        for folder in ("models/intermediate", "models/marts")
        for file in (PROJECT / folder).rglob("*.sql")
    }
    files = [fault.file for fault in FAULTS]
    empty = [one for one in folders if not any(file.startswith(f"{one}/") for file in files)]
    assert empty == []


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a = b or a = b", 2)])
def test_a_fault_that_fits_no_longer_says_what_to_do(text: str, count: int) -> None:
    fault = Fault("a name", "models/a.sql", "a = b", "a <= b", "why", "a_model")
    said = f"'a name' expects its `old` text exactly once in models/a.sql, but it is there {count}"
    with pytest.raises(FaultError, match=re.escape(said)):
        fault.in_text(text)
