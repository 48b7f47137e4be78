{#
  Claim: in the order of another column, or of itself, each value is greater than the previous one, by the
  step if one is given. If not `strictly`, it is never smaller. A null does not fail and is not skipped.
#}
{% test expect_column_values_to_be_increasing(
    model, column_name, sort_column=None, strictly=True, row_condition=None, group_by=None, step=None
) %}
    with

    neighbours as (
        select
            {{ column_name }} as this_value,
            lag({{ column_name }}) over (
                {% if group_by %} partition by {{ group_by | join(', ') }} {% endif %}
                order by {{ sort_column or column_name }} asc
            ) as previous_value
        from {{ model }}
        where {{ row_condition or 'true' }}
    )

    select *
    from neighbours
    where
        this_value {{ '<=' if strictly else '<' }} previous_value
        {% if step %} or this_value - previous_value != {{ step }} {% endif %}
{% endtest %}
