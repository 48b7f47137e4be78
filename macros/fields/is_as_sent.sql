{#
  Returns a SQL condition (never null): a value of a column is what a payload has in a field. Texts are
  compared, and numbers, dates and times also by value, because a payload may write them in another way.
  A missing field is null.
  Arguments: column (expression of a scalar type); fields (expression): the payload; field (string).
#}
{% macro is_as_sent(column, fields, field) -%}
    {%- set sent = 'get_json_object(' ~ fields ~ ', ' ~ sync_logs.text_literal("$['" ~ field ~ "']") ~ ')' -%}
    {%- set types = [
        ('(tinyint|smallint|int|bigint|float|double|decimal.*)', 'decimal(38, 10)'),
        ('date', 'date'),
        ('timestamp.*', 'timestamp'),
    ] -%}
    (
        cast({{ column }} as string) <=> {{ sent }}
        {% for name, type in types %}
            or coalesce(
                typeof({{ column }}) rlike '^{{ name }}$'
                and try_cast(cast({{ column }} as string) as {{ type }}) = try_cast({{ sent }} as {{ type }}),
                false
            )
        {% endfor %}
    )
{%- endmacro %}
