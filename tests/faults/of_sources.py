"""Faults in what is read of the tables of vendors."""

from faults.fault import Fault

SOURCES = "models/intermediate/sources"
LANDING = "models/intermediate/landing"
FAULTS = (
    Fault(
        "a stored row goes before that of the source",
        f"{SOURCES}/int_sources__records_to_land.sql",
        "                is_stored asc,\n",
        "                is_stored desc,\n",
        "A row that a vendor has corrected keeps its first status.",
    ),
    Fault(
        "rows of two organisations have the same key",
        f"{SOURCES}/int_sources__records_to_land.sql",
        "            partition by organization_id, sync_id, sync_run_id, file_name, source_key\n"
        "            order by",
        "            partition by sync_id, sync_run_id, file_name, source_key\n"
        "            order by",
        "Of two organisations with the same ids, one loses its rows.",
    ),
    Fault(
        "rows that the vendor has deleted are forgotten",
        f"{SOURCES}/int_sources__records_to_land.sql",
        "            records_landed.load_id = arrivals_to_read.stored_load_id\n",
        "            records_landed.load_id != arrivals_to_read.stored_load_id\n",
        "When a vendor deletes old rows of a run that changes, they vanish here too.",
    ),
    Fault(
        "a snapshot belongs to the first run without a start",
        f"{SOURCES}/hightouch/int_hightouch__snapshots.sql",
        "                started_at desc nulls first,\n",
        "                started_at desc nulls last,\n",
        "The rows of a snapshot are shown in the wrong run.",
    ),
    Fault(
        "a changelog of one organisation hides the snapshot of another",
        f"{SOURCES}/hightouch/int_hightouch__snapshots.sql",
        "            runs_ranked.organization_id = syncs_with_changelog.organization_id\n"
        "            and runs_ranked.sync_id = syncs_with_changelog.sync_id",
        "            runs_ranked.sync_id = syncs_with_changelog.sync_id",
        "A sync without a changelog has no records at all.",
    ),
    Fault(
        "a snapshot that has other counts is that of the run",
        f"{SOURCES}/hightouch/int_hightouch__snapshots.sql",
        "coalesce(runs_ranked.{{ column }} = rows_counted.{{ op_type }}_count, true)",
        "coalesce(runs_ranked.{{ column }} >= 0, true)",
        "Rows of the run before are shown as rows of the last run.",
    ),
    Fault(
        "records that were out vanish again and again",
        f"{SOURCES}/hightouch/int_hightouch__snapshot_records.sql",
        "    where states_as_of.is_delivered\n",
        "",
        "Each run removes the records that left long ago.",
    ),
    Fault(
        "an unchanged row of a snapshot is news",
        f"{SOURCES}/hightouch/int_hightouch__snapshot_records.sql",
        "where snapshots_to_read.is_sent is true or states_as_of.identifier is null",
        "where snapshots_to_read.is_sent is not false or states_as_of.identifier is null",
        "Records that a run did not send are shown as sent.",
    ),
    Fault(
        "names of one organisation are given to all",
        f"{SOURCES}/int_sources__names.sql",
        "organization_id = {{ sync_logs.text_literal(source.organization_id) }}, true",
        "organization_id is not null, true",
        "A sync shows the name that a user gave to that of another organisation.",
    ),
    Fault(
        "a corrected id of a source is no news",
        f"{SOURCES}/census_writeback/int_census_writeback__arrivals.sql",
        "if(kinds.file_kind = 'batch', runs_counted.row_fingerprint, runs_counted.run_fingerprint)",
        "if(kinds.file_kind = 'batch', runs_counted.row_fingerprint, '')",
        "Runs never show an id that Census has filled in later.",
    ),
    Fault(
        "a corrected message is no news",
        f"{SOURCES}/rudderstack/int_rudderstack__arrivals.sql",
        "['primary_key', 'operation', 'status', 'error_reason']",
        "['primary_key', 'operation', 'status']",
        "A message that RudderStack writes later never arrives.",
    ),
    Fault(
        "a retry that fails is no news",
        f"{SOURCES}/drt/int_drt__arrivals.sql",
        "['dead_letter_id', 'attempt_number', 'message']",
        "['dead_letter_id', 'message']",
        "Attempts of drt after the first one never arrive.",
    ),
    Fault(
        "what drt does not log is missing",
        "models/intermediate/answers/int_runs__published.sql",
        "difference if measure == 'failed'",
        "difference if measure in ('failed', 'planned')",
        "The log of each run of drt that sent something counts as incomplete.",
    ),
    Fault(
        "of a source without successes, only the logged rows count",
        "models/intermediate/answers/int_runs__published.sql",
        "                                not sources.logs_succeeded_records\n",
        "                                sources.logs_succeeded_records is null\n",
        "Each sync of drt seems to be rejected as a whole.",
    ),
    Fault(
        "of a run that is listed twice, the earlier end counts",
        f"{LANDING}/int_run_metadata__landed.sql",
        "source_runs.sync_run_finished_at desc nulls last,",
        "source_runs.sync_run_finished_at asc nulls last,",
        "A run that a vendor lists twice keeps its first end.",
        "tests/vendors/test_hightouch.py::test_the_tables_say_what_hightouch_reports",
    ),
    Fault(
        "changes of equal rows cancel out",
        "macros/sources/fingerprint.sql",
        "        sum({{ hash }} & 4294967295)\n",
        "        sum(0)\n",
        "When two equal rows of a run change alike, the change never arrives.",
        "tests/long/test_more_sources_histories.py::test_rows_that_change_in_pairs_are_read_again",
    ),
)
