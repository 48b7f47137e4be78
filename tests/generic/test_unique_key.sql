{# Asserts that no two rows of the model share the key. Nulls are equal, unlike in `unique`. #}
{% test unique_key(model, columns) %}
    select
        {{ columns | join(', ') }},
        count(*) as row_count
    from {{ model }}
    group by {{ columns | join(', ') }}
    having count(*) > 1
{% endtest %}
