{# Takes texts and typed columns: a seed on an embedded Spark has the text None instead of null. #}
with

source as (
    select * from {{ sync_logs.given_relation('sync_logs_settings_relation', 'sync_settings') }}
),

cleaned as (
    select
        cast(organization_id as string) as organization_id,
        cast(sync_id as string) as sync_id,
        {% for column in ['is_active', 'keep_changelog', 'keep_snapshot', 'keep_runs'] %}
            coalesce(try_cast(lower(trim(cast({{ column }} as string))) as boolean), true)
                as {{ column }},
        {% endfor %}
        try_cast(trim(cast(retention_days as string)) as decimal(18, 6)) as retention_days
    from source
)

select * from cleaned
