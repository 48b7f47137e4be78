{#
  Returns how far an attempt to send a record got: 3 it reached the destination, 2 it was not
  attempted, 1 its status is unknown. Null for an invalid row, which is not an attempt.
  Arguments: records (name of a step).
#}
{% macro attempt_rank(records) -%}
    case
        when {{ records }}.record_status in ('succeeded', 'failed') then 3
        when {{ records }}.record_status = 'not_attempted' then 2
        when {{ records }}.record_status = 'unknown' then 1
    end
{%- endmacro %}

{#
  Returns the columns that order the attempts of a record within a run: the last one is final. Nulls come
  first. `attempt_rank` is a column of the caller.
#}
{% macro attempt_order() -%}
    attempt_rank, batch_ended_at, batch_number, file_name, row_index
{%- endmacro %}
