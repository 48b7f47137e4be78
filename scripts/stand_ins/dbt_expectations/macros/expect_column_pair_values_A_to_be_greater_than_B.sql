{# Claim: A is greater than B wherever both are known. #}
{% test expect_column_pair_values_A_to_be_greater_than_B(
    model, column_A, column_B, or_equal=False, row_condition=None
) %}
    select *
    from {{ model }}
    where
        ({{ row_condition or 'true' }})
        and not {{ column_A }} {{ '>=' if or_equal else '>' }} {{ column_B }}
{% endtest %}
