{#
  Materialization `lazy_view`: a view that is replaced only if its definition has changed or a
  relation that it reads was replaced. The commit, not the view, changes what readers see, so most
  builds replace no view. This saves the analysis of each view and the moment in which readers do
  not find it.
#}
{% materialization lazy_view, adapter='spark' %}
    {%- set existing = sync_logs.table_or_view(this) -%}
    {%- if flags.EMPTY and existing is not none -%}
        {#- the view does not change; this only tries the SQL -#}
        {%- call statement('main') -%}select * from ({{ sql }}) where false{%- endcall -%}
        {{ return({'relations': [existing]}) }}
    {%- endif -%}
    {%- set definition = sync_logs.definition_of(sql) -%}
    {#- in an idle build, nothing queries a view of one build -#}
    {%- if existing is not none and existing.is_view and (
        sync_logs.stored_definition(existing) == definition
        or (model.config.meta.is_of_one_build and sync_logs.is_idle())) -%}
        {%- call noop_statement('main', 'unchanged', 'unchanged') -%}{{ sql }}{%- endcall -%}
        {%- do sync_logs.record_written() -%}
        {{ return({'relations': [existing]}) }}
    {%- endif -%}
    {%- set built = create_or_replace_view() -%}
    {%- do run_query(
        'alter view ' ~ this ~ " set tblproperties ('sync_logs.definition' = '" ~ definition ~ "')") -%}
    {# views that read this one look it up in dbt's cache #}
    {%- if existing is not none -%}
        {%- do adapter.cache_dropped(existing) -%}
    {%- endif -%}
    {%- do adapter.cache_added(
        sync_logs.with_definition(this.incorporate(type='view'), definition)) -%}
    {%- do sync_logs.record_written() -%}
    {{ return(built) }}
{% endmaterialization %}

{#
  Returns a hash of all that defines a view: its SQL, columns, description and grants, and the
  definitions of the views or the columns of the tables that it reads.
  Arguments: sql (string): SQL of the model.
#}
{% macro definition_of(sql) -%}
    {%- set parts = [sql, model.columns | string, model.description, config.get('grants') | string] -%}
    {%- for unique_id in model.depends_on.nodes if unique_id in graph.nodes -%}
        {%- set node = graph.nodes[unique_id] -%}
        {%- if node.config.materialized == 'lazy_view' -%}
            {%- set parent = sync_logs.table_or_view(sync_logs.table_of(node)) -%}
            {%- do parts.append(
                (sync_logs.stored_definition(parent) if parent is not none) or invocation_id) -%}
        {%- else -%}
            {%- do parts.append(node.name ~ node.columns | string) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(local_md5(parts | join('\n'))) }}
{%- endmacro %}
