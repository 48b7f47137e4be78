{#
  Returns the order of the rows of a record in the changelog. In a run, an invalid row comes before the
  final attempt: it is the outcome only if the record has no better attempt there.
  Arguments: is_invalid (SQL condition): the row is invalid.
#}
{% macro changelog_order(is_invalid) -%}
    position asc,
    {{ is_invalid }} desc,
    batch_ended_at asc nulls first,
    batch_number asc nulls first,
    file_name asc,
    row_index asc
{%- endmacro %}
