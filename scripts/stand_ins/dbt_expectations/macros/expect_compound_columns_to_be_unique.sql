{#
  Claim: no two rows have the same values in the columns; nulls are equal. Rows in which all of them are
  null do not count; with `any_value_is_missing`, rows in which any of them is null do not count.
#}
{% test expect_compound_columns_to_be_unique(
    model, column_list, quote_columns=False, ignore_row_if='all_values_are_missing', row_condition=None
) %}
    {% set joined = {'all_values_are_missing': ' and ', 'any_value_is_missing': ' or '} %}
    {% if not column_list or ignore_row_if not in joined %}
        {% do exceptions.raise_compiler_error(
            'Give a column_list, and as ignore_row_if one of: ' ~ joined | join(', ') ~ '.') %}
    {% endif %}
    {% set columns = [] %}
    {% set missing = [] %}
    {% for column in column_list %}
        {% do columns.append(adapter.quote(column) if quote_columns else column) %}
        {% do missing.append(columns[-1] ~ ' is null') %}
    {% endfor %}
    select
        {{ columns | join(', ') }},
        count(*) as row_count
    from {{ model }}
    where
        ({{ row_condition or 'true' }})
        and not ({{ missing | join(joined[ignore_row_if]) }})
    group by {{ columns | join(', ') }}
    having count(*) > 1
{% endtest %}
