{#
  Returns a condition for the `where` of one of your models: the record has no open failure in a sync
  now, whatever the settings of the sync show. A record that you leave out is not sent again, so it
  stays failed until you remove the condition, or until one of the last two arguments lets it in again.
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
    not exists (
        select 1
        from (
            {#- columns of your model must not be found here by their names -#}
            select
                states.identifier as failed_row_id,
                states.fields as failed_fields
            from {{ ref('sync_logs', 'int_record_states__live') }} as states
            {% if permanent_only %}
                left join {{ sync_logs.of_committed(ref('sync_logs', 'int_errors__counted')) }} as errors
                    on
                        states.organization_id = errors.organization_id
                        and states.sync_id = errors.sync_id
                        and coalesce(states.failure.last.reason, states.failed_reason) = errors.failed_reason
            {% endif %}
            where
                {{ sync_logs.is_failing('states') }}
                {{ sync_logs.of_sync(sync_id, organization_id, 'states.') }}
                {% if pattern is not none %}
                    and coalesce(states.failure.last.reason, states.failed_reason)
                    rlike {{ sync_logs.text_literal(pattern) }}
                {% endif %}
                {% if permanent_only %} and errors.is_transient is not true {% endif %}
                {% if min_failed_runs is not none %}
                    and coalesce(states.failure.last.number - states.failure.first.number + 1, 1)
                    >= {{ min_failed_runs }}
                {% endif %}
                {% if retry_after_days is not none %}
                    and coalesce(
                        greatest(
                            states.failure.first.attempted_at,
                            coalesce(states.failure.last.attempted_at, states.last_attempted_at)
                        )
                        > {{ sync_logs.as_of() }} - make_dt_interval(0, 0, 0, {{ retry_after_days * 86400 }}),
                        true
                    )
                {% endif %}
        ) as failed_records
        where
            failed_records.failed_row_id = cast({{ identifier }} as string)
            {% for column, field in sync_logs.compared_columns(release_when_changed).items() %}
                and {{ sync_logs.is_as_sent(column, 'failed_records.failed_fields', field) }}
            {% endfor %}
    )
{%- endmacro %}
