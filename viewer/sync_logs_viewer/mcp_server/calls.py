"""A call of a tool: answered as of one build, cut, and logged without its values."""

import json
import logging
import time
from collections.abc import Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent

from sync_logs_viewer.answers import ATTEMPTS, Answers, Build
from sync_logs_viewer.arguments import GivenError, values_of
from sync_logs_viewer.asking import Answer, Asking
from sync_logs_viewer.named import Question
from sync_logs_viewer.questions import Query
from sync_logs_viewer.warehouse import TargetError, WarehouseError
from sync_logs_viewer.web.formats import as_data
from sync_logs_viewer.web.pages import with_lists
from sync_logs_viewer.web.routes.run import payload_limit

from .tools import parameters_of

logger = logging.getLogger(__name__)
# columns whose text is a JSON array
LISTS = ("sample_identifiers", "json_types", "incomplete_sync_run_ids")
# errors that the caller can do something about; the messages of others may have values of the log
TOLD = (GivenError, TargetError, WarehouseError)


class Machine(Asking):
    """A caller of a tool, who shares the cache with all others."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self.mask = answers.mask
        self.payload_limit = payload_limit(answers)
        # what its answers are as of
        self.builds: list[Build] = []

    async def answer(self, query: Query) -> Answer:
        """See Asking."""
        build, (rows,) = await self._answers.all(query)
        self.builds.append(build)
        return Answer(list(rows[0]) if rows else [], rows)

    def spelled(self, parameter: str) -> str:
        """See Asking."""
        return parameter


async def call(
    answers: Answers, question: Question, arguments: Mapping[str, object]
) -> CallToolResult:
    """The result of a tool; what went wrong is a result, too."""
    began = time.monotonic()
    try:
        found = await _found(answers, question, arguments)
    except Exception as error:
        name = type(error).__name__
        _log(question.command, name, began)
        told = str(error) if isinstance(error, TOLD) else f"{question.command} failed with {name}."
        return CallToolResult(content=[TextContent(text=told)], is_error=True)
    _log(question.command, f"{len(found['rows'])} rows", began)
    # also as a text, because some clients read nothing else
    text = TextContent(text=json.dumps(found, ensure_ascii=False))
    return CallToolResult(content=[text], structured_content=found)


async def _found(
    answers: Answers, question: Question, arguments: Mapping[str, object]
) -> dict[str, Any]:
    values = values_of(parameters_of(question), arguments, str)
    most = values["rows"]
    for _ in range(ATTEMPTS):
        machine = Machine(answers)
        # one row more shows whether there are more
        answer = await question.ask(machine, {**values, "rows": most + 1})
        if len({*machine.builds}) == 1:
            break
    build, rows = machine.builds[-1], answer.rows[:most]
    rows = with_lists(rows, *(name for name in LISTS if name in answer.names))
    found = as_data({"load_id": build.load_id, "as_of": build.as_of, "rows": rows})
    assert isinstance(found, dict)
    return {**found, "has_more": len(answer.rows) > most}


def _log(tool: str, outcome: str, began: float) -> None:
    logger.info("%s: %s, %.2f s", tool, outcome, time.monotonic() - began)
