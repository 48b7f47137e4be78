{#
  Claim: the model has as many rows as the other one, times the factor; per group if there are groups. A
  missing group has no rows. Arguments that are not given for the other model are those of this one.
  A null in a group equals no other null: its rows always differ.
#}
{% test expect_table_row_count_to_equal_other_table(
    model, compare_model, group_by=None, compare_group_by=None, factor=1,
    row_condition=None, compare_row_condition=None
) %}
    {% set keys = group_by or [] %}
    with

    these as (
        select
            {% for key in keys %}
                {{ key }} as key_{{ loop.index }},
            {% endfor %}
            count(*) as row_count
        from {{ model }}
        where {{ row_condition or 'true' }}
        {% if keys %} group by {{ keys | join(', ') }} {% endif %}
    ),

    others as (
        select
            {% for key in compare_group_by or keys %}
                {{ key }} as key_{{ loop.index }},
            {% endfor %}
            count(*) * {{ factor }} as row_count
        from {{ compare_model }}
        where {{ compare_row_condition or row_condition or 'true' }}
        {% if keys %} group by {{ (compare_group_by or keys) | join(', ') }} {% endif %}
    )

    select
        {% for key in keys %}
            coalesce(these.key_{{ loop.index }}, others.key_{{ loop.index }}) as key_{{ loop.index }},
        {% endfor %}
        these.row_count,
        others.row_count as other_row_count
    from these
    full outer join others
        on
            true
            {% for key in keys %}
                and these.key_{{ loop.index }} = others.key_{{ loop.index }}
            {% endfor %}
    where coalesce(these.row_count, 0) != coalesce(others.row_count, 0)
{% endtest %}
