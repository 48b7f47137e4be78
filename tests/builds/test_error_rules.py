"""Our rules classify destination messages; a bare number in a message is not a status code."""

import re
from typing import Any

import jinja2
import pytest

from helpers.project import PROJECT

MESSAGES = {
    "Invalid record: identifier is null": "missing key",
    "Invalid record: duplicate identifier": "duplicate key",
    "Unrecognised status: paused": "unknown log value",
    "HTTP 429": "rate limit",
    "REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.": "rate limit",
    "Request timed out": "timeout",
    "503 Service Unavailable": "destination unavailable",
    "status code: 500": "destination unavailable",
    "UNABLE_TO_LOCK_ROW: unable to lock row": "locked record",
    "status: 401": "permission",
    "User has unsubscribed": "consent or suppression",
    "NOT NULL constraint failed: accounts.name": "missing value",
    "UNIQUE constraint failed: accounts.contact_email": "not unique",
    "FOREIGN KEY constraint failed": "reference not found",
    "Name is too long (maximum is 80 characters)": "value too long",
    "CHECK constraint failed: seats between 0 and 500": "invalid value",
    "INVALID_EMAIL_ADDRESS": "invalid value",
    "Member 404 is on holiday": None,
    "Row 503 was odd": None,
    "Status 4290 of the account": None,
}


def rules() -> list[dict[str, Any]]:
    """The rules in the SQL of the model, which consists of literals."""
    source = (PROJECT / "models" / "marts" / "rules" / "error_categories.sql").read_text()
    sql = jinja2.Template(source).render()
    row = r"'([^']*)' as pattern,\s+'([^']*)' as category,\s+(\d+) as priority"
    return [
        {"pattern": pattern, "category": category, "priority": int(priority)}
        for pattern, category, priority in re.findall(row, sql)
    ]


@pytest.mark.parametrize(("message", "category"), MESSAGES.items())
def test_message(message: str, category: str | None) -> None:
    found = [rule for rule in rules() if re.search(rule["pattern"], message)]
    found.sort(key=lambda rule: (rule["priority"], rule["category"], rule["pattern"]))
    assert (found[0]["category"] if found else None) == category


def test_every_category_has_a_message() -> None:
    assert {rule["category"] for rule in rules()} == set(MESSAGES.values()) - {None}
