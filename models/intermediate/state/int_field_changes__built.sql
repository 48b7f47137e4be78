{#
  Fields that the replayed runs sent with another value than the record's previous run. The window
  leaves the rows sorted by sync and record, as `search_order` sorts other tables, and no later step
  moves them.
#}
with

changelog as (
    select * from {{ sync_logs.of_load(ref('int_changelog__built')) }}
    where is_compared
),

starting_states as (
    select * from {{ sync_logs.of_load(ref('int_starting_states__found')) }}
),

payloads as (
    select
        organization_id,
        sync_id,
        identifier,
        position,
        sync_run_id,
        fields,
        attempted_at as changed_at,
        true as is_replayed
    from changelog

    union all

    select
        organization_id,
        sync_id,
        identifier,
        position,
        compared_sync_run_id as sync_run_id,
        {{ sync_logs.compared_fields('starting_states') }} as fields,
        cast(null as timestamp) as changed_at,
        false as is_replayed
    from starting_states
    where compared_sync_run_id is not null
),

-- the window sorts by the keys only, which is slow, but it is the order in which rows are stored
{% set runs_of_record -%}
    partition by organization_id, sync_id, identifier
    order by position asc
{%- endset %}
payloads_followed as (
    select
        *,
        -- a struct of both would carry the payload through the shuffle a second time
        lag(sync_run_id) over ({{ runs_of_record }}) as previous_sync_run_id,
        lag(fields) over ({{ runs_of_record }}) as previous_fields
    from payloads
),

payloads_changed as (
    select * from payloads_followed
    where
        is_replayed
        and previous_sync_run_id is not null
        and fields is distinct from previous_fields
),

{{ sync_logs.field_differences('payloads_changed') }}

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    field_name,
    change_type,
    previous_value,
    new_value,
    previous_sync_run_id,
    changed_at
from field_differences
