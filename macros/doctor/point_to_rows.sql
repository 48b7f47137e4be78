{#
  End of a command: for each test of ours that failed or warned, where its rows are and what to do, as its meta
  says (`rows_in`: a documented table, `remedy`). dbt itself tells only how many rows there are.
  Argument: results (of dbt, in a hook on-run-end).
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
