{#
  Returns why a logged row did not reach the destination: the destination's message, or the rule
  that made the row invalid. Null for rows that were accepted or not attempted, and if the
  destination gave no message.
  Arguments (SQL expressions for columns of the row): record_status; canonical_operation;
  identifier; status, operation: as logged; message: the status_message.
#}
{% macro failed_reason(record_status, canonical_operation, identifier, status, operation, message) -%}
    case
        when {{ record_status }} = 'failed' and {{ message }} is not null then {{ message }}
        when {{ record_status }} = 'invalid_duplicate_key' then 'Invalid record: duplicate identifier'
        when {{ record_status }} = 'invalid_null_key' and {{ identifier }} is null
            then 'Invalid record: identifier is null'
        when {{ record_status }} = 'invalid_null_key' then 'Invalid record: status NULL'
        when {{ record_status }} = 'unknown'
            then concat('Unrecognised status: ', coalesce({{ status }}, 'null'))
        when {{ canonical_operation }} = 'unknown'
            then concat('Unrecognised operation: ', coalesce({{ operation }}, 'null'))
    end
{%- endmacro %}
