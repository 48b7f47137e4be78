{#
  Starts every build: checks the settings, points the lake tables at the lake, creates the state
  tables that do not exist yet, and migrates those of an older version. It changes no data.
#}
{% macro prepare_state() -%}
    {%- if execute and flags.WHICH in ('build', 'run', 'test', 'retry') and sync_logs.is_involved() -%}
        {%- do sync_logs.check_settings() -%}
        {%- do sync_logs.check_materializations() -%}
        {%- do sync_logs.check_schemas() -%}
        {%- do sync_logs.check_is_built_for_tests() -%}
        {%- if sync_logs.is_building() -%}
            {%- do sync_logs.check_state_is_here() -%}
        {%- endif -%}
        {%- do sync_logs.create_lake_tables() -%}
        {%- if sync_logs.is_building() -%}
            {%- do sync_logs.check_lake() -%}
            {%- if sync_logs.has_commit(sync_logs.state_schema()) -%}
                {%- do sync_logs.repair_state() -%}
            {%- endif -%}
        {%- endif -%}
        {%- do sync_logs._create_load_tables() -%}
        {%- do sync_logs._create_seed_tables() -%}
        {%- do sync_logs.migrate_state() -%}
        {%- if sync_logs.is_building() and sync_logs.has_manifests() -%}
            {%- do sync_logs.announce_load(sync_logs.load_id()) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{% macro _create_load_tables() -%}
    {%- for node in sync_logs.state_tables() -%}
        {%- set relation = api.Relation.create(schema=node.schema, identifier=node.alias) -%}
        {%- if load_relation(relation) is none -%}
            {%- call statement() -%}
                create table if not exists {{ relation }} (
                    {% for column in sync_logs.load_columns(node) -%}
                        {{ column.name }} {{ column.data_type }},
                    {% endfor -%}
                    load_id string
                )
                using parquet
                options ({{ sync_logs._file_options() }})
                partitioned by (load_id)
            {%- endcall -%}
        {%- endif -%}
    {%- endfor -%}
    {%- call statement() -%}
        create table if not exists {{ sync_logs.committed('purged_records') }} (
            organization_id string,
            sync_id string,
            identifier_hash string,
            purged_at timestamp,
            load_id string
        )
        using parquet
        partitioned by (load_id)
    {%- endcall -%}
    {%- set current = sync_logs.state_table('sync_load_current') -%}
    {%- if load_relation(current) is none -%}
        {%- call statement() -%}
            create view if not exists {{ current }} as {{ sync_logs.commit_query('') }}
        {%- endcall -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the parquet options of state tables. A search for one record reads the pages that can
  contain it, and the whole dictionary of each column. Pages therefore have few rows, and only
  columns with few values have dictionaries.
#}
{% macro _file_options() -%}
    'parquet.page.row.count.limit' = '2000', 'parquet.dictionary.page.size' = '65536'
{%- endmacro %}

{# Creates empty seeds, so that `dbt run` works without `dbt seed`. #}
{% macro _create_seed_tables() -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'seed' and node.package_name == 'sync_logs' -%}
        {%- set relation = api.Relation.create(schema=node.schema, identifier=node.alias) -%}
        {%- if load_relation(relation) is none -%}
            {%- do adapter.create_schema(relation) -%}
            {%- call statement() -%}
                create table if not exists {{ relation }} (
                    {% for name, type in node.config.column_types.items() -%}
                        {{ name }} {{ type }} {{- ',' if not loop.last }}
                    {% endfor -%}
                )
                using parquet
            {%- endcall -%}
            {# dbt has already listed the schema; without this it would create the table again #}
            {%- do adapter.cache_added(relation.incorporate(type='table')) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}
