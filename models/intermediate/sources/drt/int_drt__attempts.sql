{#
  The dead letters of drt, one row for each attempt that it counts: it keeps the message of the last one
  and the time of the first. It logs no key, so the first field of the record is taken for it.
#}
{{ config(enabled=sync_logs.table_sources('drt') | length > 0) }}
{# a queue that is retried each hour must not grow without end #}
{% set most_attempts = 100 %}
{% set fields = ['id', 'sync_run_id', 'record', 'error_message', 'http_status', 'timestamp'] %}
with

lines as (
    {% for source in sync_logs.table_sources('drt') %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            sync_id,
            value,
            from_json(value, '{{ fields | join(' string, ') }} string, attempts int') as letter
        from {{ sync_logs.drt_lines(source, 'dlq') }}
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
),

letters as (
    select
        organization_id,
        sync_id,
        letter.sync_run_id,
        -- as drt names those that have no id
        coalesce(letter.id, sha2(trim(value), 256)) as dead_letter_id,
        try_element_at(
            from_json(letter.record, 'map<string,string>'), get(json_object_keys(letter.record), 0)
        ) as identifier,
        letter.record,
        nullif(
            concat_ws(
                ': ', 'HTTP ' || letter.http_status, nullif(letter.error_message, '')
            ),
            ''
        ) as message,
        {{ sync_logs.utc_timestamp('letter.timestamp') }} as failed_at,
        greatest(coalesce(letter.attempts, 1), 1) as attempt_count
    from lines
    where letter.sync_run_id is not null
)

select
    organization_id,
    sync_id,
    sync_run_id,
    dead_letter_id,
    explode(
        sequence(
            1,
            -- each row without a key would be a record
            case when identifier is null then 1 else least(attempt_count, {{ most_attempts }}) end
        )
    ) as attempt_number,
    identifier,
    record,
    message,
    failed_at
from letters
