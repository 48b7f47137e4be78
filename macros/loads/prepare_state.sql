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
            {%- do sync_logs.check_file_format() -%}
            {%- do sync_logs.check_source_relations(names_models=false) -%}
            {%- do sync_logs.check_names_relation() -%}
        {%- endif -%}
        {%- do sync_logs.create_lake_tables() -%}
        {%- if sync_logs.is_building() -%}
            {%- if sync_logs.lake_source() -%}
                {%- do sync_logs.check_lake() -%}
            {%- endif -%}
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
        {%- set relation = sync_logs.table_of(node) -%}
        {%- if load_relation(relation) is none -%}
            {%- do sync_logs.create_stored_table(relation, sync_logs.load_columns(node)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do sync_logs.create_stored_table(sync_logs.state_table('purged_records'), sync_logs.purge_columns()) -%}
    {%- set current = sync_logs.state_table('sync_load_current') -%}
    {%- if sync_logs.table_or_view(current) is none -%}
        {%- call statement() -%}
            create view if not exists {{ current }} as {{ sync_logs.commit_query('') }}
        {%- endcall -%}
    {%- endif -%}
    {%- set building = sync_logs.state_table('sync_load_building') -%}
    {%- if sync_logs.table_or_view(building) is none -%}
        {%- do run_query('create view if not exists ' ~ building ~ ' as ' ~ sync_logs.building_query('')) -%}
    {%- endif -%}
{%- endmacro %}

{# Returns the columns of the list of purged records, the only table of the state without a model. #}
{% macro purge_columns() -%}
    {{ return([
        {'name': 'organization_id', 'data_type': 'string'},
        {'name': 'sync_id', 'data_type': 'string'},
        {'name': 'identifier_hash', 'data_type': 'string'},
        {'name': 'purged_at', 'data_type': 'timestamp'},
    ]) }}
{%- endmacro %}

{# Creates empty seeds, so that `dbt run` works without `dbt seed`. #}
{% macro _create_seed_tables() -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'seed' and node.package_name == 'sync_logs' -%}
        {%- set relation = sync_logs.table_of(node) -%}
        {%- if load_relation(relation) is none -%}
            {%- do adapter.create_schema(relation) -%}
            {%- call statement() -%}
                create table if not exists {{ relation }} (
                    {% for name, type in node.config.column_types.items() -%}
                        {{ name }} {{ type }} {{- ',' if not loop.last }}
                    {% endfor -%}
                )
                using {{ sync_logs.engine().format }}
            {%- endcall -%}
            {# dbt has already listed the schema; without this it would create the table again #}
            {%- do adapter.cache_added(relation.incorporate(type='table')) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}
