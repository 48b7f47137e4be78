{#
  Rows of `sync_changelog` of the runs that this build reads, and of snapshots of syncs that have
  none. A row has no id of its own: its key is
  the run, the record and the op_type. Rows with the same key are one row, the one with the most
  favourable status.
#}
{{ config(enabled=sync_logs.table_sources('hightouch') | length > 0) }}
-- depends_on: {{ ref('int_files__planned') }}
{% for source in sync_logs.table_sources('hightouch')
    if sync_logs.source_columns(source, 'sync_changelog') %}
    {% set reasons = ['failure_reason', 'failed_reason'] %}
    select
        {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
        {{ sync_logs.source_column(source, 'sync_changelog', 'sync_id') }} as sync_id,
        {{ sync_logs.source_column(source, 'sync_changelog', 'sync_run_id') }} as sync_run_id,
        'sync_changelog' as file_name,
        to_json(
            array(
                {{ sync_logs.source_column(source, 'sync_changelog', 'row_id') }},
                {{ sync_logs.source_column(source, 'sync_changelog', 'op_type') }}
            )
        ) as source_key,
        cast(null as string) as log_id,
        {{ sync_logs.source_column(source, 'sync_changelog', 'row_id') }} as identifier,
        {{ sync_logs.source_column(source, 'sync_changelog', 'fields') }} as record_payload,
        {{ sync_logs.source_column(source, 'sync_changelog', 'op_type') }} as operation,
        {{ sync_logs.source_column(source, 'sync_changelog', 'status') }} as status,
        coalesce(
            {% for name in reasons %}
                {{ sync_logs.source_column(source, 'sync_changelog', name) }}
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        ) as status_message,
        cast(null as timestamp) as batch_started_at,
        cast(null as timestamp) as batch_ended_at,
        cast(null as timestamp) as logged_at,
        nullif(
            regexp_extract(
                {{ sync_logs.cleaned(
                    sync_logs.source_column(source, 'sync_changelog', 'op_type')) }},
                '^(added|changed|removed)$',
                1
            ),
            ''
        ) as reported_op_type,
        {{ sync_logs.source_column(source, 'sync_changelog', 'split_group') }}
            as reported_split_group
    from {{ sync_logs.source_relation(source, 'sync_changelog') }}
    where {{ sync_logs.planned_runs_only(source, 'sync_changelog', 'sync_run_id', 'batch') }}

    union all
{% endfor %}

select
    organization_id,
    sync_id,
    sync_run_id,
    'sync_snapshot' as file_name,
    to_json(array(row_id)) as source_key,
    cast(null as string) as log_id,
    row_id as identifier,
    fields as record_payload,
    operation,
    status,
    failure_reason as status_message,
    cast(null as timestamp) as batch_started_at,
    cast(null as timestamp) as batch_ended_at,
    cast(null as timestamp) as logged_at,
    reported_op_type,
    split_group as reported_split_group
from {{ ref('int_hightouch__snapshot_records') }}
