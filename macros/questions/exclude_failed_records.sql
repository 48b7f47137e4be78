{#
  Returns a condition for the `where` of one of your models: the record is not failing in a sync
  now, as `sync_snapshot` shows it. A record that you leave out is not sent again, so it stays
  failed until you remove the condition, or until one of the last two arguments lets it in again.
    select * from customers where {{ sync_logs.exclude_failed_records('customers.email', sync_id='42') }}
#}
{% macro exclude_failed_records(
    identifier, sync_id, organization_id=none, pattern=none, permanent_only=false, min_failed_runs=none,
    release_when_changed=none, retry_after_days=none
) -%}
    {%- do sync_logs.check_arguments('exclude_failed_records', {
        'identifier': [identifier, 'expression'], 'sync_id': [sync_id, 'text'],
        'organization_id': [organization_id, 'id'], 'pattern': [pattern, 'id'],
        'permanent_only': [permanent_only, 'boolean'], 'min_failed_runs': [min_failed_runs, 'count'],
        'release_when_changed': [release_when_changed, 'columns'],
        'retry_after_days': [retry_after_days, 'days']}, kwargs) -%}
    {%- set reads_failures = permanent_only or min_failed_runs is not none or retry_after_days is not none -%}
    not exists (
        select 1
        from (
            {#- columns of your model must not be found here by their names -#}
            select
                snapshot.row_id as failed_row_id,
                snapshot.fields as failed_fields
            from {{ ref('sync_logs', 'sync_snapshot') }} as snapshot
            {% if reads_failures %}
                left join {{ ref('sync_logs', 'record_failures') }} as failures
                    on
                        snapshot.organization_id = failures.organization_id
                        and snapshot.sync_id = failures.sync_id
                        and snapshot.row_id = failures.row_id
                        and failures.is_open
            {% endif %}
            where
                snapshot.status = 'failed'
                {{ sync_logs.of_sync(sync_id, organization_id, 'snapshot.') }}
                {% if pattern is not none %}
                    and snapshot.failure_reason rlike {{ sync_logs.text_literal(pattern) }}
                {% endif %}
                {% if permanent_only %} and failures.is_transient is not true {% endif %}
                {% if min_failed_runs is not none %} and failures.failed_run_count >= {{ min_failed_runs }} {% endif %}
                {% if retry_after_days is not none %}
                    and coalesce(
                        failures.last_failed_at
                        > {{ sync_logs.as_of() }} - make_dt_interval(0, 0, 0, {{ retry_after_days * 86400 }}),
                        true
                    )
                {% endif %}
        ) as failed_records
        where
            failed_records.failed_row_id = cast({{ identifier }} as string)
            {% for column in release_when_changed or [] %}
                and {{ sync_logs.is_as_sent(column, 'failed_records.failed_fields', column.split('.')[-1] | replace('`', '')) }}
            {% endfor %}
    )
{%- endmacro %}
