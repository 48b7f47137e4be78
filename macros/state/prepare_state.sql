{#
  Start of every build: checks the settings, points the lake tables at the lake, and makes the
  state tables that do not exist yet. It changes no data.
#}
{% macro prepare_state() -%}
    {%- if execute and flags.WHICH in ('build', 'run', 'test', 'retry') -%}
        {%- do sync_logs.check_settings() -%}
        {%- do sync_logs._create_lake_tables() -%}
        {%- if flags.WHICH in ('build', 'run', 'retry') -%}
            {%- do sync_logs.check_lake() -%}
        {%- endif -%}
        {%- do sync_logs._create_load_tables() -%}
    {%- endif -%}
{%- endmacro %}

{% macro _create_load_tables() -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and node.package_name == 'sync_logs'
        and node.config.materialized == 'load' -%}
        {%- set relation = api.Relation.create(schema=node.schema, identifier=node.alias) -%}
        {%- if load_relation(relation) is none -%}
            {%- call statement() -%}
                create table if not exists {{ relation }} (
                    {% for column in sync_logs._load_columns(node) -%}
                        {{ column.name }} {{ column.data_type }},
                    {% endfor -%}
                    load_id string
                )
                using parquet
                partitioned by (load_id)
            {%- endcall -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set current = source('sync_logs_state', 'load_current') -%}
    {%- if load_relation(current) is none -%}
        {%- call statement() -%}
            create view if not exists {{ current }} as select '' as load_id
        {%- endcall -%}
    {%- endif -%}
{%- endmacro %}
