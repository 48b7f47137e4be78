{#
  Logs at the end of a command, for each failed or warned test of this package, where its rows are
  and what to do. Both come from the test's meta (`rows_in`: a documented table, `remedy`). dbt
  itself only shows the number of rows.
  Arguments: results (list): the results that dbt passes to an on-run-end hook.
#}
{% macro point_to_rows(results) -%}
    {%- for result in results
        if result.node.package_name == 'sync_logs' and result.node.resource_type == 'test'
        and result.status | string in ('fail', 'warn') and result.node.config.meta.get('rows_in') -%}
        {%- set meta = result.node.config.meta -%}
        {%- set table = graph.nodes['model.sync_logs.' ~ meta['rows_in']] -%}
        {%- do log(
            result.node.name ~ ': see ' ~ table.schema ~ '.' ~ table.alias ~ '. ' ~ meta['remedy'],
            info=true) -%}
    {%- endfor -%}
{%- endmacro %}
