{#
  End of a query that fills a table of records: in each file the rows of a sync, and in it those of a record, lie
  together, so that Spark skips the pages that cannot have what is asked for. Where they come in this order already,
  Spark sorts nothing. Arguments: rows (name of a step), key (its column that tells the record).
#}
{% macro search_order(rows, key='identifier') -%}
    sort by {{ rows }}.organization_id, {{ rows }}.sync_id, {{ rows }}.{{ key }}
{%- endmacro %}
