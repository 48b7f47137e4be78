-- Runs of the last load with identifiers that are numbers in the spelling of a float. As texts they
-- are other records than the same numbers in plain digits. `12.0` counts only if its sync also has
-- that number in another spelling; an exponent always does. This is a warning, because only the
-- export can be corrected.
-- depends_on: {{ ref('sync_logs', 'sync_records') }}
{{ config(
    severity='warn',
    meta={
        'rows_in': 'sync_records',
        'remedy': "A number is spelled as a float (3.9640798e+07, 39640798.0) and is another record than 39640798. "
            ~ "Export the key as text or as an integer."}) }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
    where {{ sync_logs.is_load_to_test() }}
),

records as (
    select * from {{ ref('int_records__live') }}
    where load_id = (select load_current.load_id from load_current)
),

record_states as (
    select * from {{ ref('int_record_states__live') }}
),

floats as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        identifier,
        identifier rlike '[eE]' as has_exponent,
        try_cast(identifier as decimal(38, 9)) as numeric_value,
        count(*) as record_count
    from records
    -- a text of hexadecimal digits such as 12e5 has neither a point nor a sign
    where identifier rlike '^[+-]?([0-9]+[.]0+|[0-9]([.][0-9]+[eE][+-]?|[eE][+-])[0-9]+)$'
    group by organization_id, sync_id, sync_run_id, identifier
),

spelled_otherwise as (
    select /*+ broadcast(floats) */
        floats.organization_id,
        floats.sync_id,
        floats.identifier,
        min(record_states.identifier) as other_identifier
    from record_states
    inner join floats
        on
            record_states.organization_id = floats.organization_id
            and record_states.sync_id = floats.sync_id
            and record_states.identifier != floats.identifier
            and try_cast(record_states.identifier as decimal(38, 9)) = floats.numeric_value
    group by floats.organization_id, floats.sync_id, floats.identifier
)

select
    floats.organization_id,
    floats.sync_id,
    floats.sync_run_id,
    sum(floats.record_count) as record_count,
    min_by(
        struct(floats.identifier, spelled_otherwise.other_identifier),
        struct(spelled_otherwise.other_identifier is null, floats.identifier)
    ) as example
from floats
left join spelled_otherwise
    on
        floats.organization_id = spelled_otherwise.organization_id
        and floats.sync_id = spelled_otherwise.sync_id
        and floats.identifier = spelled_otherwise.identifier
where floats.has_exponent or spelled_otherwise.other_identifier is not null
group by floats.organization_id, floats.sync_id, floats.sync_run_id
