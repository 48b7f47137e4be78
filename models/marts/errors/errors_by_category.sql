with

categories as (
    select * from {{ sync_logs.of_committed(ref('int_error_categories__counted')) }}
),

syncs as (
    select * from {{ sync_logs.of_committed(ref('int_syncs__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    categories.sync_id,
    categories.category,
    categories.is_transient,
    categories.hint,
    categories.record_count,
    categories.open_record_count,
    categories.attempt_count,
    categories.failure_reason_count,
    categories.first_seen_at,
    categories.last_seen_at,
    categories.top_failure_reason,
    categories.organization_id,
    syncs.data_until_at,
    sources.shown.*
from categories
left join syncs
    on
        categories.organization_id = syncs.organization_id
        and categories.sync_id = syncs.sync_id
left join sources
    on categories.organization_id = sources.organization_id
where {{ sync_logs.is_kept('categories', 'keep_changelog') }}
