{#
  Returns a SQL condition: a row of the changelog adds its record, or would have: an insert, or one whose
  op_type is added. An `append` adds a row, not a record.
  Arguments: rows (name of a step).
#}
{% macro is_addition(rows) -%}
    (
        {{ rows }}.canonical_operation = 'insert'
        or ({{ rows }}.op_type = 'added' and {{ rows }}.canonical_operation != 'append')
    )
{%- endmacro %}
