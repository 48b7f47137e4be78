{#
  Returns the end of a query that fills a table of records. Within each file, the rows of a sync are
  together, and within a sync the rows of a record, so Spark skips the pages that cannot contain a
  searched record. If the rows already have this order, Spark sorts nothing.
  Arguments: rows (name of a step); key (string): its column that identifies the record.
#}
{% macro search_order(rows, key='identifier') -%}
    sort by {{ rows }}.organization_id, {{ rows }}.sync_id, {{ rows }}.{{ key }}
{%- endmacro %}
