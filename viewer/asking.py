"""What a command of the terminal asks: a warehouse, the mask, and what was named."""

import argparse
import os

from viewer.masks import VARIABLE, mask_of
from viewer.questions import Query, Run, Sync, catalog
from viewer.warehouse import Rows, Warehouse, warehouse_of_target


class GivenError(ValueError):
    """What was given on the command line does not say enough; the message says what to add."""


class Asking:
    """A warehouse and the mask, for a command that asks once."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._warehouse = warehouse_of(given, may_start=True)
        self.mask = mask_of(os.environ.get(VARIABLE))
        self.names: list[str] = []

    def rows(self, query: Query) -> Rows:
        """The rows of a question, as they are shown; `names` are its columns then."""
        found = self._warehouse.ask(query)
        self.names = list(found.column_names)
        return self.mask.rows(found.to_pylist())

    def check_not_hidden(self) -> None:
        """Fail where identifiers are hidden. Raises GivenError."""
        if self.mask.identifiers == "hidden":
            raise GivenError(f"Identifiers are hidden ({VARIABLE}): none can be found.")

    def sync(self, given: argparse.Namespace) -> Sync:
        """The sync that was named; its organisation may be left out if only one has it."""
        if given.organization_id is not None:
            return Sync(given.organization_id, given.sync_id)
        found = [one for one in self.rows(catalog.syncs()) if one["sync_id"] == given.sync_id]
        if len(found) != 1:
            organizations = ", ".join(sorted(one["organization_id"] for one in found))
            raise GivenError(
                f"{len(found)} organisations have a sync {given.sync_id!r}"
                + (f" ({organizations}): add --organization-id." if found else ".")
            )
        return Sync(found[0]["organization_id"], given.sync_id)

    def run(self, given: argparse.Namespace) -> Run:
        """The run that was named; without one, the last run of its sync."""
        sync = self.sync(given)
        run = given.sync_run_id
        if run is None:
            last = self.rows(catalog.runs(sync, None, 1))
            if not last:
                raise GivenError(f"The sync {sync.sync_id!r} has no run: add --sync-run-id.")
            run = last[0]["sync_run_id"]
        return Run(sync.organization_id, sync.sync_id, run)


def warehouse_of(given: argparse.Namespace, may_start: bool) -> Warehouse:
    """The warehouse of the target that was named. Raises TargetError."""
    profiles = given.profiles_dir
    own = given.project_dir / "profiles"
    if profiles is None and "DBT_PROFILES_DIR" not in os.environ and own.is_dir():
        profiles = own
    return warehouse_of_target(
        given.project_dir, given.target, profiles, given.schema, may_start=may_start
    )
