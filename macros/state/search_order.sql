{#
  End of a query that fills a table of records: in each file the rows of a sync, and in it those of a record, lie
  together, so that Spark skips the pages that cannot have what is asked for. Argument: rows (name of a step).
#}
{% macro search_order(rows) -%}
    sort by {{ rows }}.organization_id, {{ rows }}.sync_id, {{ rows }}.identifier
{%- endmacro %}
