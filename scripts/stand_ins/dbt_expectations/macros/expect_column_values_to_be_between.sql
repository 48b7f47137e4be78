{# Claim: every known value is within the bounds; `strictly` excludes the bounds themselves. #}
{% test expect_column_values_to_be_between(
    model, column_name, min_value=None, max_value=None, row_condition=None, strictly=False
) %}
    {% if min_value is none and max_value is none %}
        {% do exceptions.raise_compiler_error('Give a min_value, a max_value, or both.') %}
    {% endif %}
    {% set outside = [] %}
    {% if min_value is not none %}
        {% do outside.append(column_name ~ (' <= ' if strictly else ' < ') ~ min_value) %}
    {% endif %}
    {% if max_value is not none %}
        {% do outside.append(column_name ~ (' >= ' if strictly else ' > ') ~ max_value) %}
    {% endif %}
    select *
    from {{ model }}
    where
        ({{ row_condition or 'true' }})
        and ({{ outside | join(' or ') }})
{% endtest %}
