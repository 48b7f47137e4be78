{# what is so many runs old is a new decision and no longer a way back #}
{% set most_runs_back = 5 %}
{% set price = var('sync_logs_operation_price') %}
with

field_changes as (
    select * from {{ ref('int_field_changes__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

changes_placed as (
    select /*+ broadcast(runs) */
        field_changes.*,
        runs.position,
        runs.data_until_at,
        count(*) over (
            partition by
                field_changes.organization_id, field_changes.sync_id, field_changes.identifier,
                runs.position
        ) = 1 as is_alone
    from field_changes
    inner join runs
        on
            field_changes.load_id = runs.built_load_id
            and field_changes.organization_id = runs.organization_id
            and field_changes.sync_id = runs.sync_id
            and field_changes.sync_run_id = runs.sync_run_id
),

changes_followed as (
    select
        *,
        lag(struct(position, previous_value)) over (
            partition by organization_id, sync_id, identifier, field_name
            order by position
        ) as change_before
    from changes_placed
),

changes_judged as (
    select
        *,
        coalesce(
            change_before.previous_value <=> new_value
            and position - change_before.position <= {{ most_runs_back }},
            false
        ) as is_return,
        coalesce(
            (
                forall(
                    array(previous_value, new_value),
                    value -> value rlike '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$'
                )
                and round(try_cast(previous_value as double))
                = round(try_cast(new_value as double))
            )
            or (
                forall(
                    array(previous_value, new_value),
                    value -> value rlike '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|$)'
                )
                and left(previous_value, 10) = left(new_value, 10)
            ),
            false
        ) as is_small
    from changes_followed
),

payloads_counted as (
    select
        organization_id,
        sync_id,
        count(distinct identifier, position) as changed_payload_count
    from changes_placed
    group by organization_id, sync_id
),

fields_counted as (
    select
        organization_id,
        sync_id,
        field_name,
        count(*) as change_count,
        count(distinct identifier) as record_count,
        count_if(is_alone) as alone_count,
        count_if(is_alone and is_small) as small_alone_count,
        count_if(is_return) as return_count,
        min_by(
            struct(identifier, previous_value, new_value), struct(-position, identifier)
        ) as last_change,
        max(data_until_at) as data_until_at
    from changes_judged
    where field_name is not null
    group by organization_id, sync_id, field_name
)

select
    fields_counted.sync_id,
    fields_counted.field_name,
    fields_counted.change_count,
    fields_counted.record_count,
    fields_counted.change_count / payloads_counted.changed_payload_count as changed_payload_share,
    fields_counted.alone_count,
    fields_counted.small_alone_count,
    fields_counted.return_count,
    {% for part in ['alone', 'small_alone'] %}
        fields_counted.{{ part }}_count
        * {{ 'cast(null as double)' if price is none else 'double(' ~ price ~ ')' }}
        / 1000 as {{ part }}_cost,
    {% endfor %}
    row_number() over (
        partition by fields_counted.organization_id, fields_counted.sync_id
        order by
            fields_counted.alone_count desc,
            fields_counted.change_count desc,
            fields_counted.field_name asc
    ) as rank_in_sync,
    fields_counted.last_change.identifier as sample_row_id,
    fields_counted.last_change.previous_value as sample_previous_value,
    fields_counted.last_change.new_value as sample_new_value,
    fields_counted.organization_id,
    fields_counted.data_until_at,
    sources.shown.*
from fields_counted
inner join payloads_counted
    on
        fields_counted.organization_id = payloads_counted.organization_id
        and fields_counted.sync_id = payloads_counted.sync_id
left join sources
    on fields_counted.organization_id = sources.organization_id
where {{ sync_logs.is_kept('fields_counted', 'keep_changelog') }}
