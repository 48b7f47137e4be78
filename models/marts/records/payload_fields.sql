{% set types = ['array', 'boolean', 'null', 'number', 'object', 'string'] %}
{% if execute and not sync_logs.runs_python_models() %}
    {% do log('payload_fields is empty: this project runs no Python models (sync_logs_python_models).', info=True) %}
{% endif %}
with

run_fields as (
    select * from {{ ref('int_run_fields__known') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
    where position is not null
),

files_landed as (
    select * from {{ sync_logs.of_committed(ref('int_files__landed')) }}
    where file_kind = 'metadata' and is_pruned is not true
),

metadata_landed as (
    select * from {{ ref('int_run_metadata__landed') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

profiles as (
    select /*+ broadcast(runs) */
        run_fields.*,
        runs.position,
        runs.run_at,
        runs.data_until_at
    from run_fields
    inner join runs
        on
            run_fields.load_id = runs.built_load_id
            and run_fields.organization_id = runs.organization_id
            and run_fields.sync_id = runs.sync_id
            and run_fields.sync_run_id = runs.sync_run_id
),

syncs as (
    select
        organization_id,
        sync_id,
        max(position) as last_position
    from profiles
    group by organization_id, sync_id
),

fields_found as (
    select
        organization_id,
        sync_id,
        field_name,
        min_by(struct(run_at, sync_run_id), position) as first_run,
        max_by(
            struct(
                run_at, sync_run_id, position, payload_count, present_count, null_count,
                value_count, distinct_count, value_types
            ),
            position
        ) as last_run,
        count(*) as run_count,
        {% for type in types %}
            sum({{ type }}_count) as {{ type }}_count,
        {% endfor %}
        max(longest_text) as longest_text,
        max(largest_number) as largest_number,
        max(data_until_at) as data_until_at
    from profiles
    where field_name is not null
    group by organization_id, sync_id, field_name
),

schemas_declared as (
    select
        runs.organization_id,
        runs.sync_id,
        runs.position,
        from_json(metadata_landed.record_payload_schema, 'map<string,string>') as types_by_field
    from metadata_landed
    inner join files_landed
        on
            metadata_landed.load_id = files_landed.landed_load_id
            and metadata_landed.organization_id = files_landed.organization_id
            and metadata_landed.sync_id = files_landed.sync_id
            and metadata_landed.sync_run_id = files_landed.sync_run_id
    inner join runs
        on
            metadata_landed.organization_id = runs.organization_id
            and metadata_landed.sync_id = runs.sync_id
            and metadata_landed.sync_run_id = runs.sync_run_id
),

last_schemas as (
    select
        organization_id,
        sync_id,
        max_by(types_by_field, position) as types_by_field
    from schemas_declared
    where size(types_by_field) > 0
    group by organization_id, sync_id
),

fields_declared as (
    select
        fields_found.*,
        syncs.last_position,
        last_schemas.types_by_field[fields_found.field_name] as declared_type
    from fields_found
    inner join syncs
        on
            fields_found.organization_id = syncs.organization_id
            and fields_found.sync_id = syncs.sync_id
    left join last_schemas
        on
            fields_found.organization_id = last_schemas.organization_id
            and fields_found.sync_id = last_schemas.sync_id
)

select
    fields_declared.sync_id,
    fields_declared.field_name,
    fields_declared.first_run.run_at as first_seen_at,
    fields_declared.first_run.sync_run_id as first_sync_run_id,
    fields_declared.last_run.run_at as last_seen_at,
    fields_declared.last_run.sync_run_id as last_sync_run_id,
    fields_declared.run_count,
    fields_declared.last_run.position = fields_declared.last_position as is_in_last_run,
    to_json(
        filter(
            array(
                {% for type in types %}
                    case when fields_declared.{{ type }}_count > 0 then '{{ type }}' end
                    {%- if not loop.last %},{% endif %}
                {% endfor %}
            ),
            json_type -> json_type is not null
        )
    ) as json_types,
    fields_declared.last_run.payload_count,
    fields_declared.last_run.present_count,
    fields_declared.last_run.present_count / fields_declared.last_run.payload_count
        as present_share,
    fields_declared.last_run.null_count / fields_declared.last_run.present_count as null_share,
    fields_declared.last_run.distinct_count / nullif(fields_declared.last_run.value_count, 0)
        as distinct_share,
    fields_declared.longest_text,
    fields_declared.largest_number,
    fields_declared.declared_type,
    case
        when fields_declared.declared_type is not null
            then
                size(
                    array_except(
                        fields_declared.last_run.value_types,
                        -- the loader declares an object as a string
                        if(
                            fields_declared.declared_type = 'string',
                            array('string', 'object'),
                            array(fields_declared.declared_type)
                        )
                    )
                ) = 0
    end as is_as_declared,
    fields_declared.organization_id,
    fields_declared.data_until_at,
    sources.shown.*
from fields_declared
left join sources
    on fields_declared.organization_id = sources.organization_id
where {{ sync_logs.is_kept('fields_declared', 'keep_changelog') }}
