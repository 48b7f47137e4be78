"""Faults in commits, idle builds, prunes and purges."""

from faults.fault import Fault

LOADS = "macros/loads"
RETENTION = "macros/retention"
PRUNES = "tests/long/test_retention.py::test_pruned_and_purged_histories_match_the_specification"
IDLE = "tests/long/test_idle_builds.py::test_a_build_with_nothing_new_leaves_the_last_load"
FAILED = (
    "tests/long/test_failed_models.py"
    "::test_a_failed_model_is_not_published_and_a_damaged_state_is_healed"
)
ROWS = "macros/session/of_load.sql"
FAULTS = (
    Fault(
        "a model of the build reads all loads",
        ROWS,
        "' where load_id = ' ~ sync_logs.this_load() ~ ')'",
        "')'",
        "Each file and each run is in the tables once for each build.",
        IDLE,
    ),
    Fault(
        "a build does not name its load",
        "models/intermediate/lake/int_files__planned.sql",
        'pre_hook="{{ sync_logs.begin_load(sync_logs.load_id()) }}"',
        'pre_hook="select 1"',
        "The second build of a project publishes nothing, or the rows of the first one.",
        IDLE,
    ),
    Fault(
        "a commit without its check",
        f"{LOADS}/is_load_to_commit.sql",
        "    {%- if not missing -%}\n",
        "    {%- if true -%}\n",
        "A build in which a model failed publishes tables with missing rows.",
        FAILED,
    ),
    Fault(
        "a prune and a purge keep the answers",
        f"{LOADS}/rewrite.sql",
        "publish_operation(operation, previous_load_id, keeps_answers=false)",
        "publish_operation(operation, previous_load_id, keeps_answers=true)",
        "A purged record is still counted, and its messages stay in the tables of errors.",
        "tests/builds/test_prune_and_purge.py"
        "::test_pruned_and_purged_histories_match_the_specification",
    ),
    Fault(
        "a compaction loses the answers",
        f"{LOADS}/rewrite.sql",
        "['copied', 'computed'] if keeps_answers else ['copied']",
        "['copied']",
        "After many builds, the tables of errors, syncs and alerts are empty.",
        "tests/builds/test_histories.py"
        "::test_every_build_of_a_growing_lake_matches_the_specification",
    ),
    Fault(
        "a collection beside another build erases its files",
        f"{LOADS}/collect.sql",
        "{{ return(erases and not others) }}",
        "{{ return(erases) }}",
        "A purge destroys the rows that a running build has just written.",
        "tests/builds/test_guards.py::test_a_collection_beside_another_build_keeps_files",
    ),
    Fault(
        "a run that settles is no news",
        f"{LOADS}/keep_load_if_idle.sql",
        "and (is_recount_due or is_settled is distinct from "
        "{{ sync_logs.is_settled(sync_logs.as_of()) }})",
        "and is_recount_due",
        "A run without new files stays without a status for ever.",
        IDLE,
    ),
    Fault(
        "another name of a source is no news",
        f"{LOADS}/keep_load_if_idle.sql",
        "found.{{ fact }} is distinct from known.{{ fact }}",
        "false",
        "A source that gets another name keeps the old one until the next file arrives.",
        "tests/long/test_switched_sources.py::test_a_lake_and_two_vendors_are_in_one_set_of_tables",
    ),
    Fault(
        "a migrated state forgets the sources",
        f"{LOADS}/migrate_state.sql",
        "        {%- do sync_logs.fill_sources(committed_load_id) -%}\n",
        "",
        "After an upgrade, the runs of a source that is not in the settings have no source.",
        "tests/long/test_former_versions.py::test_the_sources_of_runs_become_a_table",
    ),
    Fault(
        "a missing file is no news",
        f"{LOADS}/keep_load_if_idle.sql",
        "['is_in_lake', 'file_path', 'file_size', 'file_modified_at', 'fingerprint']",
        "['file_path', 'file_size', 'file_modified_at', 'fingerprint']",
        "sync_loads does not say that files of the lake have vanished.",
        IDLE,
    ),
    Fault(
        "sync_loads counts all runs as replayed",
        "models/intermediate/publish/int_loads__recorded.sql",
        "count_if(built_load_id = {{ sync_logs.this_load() }}) as replayed_run_count",
        "count_if(built_load_id is not null) as replayed_run_count",
        "sync_loads says nothing about what a build has cost.",
        IDLE,
    ),
    Fault(
        "a run that is due for a recount is pruned",
        f"{RETENTION}/prunable_runs.sql",
        "            and not coalesce(runs.is_recount_due, false)\n",
        "",
        "The counts of a pruned run have purged records for ever.",
        PRUNES,
    ),
    Fault(
        "the first run that is kept is pruned too",
        f"{RETENTION}/prunable_runs.sql",
        "position < first_kept_position)",
        "position <= first_kept_position)",
        "A prune drops rows that are younger than the retention.",
        PRUNES,
    ),
    Fault(
        "a setting of one organisation prunes another one",
        f"{RETENTION}/prunable_runs.sql",
        "                runs.organization_id = settings.organization_id\n"
        "                and runs.sync_id = settings.sync_id",
        "                runs.sync_id = settings.sync_id",
        "A retention of one organisation drops the history of another one.",
        PRUNES,
    ),
    Fault(
        "a prune forgets the runs that were pruned before",
        f"{RETENTION}/prune_sync_logs.sql",
        "'(moved.is_pruned_now or coalesce(moved.is_pruned, false))'",
        "'moved.is_pruned_now'",
        "After the second prune, the files of the first one are read again.",
        PRUNES,
    ),
    Fault(
        "a prune keeps the checkpoints before the last pruned run",
        f"{RETENTION}/horizon_states.sql",
        "            and previous_runs.checkpoint_load_id is null\n",
        "            and previous_runs.checkpoint_load_id is not null\n",
        "After a prune, the state of the pruned history is empty.",
        PRUNES,
    ),
    Fault(
        "a purge leaves files on disk",
        f"{RETENTION}/purge_record.sql",
        "sync_logs.collect(sync_logs.live_references(false), true)",
        "sync_logs.collect(sync_logs.live_references(true), false)",
        "The identifier of a person who asked to be forgotten is still on disk.",
        PRUNES,
    ),
    Fault(
        "a file that is read again brings purged values back",
        "models/intermediate/landing/int_records__landed.sql",
        "case when not is_purged then {{ column }} end as {{ column }},",
        "{{ column }},",
        "A purged identifier is stored again when its file changes.",
        PRUNES,
    ),
    Fault(
        "a rewritten tombstone is a row again",
        "macros/state/is_purged.sql",
        "'coalesce(moved.is_purged, false) or '\n        ~ ",
        "",
        "After a second purge, the first record is an invalid row without a key.",
        PRUNES,
    ),
    Fault(
        "a purge of one sync is forgotten",
        "macros/state/is_purged.sql",
        '" ~ organization_id ~ ", " ~ sync_id ~ ", " ~ identifier ~ "',
        '" ~ organization_id ~ ", " ~ identifier ~ "',
        "A record that was purged from one sync is read again.",
        PRUNES,
    ),
)
