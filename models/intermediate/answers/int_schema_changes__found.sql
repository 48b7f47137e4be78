{#
  Fields of payloads that appear, vanish, get another type or are suddenly null, each run compared with
  the run before it that has payloads.
#}
{% set least_payloads = 10 %}
{% set least_runs_before = 5 %}
{% set of_field = 'partition by organization_id, sync_id, field_name order by profile_number' %}
with

runs as (
    select * from {{ sync_logs.of_load(ref('int_runs__published')) }}
    where position is not null
),

run_fields as (
    select * from {{ ref('int_run_fields__known') }}
),

profiles as (
    select /*+ broadcast(runs) */
        run_fields.*,
        runs.position,
        runs.run_at
    from run_fields
    inner join runs
        on
            run_fields.load_id = runs.built_load_id
            and run_fields.organization_id = runs.organization_id
            and run_fields.sync_id = runs.sync_id
            and run_fields.sync_run_id = runs.sync_run_id
),

runs_profiled as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        position,
        run_at,
        payload_count,
        row_number() over of_sync as profile_number,
        lag(sync_run_id) over of_sync as previous_sync_run_id,
        lag(payload_count) over of_sync as previous_payload_count
    from profiles
    where field_name is null
    window of_sync as (partition by organization_id, sync_id order by position)
),

fields_placed as (
    select
        profiles.*,
        runs_profiled.profile_number,
        runs_profiled.previous_payload_count
    from profiles
    inner join runs_profiled
        on
            profiles.organization_id = runs_profiled.organization_id
            and profiles.sync_id = runs_profiled.sync_id
            and profiles.sync_run_id = runs_profiled.sync_run_id
    where profiles.field_name is not null
),

fields_followed as (
    select
        *,
        lag(profile_number) over ({{ of_field }}) as seen_number,
        lag(value_count) over ({{ of_field }}) as seen_value_count,
        lead(profile_number) over ({{ of_field }}) as next_number,
        array_distinct(
            flatten(
                collect_list(value_types)
                    over ({{ of_field }} rows between unbounded preceding and 1 preceding)
            )
        ) as types_before
    from fields_placed
),

fields_compared as (
    select
        *,
        array_except(value_types, types_before) as new_types,
        -- in the run before, or null
        case when seen_number = profile_number - 1 then seen_value_count end
            as previous_value_count
    from fields_followed
),

changes_in_payloads as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        field_name,
        profile_number,
        case
            when seen_number is null then 'appeared'
            when size(types_before) > 0 and size(new_types) > 0 then 'new type'
            when value_count = 0 then 'all null'
        end as change_type,
        case
            when seen_number is null
                then array_sort(concat(value_types, if(null_count > 0, array('null'), array())))
            when size(new_types) > 0 then new_types
        end as json_types,
        coalesce(previous_value_count, 0) as previous_count,
        case
            when seen_number is null then present_count
            when size(new_types) > 0
                then
                    {% for type in ['array', 'boolean', 'number', 'object', 'string'] %}
                        if(array_contains(new_types, '{{ type }}'), {{ type }}_count, 0)
                        {%- if not loop.last %} +{% endif %}
                    {% endfor %}
            else 0
        end as new_count,
        -- whether enough payloads of the run would have a value at the same share as before
        previous_value_count * payload_count >= {{ least_payloads }} * previous_payload_count
            as is_expected
    from fields_compared
    where profile_number > 1
),

fields_ended as (
    select
        *,
        profile_number + 1 as vanished_number
    from fields_followed
    where next_number is distinct from profile_number + 1
),

changes_by_absence as (
    select
        runs_profiled.organization_id,
        runs_profiled.sync_id,
        runs_profiled.sync_run_id,
        fields_ended.field_name,
        runs_profiled.profile_number,
        'vanished' as change_type,
        cast(null as array<string>) as json_types,
        fields_ended.present_count as previous_count,
        cast(0 as bigint) as new_count,
        fields_ended.present_count * runs_profiled.payload_count
        >= {{ least_payloads }} * fields_ended.payload_count as is_expected
    from fields_ended
    inner join runs_profiled
        on
            fields_ended.organization_id = runs_profiled.organization_id
            and fields_ended.sync_id = runs_profiled.sync_id
            and fields_ended.vanished_number = runs_profiled.profile_number
),

changes_found as (
    select * from changes_in_payloads
    where change_type in ('appeared', 'new type') or (change_type = 'all null' and is_expected)

    union all

    select * from changes_by_absence
    where is_expected
)

select
    changes_found.organization_id,
    changes_found.sync_id,
    changes_found.sync_run_id,
    runs_profiled.position,
    runs_profiled.run_at,
    changes_found.field_name,
    changes_found.change_type,
    to_json(changes_found.json_types) as json_types,
    runs_profiled.previous_sync_run_id,
    changes_found.previous_count,
    runs_profiled.previous_payload_count,
    changes_found.new_count,
    runs_profiled.payload_count,
    changes_found.profile_number > {{ least_runs_before }}
    and if(
        changes_found.change_type in ('appeared', 'new type'),
        changes_found.new_count,
        changes_found.previous_count
    ) >= {{ least_payloads }} as is_news
from changes_found
inner join runs_profiled
    on
        changes_found.organization_id = runs_profiled.organization_id
        and changes_found.sync_id = runs_profiled.sync_id
        and changes_found.sync_run_id = runs_profiled.sync_run_id
