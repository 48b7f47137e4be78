"""How much of what the vendor reports about each run is in its log: `log_coverage`."""

from collections.abc import Collection, Mapping

from .history import Run, RunKey, Sync
from .outcomes import changelog_entries, counts_by_stage
from .rows import COUNTED_OP_TYPES, STAGES, Row, run_key

# A count for each stage; None if the vendor does not report it.
Counts = dict[str, int | None]


def coverage_rows(sync: Sync, pruned: Collection[RunKey] = ()) -> list[Row]:
    """Shape the rows of one sync in `log_coverage`; a pruned run keeps the counts that it had."""
    rows = []
    for position, run in enumerate(sync.runs):
        row = _row(run, logged_counts(run), issue(sync, position))
        if run.key in pruned:
            # its table is not read again
            row |= {"issue": "pruned", "deleted_row_count": None, "duplicate_row_count": None}
        rows.append(row)
    return rows


def too_late_row(run: Run) -> Row:
    """Shape the row of a run that is too late: it is read, but no row of it counts."""
    return _row(run, dict.fromkeys(STAGES, 0), "pruned")


def _row(run: Run, logged: Mapping[str, int], its_issue: str | None) -> Row:
    reported = reported_counts(run)
    return {
        **run_key(run),
        **{f"reported_{stage}_count": reported[stage] for stage in STAGES},
        **{f"logged_{stage}_count": logged[stage] for stage in STAGES},
        "stored_row_count": len(run.attempts),
        "deleted_row_count": run.deleted_row_count,
        "duplicate_row_count": run.duplicate_row_count,
        "issue": its_issue,
    }


def reported_counts(run: Run) -> Counts:
    """Sum what the vendor counts in each stage; None if one of the three counts is missing."""
    sums: Counts = {}
    for stage in STAGES:
        columns = [f"num_{stage}_{suffix}" for suffix in COUNTED_OP_TYPES]
        counts = [
            run.reported_counts[column] for column in columns if column in run.reported_counts
        ]
        sums[stage] = sum(counts) if len(counts) == len(columns) else None
    return sums


def logged_counts(run: Run) -> dict[str, int]:
    """Count the changelog rows of a run in each stage, whatever the vendor counts."""
    return counts_by_stage(changelog_entries(run))


def issue(sync: Sync, position: int) -> str | None:
    """Say why the log of a run that is not pruned is not complete; None if it seems to be."""
    run = sync.runs[position]
    if run.has_unreadable_file:
        return "unreadable files"
    logged = logged_counts(run)
    logs_successes = run.source.logs_succeeded_records
    # What the source does not log cannot be missing.
    reported = {
        stage: count
        for stage, count in reported_counts(run).items()
        if count is not None and (logs_successes or stage == "failed")
    }
    if all(logged[stage] == count for stage, count in reported.items()):
        has_more = not logs_successes and reported_counts(run)["succeeded"]
        return "successes not logged" if has_more else None
    if not sync.settled[position]:
        return "not settled"
    # The first stage that is reported is compared: the stages are in the order of the rules.
    compared = next(iter(reported))
    missing = reported[compared] - logged[compared]
    if missing > 0:
        return _why_rows_are_missing(sync, position)
    return "more than reported" if missing < 0 else "other outcomes"


def is_log_complete(sync: Sync, position: int) -> bool | None:
    """Whether the log of a run has the rows that are reported; None if that cannot be known."""
    its_issue = issue(sync, position)
    if its_issue in ("aborted", "not settled", "successes not logged"):
        return None
    if its_issue is not None:
        return False
    is_counted = any(count is not None for count in reported_counts(sync.runs[position]).values())
    return True if is_counted and sync.settled[position] else None


def _why_rows_are_missing(sync: Sync, position: int) -> str:
    run = sync.runs[position]
    earlier_has_rows = any(one.attempts for one in sync.runs[:position])
    no_run_has_rows = not any(one.attempts for one in sync.runs)
    if run.reported_status == "failed":
        return "aborted"
    if not run.attempts and (earlier_has_rows or no_run_has_rows):
        return "switched off"
    return "rows missing" if earlier_has_rows else "expired"
