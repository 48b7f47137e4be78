{#
  Claim: the pattern is found somewhere in every known value, and what is found is not empty. Like the
  package on Spark it warns about `is_raw` and `flags`, and passes over them.
#}
{% test expect_column_values_to_match_regex(
    model, column_name, regex, row_condition=None, is_raw=False, flags=''
) %}
    {% if is_raw or flags %}
        {% do exceptions.warn('On Spark, is_raw and flags have no effect.') %}
    {% endif %}
    select *
    from {{ model }}
    where
        ({{ row_condition or 'true' }})
        and regexp_extract({{ column_name }}, '{{ regex }}', 0) = ''
{% endtest %}
