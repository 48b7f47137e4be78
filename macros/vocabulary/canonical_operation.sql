{#
  Maps the operation of a row to the project's single vocabulary. A source that reports an op_type
  instead says only whether the record is to be in the destination. Never null.
  Arguments (SQL expressions): operation, reported_op_type (strings); word_map (map): none for the
  words of this build.
#}
{% macro canonical_operation(operation, reported_op_type, word_map=none) -%}
    case
        when {{ reported_op_type }} in ('removed', 'vanished') then 'delete'
        when {{ reported_op_type }} is not null then 'upsert'
        else
            coalesce(
                {{ sync_logs.word_for(operation, word_map or sync_logs.word_map('operation')) }},
                'unknown'
            )
    end
{%- endmacro %}
