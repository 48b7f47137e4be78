{# The most common error of each sync: how many records it hit, and of which runs. #}
with

changelog as (
    select * from {{ ref('sync_changelog') }}
),

runs as (
    select * from {{ ref('sync_runs') }}
),

errors_counted as (
    select
        changelog.organization_id,
        changelog.sync_id,
        changelog.failure_reason,
        count(distinct changelog.row_id) as record_count,
        count(*) as attempt_count,
        max(runs.order_at) as last_seen_at
    from changelog
    inner join runs
        on
            changelog.organization_id = runs.organization_id
            and changelog.sync_id = runs.sync_id
            and changelog.sync_run_id = runs.sync_run_id
    where changelog.status = 'failed'
    group by changelog.organization_id, changelog.sync_id, changelog.failure_reason
),

errors_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id
            order by attempt_count desc, failure_reason asc nulls last
        ) as error_rank
    from errors_counted
)

select
    organization_id,
    sync_id,
    failure_reason,
    record_count,
    attempt_count,
    last_seen_at
from errors_ranked
where error_rank = 1
order by organization_id asc, sync_id asc
