"""What asks the named questions: a warehouse, the mask, and how the caller writes arguments."""

import argparse
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass

from dbt_sync_logs.runner import profiles_folder
from sync_logs_viewer.arguments import GivenError, Values, shown
from sync_logs_viewer.masks import VARIABLE, Mask, mask_of
from sync_logs_viewer.questions import Query, Run, Sync, catalog
from sync_logs_viewer.warehouse import Rows, Warehouse, warehouse_of_target


@dataclass(frozen=True)
class Answer:
    """Rows, masked, and the names of all their columns."""

    names: list[str]
    rows: Rows
    # those that fit a terminal, if they are not those of the question
    columns: tuple[str, ...] | None = None


class Asking(ABC):
    """A caller of the named questions: its mask, limit for payloads and spelling of arguments."""

    mask: Mask
    # characters of a payload; None: all of them
    payload_limit: int | None = None

    @abstractmethod
    async def answer(self, query: Query) -> Answer:
        """The answer to a query. Raises WarehouseError."""

    @abstractmethod
    def spelled(self, parameter: str) -> str:
        """The name of a parameter as the caller writes it."""

    def check_not_hidden(self) -> None:
        """Fail if identifiers are hidden. Raises GivenError."""
        if self.mask.identifiers == "hidden":
            raise GivenError(f"Identifiers are hidden ({VARIABLE}): you cannot search for one.")

    async def sync(self, given: Values) -> Sync:
        """The given sync; the organisation can be left out if only one has a sync of that id.

        Raises GivenError, WarehouseError.
        """
        organization_id, sync_id = given["organization_id"], given["sync_id"]
        if organization_id is not None:
            return Sync(organization_id, sync_id)
        syncs = (await self.answer(catalog.syncs())).rows
        found = [one["organization_id"] for one in syncs if one["sync_id"] == sync_id]
        if not found:
            raise GivenError(
                f"No organisation has a sync {shown(repr(sync_id))}; `syncs` lists all syncs."
            )
        if len(found) > 1:
            organizations = ", ".join(sorted(found))
            raise GivenError(
                f"{len(found)} organisations have a sync {shown(repr(sync_id))} "
                f"({organizations}): add {self.spelled('organization_id')}."
            )
        return Sync(found[0], sync_id)

    async def run(self, given: Values) -> Run:
        """The given run; by default the last run of its sync. Raises GivenError, WarehouseError."""
        sync = await self.sync(given)
        run = given["sync_run_id"]
        if run is None:
            last = (await self.answer(catalog.runs(sync, None, 1))).rows
            if not last:
                raise GivenError(
                    f"The sync {shown(repr(sync.sync_id))} has no run: add "
                    f"{self.spelled('sync_run_id')}."
                )
            run = last[0]["sync_run_id"]
        return Run(sync.organization_id, sync.sync_id, run)


class Terminal(Asking):
    """A command that runs once. Raises TargetError, MaskError."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._warehouse = warehouse_of(given, may_start=True)
        self.mask = mask_of(os.environ.get(VARIABLE))

    def rows(self, query: Query) -> Rows:
        """The rows of a query, masked. Raises WarehouseError."""
        return self._answer(query).rows

    async def answer(self, query: Query) -> Answer:
        """See Asking."""
        return self._answer(query)

    def spelled(self, parameter: str) -> str:
        """See Asking."""
        return option(parameter)

    def _answer(self, query: Query) -> Answer:
        found = self._warehouse.ask(query)
        return Answer(list(found.column_names), self.mask.rows(found.to_pylist()))


def option(parameter: str) -> str:
    """The option of the terminal for a parameter."""
    return f"--{parameter.replace('_', '-')}"


def warehouse_of(given: argparse.Namespace, may_start: bool) -> Warehouse:
    """The warehouse of the given target. Raises TargetError."""
    profiles = profiles_folder(given.project_dir, given.profiles_dir)
    return warehouse_of_target(
        given.project_dir, given.target, profiles, given.schema, may_start=may_start
    )
