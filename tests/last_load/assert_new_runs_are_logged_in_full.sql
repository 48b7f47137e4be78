-- Runs that the last load built and of which the vendor reports other counts than are logged. This
-- is a warning, because nothing here can be corrected: the vendor has not logged the rows, or has
-- deleted them. An aborted run is expected to differ.
-- depends_on: {{ ref('sync_logs', 'log_coverage') }}
{{ config(
    severity='warn',
    meta={
        'rows_in': 'log_coverage',
        'remedy': "The column issue says why. If a log is switched off, switch it on at the vendor; if rows expire, "
            ~ "build more often than the vendor deletes them. Ask the vendor about other differences."}) }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
    where {{ sync_logs.is_load_to_test() }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
    where built_load_id = (select load_current.load_id from load_current)
),

coverage as (
    select * from {{ ref('sync_logs', 'log_coverage') }}
    where
        issue in (
            'switched off', 'expired', 'rows missing', 'more than reported', 'other outcomes'
        )
)

select coverage.*
from coverage
left semi join runs
    on
        coverage.organization_id = runs.organization_id
        and coverage.sync_id = runs.sync_id
        and coverage.sync_run_id = runs.sync_run_id
