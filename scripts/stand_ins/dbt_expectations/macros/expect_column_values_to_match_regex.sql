{#
  Claim: the pattern matches somewhere in every known value, and the match is not empty. Like the package
  on Spark, it warns about `is_raw` and `flags` and ignores them.
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
