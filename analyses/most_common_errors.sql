{# What are the most common errors of an organisation, across all its syncs? #}
{% set organization_id = '501' %}
with

errors as (
    select * from {{ ref('errors_by_sync') }}
    where organization_id = '{{ organization_id }}'
),

-- a record belongs to one sync, so you can sum the counts of one reason over syncs
reasons_summed as (
    select
        rank_overall,
        failure_reason,
        count(*) as sync_count,
        sum(record_count) as record_count,
        sum(open_record_count) as open_record_count,
        sum(attempt_count) as attempt_count,
        max(last_seen_at) as last_seen_at
    from errors
    group by rank_overall, failure_reason
)

select
    rank_overall,
    failure_reason,
    sync_count,
    record_count,
    open_record_count,
    attempt_count,
    last_seen_at
from reasons_summed
order by rank_overall asc
