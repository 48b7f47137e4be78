{#
  Returns a condition for the `where` of one of your models: the record is not failing in a sync
  now, as `sync_snapshot` shows it. A record that you leave out is not sent again, so it stays
  failed until you remove the condition.
    select * from customers where {{ sync_logs.exclude_failed_records('customers.email', sync_id='42') }}
#}
{% macro exclude_failed_records(identifier, sync_id, organization_id=none, pattern=none) -%}
    {%- do sync_logs.check_arguments('exclude_failed_records', {
        'identifier': [identifier, 'expression'], 'sync_id': [sync_id, 'text'],
        'organization_id': [organization_id, 'id'], 'pattern': [pattern, 'id']}, kwargs) -%}
    not exists (
        select 1
        from (select * from {{ ref('sync_logs', 'sync_snapshot') }}) as failed_records
        where
            failed_records.status = 'failed'
            and failed_records.row_id = cast({{ identifier }} as string)
            {{ sync_logs.of_sync(sync_id, organization_id, 'failed_records.') }}
            {% if pattern is not none %}
                and failed_records.failure_reason rlike {{ sync_logs.text_literal(pattern) }}
            {% endif %}
    )
{%- endmacro %}
