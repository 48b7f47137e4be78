{#
  Before version 15, each file and run had the facts of its source as columns. This fills the table of
  sources for the committed load, from the files. It is one statement that adds nothing twice, so it can
  be killed and run again.
#}
{% macro fill_sources(committed_load_id) -%}
    {%- set files = sync_logs.state_table('int_files__landed') -%}
    {%- set known = adapter.get_columns_in_relation(files) | map(attribute='name') | list -%}
    {%- set facts = sync_logs.source_fact_names() | select('in', known) | list -%}
    {%- if facts -%}
        {%- do run_query(sync_logs._sources_of_files(files, facts, committed_load_id)) -%}
    {%- endif -%}
{%- endmacro %}

{% macro _sources_of_files(files, facts, load_id) %}
    {%- set sources = sync_logs.state_table('int_sources__known') -%}
    insert into {{ sources }} partition (load_id = '{{ load_id }}')
    (organization_id, {{ facts | join(', ') }})
    select
        organization_id,
        {% for fact in facts %}
            max({{ fact }}) as {{ fact }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from {{ files }}
    where
        load_id = '{{ load_id }}'
        and not exists (select 1 from {{ sources }} where load_id = '{{ load_id }}')
    group by organization_id
{% endmacro %}
