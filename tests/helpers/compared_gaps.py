"""Gaps of random models, as the macro finds them and as the independent computation does."""

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from datetime import timezone
from typing import Any

from pyspark.sql import SparkSession

from conftest import Warehouse
from oracle.answers_facts import SyncFacts
from oracle.gaps import ModelRow, delivery_gaps
from oracle.json_texts import payload_fields

COLUMNS = ("row_id", "gap", "reason", "since_at", "failure_reason", "differing_columns")
SIMPLE = re.compile(r"[A-Za-z_]+")
MOST_SYNCS = 12


def gaps_differing(built: Warehouse, all_facts: Sequence[SyncFacts], seed: int) -> dict[str, Any]:
    """The syncs whose gaps differ, each with the rows that only one side has."""
    chance = random.Random(seed)
    syncs = [facts for facts in all_facts if facts.outcomes]
    chosen = chance.sample(syncs, min(MOST_SYNCS, len(syncs)))
    models = [_random_model(facts, chance) for facts in chosen]
    session = SparkSession.builder.getOrCreate()
    session.sql(f"use {built.schema}")
    calls = []
    for number, (facts, (names, rows, sent)) in enumerate(zip(chosen, models, strict=True)):
        columns = ["id", *names]
        schema = ", ".join(f"{name} string" for name in columns)
        values = [(key, *(columns[name] for name in names)) for key, columns in rows]
        session.createDataFrame(values, schema).createOrReplaceTempView(f"gaps_{number}")
        session.createDataFrame([(key,) for key in sent], "id string").createOrReplaceTempView(
            f"sent_{number}"
        )
        about = [facts.sync.sync_id, facts.sync.organization_id]
        sync_id, organization_id = map(json.dumps, about)
        calls.append(
            f'delivery_gaps("(select * from gaps_{number})", "id", {sync_id}, {organization_id}, '
            f'{names or None}, "(select * from sent_{number})")'
        )
    differing = {}
    for query, facts, (_, rows, sent) in zip(built.compiled(*calls), chosen, models, strict=True):
        found = Counter(map(_comparable, (row.asDict() for row in session.sql(query).collect())))
        expected = Counter(map(_comparable, delivery_gaps(facts, rows, sent)))
        if found != expected:
            key = f"{facts.sync.organization_id}/{facts.sync.sync_id}"
            differing[key] = {"found": list(found - expected), "expected": list(expected - found)}
    # dbt would list them as tables without a schema
    for number in range(len(chosen)):
        session.catalog.dropTempView(f"gaps_{number}")
        session.catalog.dropTempView(f"sent_{number}")
    return differing


def _random_model(
    facts: SyncFacts, chance: random.Random
) -> tuple[list[str], list[ModelRow], list[str | None]]:
    """Fields to compare, rows of a model, and the keys of those that the sync reads."""
    keys = sorted({one.row_id for one in facts.outcomes if one.row_id is not None})
    payloads = [payload_fields(one.entry.attempt.row.record_payload) for one in facts.outcomes]
    texts = {
        (name, value)
        for payload in payloads
        for name, value in (payload or {}).items()
        if SIMPLE.fullmatch(name) and (value is None or SIMPLE.fullmatch(value))
    }
    names = sorted({name for name, _ in texts})[:2]
    of_name = {name: sorted({str(v) for n, v in texts if n == name and v}) for name in names}
    rows: list[ModelRow] = []
    for key in [*chance.sample(keys, len(keys) * 2 // 3), "never sent", None]:
        for _ in range(chance.choice([1, 1, 1, 2])):
            columns = {name: chance.choice([None, "other", *of_name[name]]) for name in names}
            rows.append((key, columns))
    sent = [key for key, _ in rows if chance.random() < 0.8]
    return names, rows, sent


def _comparable(row: dict[str, Any]) -> tuple[Any, ...]:
    since_at, differing = row["since_at"], row["differing_columns"]
    if since_at is not None:
        since_at = since_at.replace(tzinfo=since_at.tzinfo or timezone.utc).isoformat()
    if isinstance(differing, str):
        differing = json.loads(differing)
    told = {**row, "since_at": since_at, "differing_columns": differing and tuple(differing)}
    return tuple(told[name] for name in COLUMNS)
