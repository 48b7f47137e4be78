{#
  Notes which build has replaced the views of one build last. They contain the id of its load, so an
  earlier build that is still running would read the rows of the later one from then on; it must not
  be published (`check_building_load`). While this process holds the lock of the catalog, no other
  process builds.
#}
{% macro note_building_load() -%}
    {%- if graph.get('sync_logs_building_load') != sync_logs.load_id() -%}
        {%- if not sync_logs.holds_catalog() -%}
            {%- do run_query(
                'create or replace view ' ~ sync_logs.state_table('sync_load_building')
                ~ " as select '" ~ sync_logs.load_id() ~ "' as load_id") -%}
        {%- endif -%}
        {#- also with the lock, so that not every view asks for it -#}
        {%- do graph.update({'sync_logs_building_load': sync_logs.load_id()}) -%}
    {%- endif -%}
{%- endmacro %}

{# Stops a build if another one has replaced the views of one build since. #}
{% macro check_building_load() -%}
    {%- if not sync_logs.holds_catalog() -%}
        {%- set last = run_query(
            'select load_id from ' ~ sync_logs.state_table('sync_load_building')).rows[0][0] -%}
        {%- if last != sync_logs.load_id() -%}
            {%- do sync_logs.stop(
                'Another build of ' ~ sync_logs.mart_schema() ~ ' has started in the meantime (load ' ~ last
                ~ '), so this one publishes nothing. Build again, one at a time.') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
