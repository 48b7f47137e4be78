{# Records of files with other physical types than declared, which the landing skipped. #}
{% set groups = sync_logs.recovery_groups('batch') %}
{% if not groups %}{% do sync_logs.nothing_to_load() %}{% endif %}
with

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

records_landed as (
    select * from {{ ref('int_records__landed') }}
)

select
    organization_id,
    sync_id,
    sync_run_id,
    file_name,
    batch_type,
    batch_number,
    row_index,
    identifier,
    record_payload,
    operation,
    status,
    status_message,
    batch_started_at,
    batch_ended_at,
    is_purged
from records_landed
where false
{% for group in groups %}
    union all

    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        batch_type,
        batch_number,
        row_index,
        {% for column in sync_logs.batch_column_names() %}
            case when not is_purged then {{ column }} end as {{ column }},
        {% endfor %}
        is_purged
    from (
        select
            files_planned.organization_id,
            files_planned.sync_id,
            files_planned.sync_run_id,
            files_planned.file_name,
            files_planned.batch_type,
            files_planned.batch_number,
            decoded.*,
            {{ sync_logs.is_purged(
                'files_planned.organization_id', 'files_planned.sync_id', 'decoded.identifier'
            ) }} as is_purged
        from (
            select
                _metadata.file_path,
                {% for name, type in group.types.items() %}
                    {{ sync_logs.recovered_column(name, type) }} as {{ name }},
                {% endfor %}
                _metadata.row_index
            from {{ group.relation }}
            where {{ group.condition }}
        ) as decoded
        inner join files_planned
            on decoded.file_path = files_planned.file_path
    )
{% endfor %}
