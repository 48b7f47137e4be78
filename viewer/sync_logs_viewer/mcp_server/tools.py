"""Named questions as tools: their descriptions and the JSON Schemas of arguments and results."""

from typing import Any

from mcp.types import Tool, ToolAnnotations

from sync_logs_viewer.arguments import Parameter, rows_up_to
from sync_logs_viewer.named import QUESTIONS, Question
from sync_logs_viewer.settings import download_rows

READS_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
RESULT = {
    "type": "object",
    "properties": {
        "load_id": {"type": "string", "description": "the build that all rows are from"},
        "as_of": {"type": ["string", "null"], "description": "the time of that build, in UTC"},
        "rows": {"type": "array", "items": {"type": "object"}},
        "has_more": {"type": "boolean", "description": "whether rows were left out"},
    },
    "required": ["load_id", "as_of", "rows", "has_more"],
}


def tools() -> list[Tool]:
    """A tool for each named question. Raises SettingError."""
    return [_tool(one) for one in QUESTIONS]


def parameters_of(question: Question) -> tuple[Parameter, ...]:
    """The parameters of a tool: those of its question, and the most rows. Raises SettingError."""
    return (*question.parameters, rows_up_to(download_rows()))


def _tool(question: Question) -> Tool:
    about = f"{question.about[0].upper()}{question.about[1:]}. {question.details}".strip()
    return Tool(
        name=question.command,
        description=about,
        input_schema=_schema(parameters_of(question)),
        output_schema=RESULT,
        annotations=READS_ONLY,
    )


def _schema(parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            one.name: {**one.kind.schema, "description": one.about} for one in parameters
        },
        "required": [one.name for one in parameters if one.is_required],
        "additionalProperties": False,
    }
