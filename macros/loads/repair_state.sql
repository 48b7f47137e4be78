{#
  Removes what dbt has built in place of a table of the state, after a project materialized its
  model in another way. The plan of files belongs to one build, so it is only created again. The
  contents of the other tables can only come from the lake: the build continues if it reads the lake
  again, and stops otherwise.
#}
{% macro repair_state() -%}
    {%- set lost = [] -%}
    {%- for node in sync_logs.state_tables() if node.language == 'sql' -%}
        {%- set found = load_relation(sync_logs.table_of(node)) -%}
        {%- if found is none or not sync_logs.is_load_table(found) -%}
            {%- if not node.config.meta.state.lists_loads -%}
                {%- do lost.append(node.name) -%}
            {%- endif -%}
            {%- if found is not none -%}
                {%- do log('Removing what was built in place of ' ~ found ~ ' ...', info=true) -%}
                {%- do run_query('drop ' ~ ('view ' if found.is_view else 'table ') ~ found) -%}
                {%- do adapter.cache_dropped(found) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if lost and not flags.FULL_REFRESH and sync_logs.found_schema_version() == sync_logs.schema_version() -%}
        {%- do sync_logs.stop(
            'The state in ' ~ sync_logs.state_schema() ~ ' has lost ' ~ lost | join(', ')
            ~ '. Restore the schema from a copy, or run `dbt build --full-refresh`, which reads again what is still in '
            ~ 'the lake.') -%}
    {%- endif -%}
{%- endmacro %}
