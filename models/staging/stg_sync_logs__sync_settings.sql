{#
  Accepts strings and typed columns. A seed on embedded Spark has the string None instead of null. A
  meaningless value counts as empty; `given_values` keeps it unchanged for
  `int_sync_settings__checked`.
#}
{% do sync_logs.check_ids_of_seed('sync_logs_settings_relation', ['organization_id', 'sync_id']) %}
{% set flags = ['is_active', 'keep_changelog', 'keep_snapshot', 'keep_runs'] %}
with

source as (
    select * from {{ sync_logs.given_relation('sync_logs_settings_relation', 'sync_settings') }}
),

trimmed as (
    select
        nullif(nullif(cast(organization_id as string), ''), 'None') as organization_id,
        nullif(nullif(cast(sync_id as string), ''), 'None') as sync_id,
        {% for column in flags %}
            nullif(nullif(trim(cast({{ column }} as string)), ''), 'None') as {{ column }},
        {% endfor %}
        nullif(nullif(trim(cast(retention_days as string)), ''), 'None') as retention_days
    from source
),

cleaned as (
    select
        organization_id,
        sync_id,
        {% for column in flags %}
            coalesce(try_cast(lower({{ column }}) as boolean), true) as {{ column }},
        {% endfor %}
        case
            when try_cast(retention_days as double) between 0 and {{ sync_logs.most_days() }}
                then try_cast(retention_days as decimal(18, 6))
        end as retention_days,
        map(
            {% for column in flags + ['retention_days'] %}
                '{{ column }}', {{ column }} {{- ',' if not loop.last }}
            {% endfor %}
        ) as given_values
    from trimmed
)

select * from cleaned
