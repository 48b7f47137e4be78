"""What a command of the terminal works with: a warehouse, the mask, and the given names."""

import argparse
import os

from dbt_sync_logs.runner import profiles_folder
from sync_logs_viewer.masks import VARIABLE, mask_of
from sync_logs_viewer.questions import Query, Run, Sync, catalog
from sync_logs_viewer.warehouse import Rows, Warehouse, warehouse_of_target


class GivenError(ValueError):
    """The command line lacks something; the message says what to add."""


class Asking:
    """A warehouse and the mask, for a command that runs once."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._warehouse = warehouse_of(given, may_start=True)
        self.mask = mask_of(os.environ.get(VARIABLE))
        self.names: list[str] = []

    def rows(self, query: Query) -> Rows:
        """The rows of a query, masked; afterwards `names` has its columns."""
        found = self._warehouse.ask(query)
        self.names = list(found.column_names)
        return self.mask.rows(found.to_pylist())

    def check_not_hidden(self) -> None:
        """Fail if identifiers are hidden. Raises GivenError."""
        if self.mask.identifiers == "hidden":
            raise GivenError(f"Identifiers are hidden ({VARIABLE}): you cannot search for one.")

    def sync(self, given: argparse.Namespace) -> Sync:
        """The given sync; the organisation can be left out if only one has a sync of that id."""
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
        """The given run; by default the last run of its sync."""
        sync = self.sync(given)
        run = given.sync_run_id
        if run is None:
            last = self.rows(catalog.runs(sync, None, 1))
            if not last:
                raise GivenError(f"The sync {sync.sync_id!r} has no run: add --sync-run-id.")
            run = last[0]["sync_run_id"]
        return Run(sync.organization_id, sync.sync_id, run)


def warehouse_of(given: argparse.Namespace, may_start: bool) -> Warehouse:
    """The warehouse of the given target. Raises TargetError."""
    profiles = profiles_folder(given.project_dir, given.profiles_dir)
    return warehouse_of_target(
        given.project_dir, given.target, profiles, given.schema, may_start=may_start
    )
