{#
  Returns a SQL expression (double): the median of a sorted array of numbers, null if it is empty.
  Arguments: numbers (SQL expression).
#}
{% macro median_of_sorted(numbers) -%}
    (
        get({{ numbers }}, cast(floor((size({{ numbers }}) - 1) / 2) as int))
        + get({{ numbers }}, cast(floor(size({{ numbers }}) / 2) as int))
    ) / 2
{%- endmacro %}
