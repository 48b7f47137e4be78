{# Asserts that the condition is true in every row. Null is not true. #}
{% test holds_in_every_row(model, condition) %}
    select *
    from {{ model }}
    where ({{ condition }}) is not true
{% endtest %}
