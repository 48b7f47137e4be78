{#
  The load that is being built. The view `sync_load_building` has its id, its "now" and, in an idle
  build, the load that the build keeps. Every build and operation replaces that view before it writes
  anything else. Spark puts its values into each plan as literals, so it reads one partition, and no
  other view has to be replaced.
#}

{#
  Makes a load the one that is being built.
  Arguments: load_id (string); kept_load_id (string): empty if the build is not idle.
#}
{% macro begin_load(load_id, kept_load_id='') -%}
    {%- if sync_logs.is_building() or flags.WHICH == 'run-operation' -%}
        {%- do run_query(
            'create or replace view ' ~ sync_logs.state_table('sync_load_building') ~ ' as '
            ~ sync_logs.building_query(load_id, kept_load_id)) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the query of the view.
  Arguments: load_id (string): empty before the first build; kept_load_id (string).
#}
{% macro building_query(load_id, kept_load_id='') -%}
    select '{{ load_id }}' as load_id, {{ sync_logs.as_of() }} as as_of, '{{ kept_load_id }}' as kept_load_id
{%- endmacro %}

{#
  Stops a build if another one has begun since: it would read the rows of the other one. While this
  process holds the lock of the catalog, no other process builds.
#}
{% macro check_building_load() -%}
    {%- if not sync_logs.holds_catalog() -%}
        {%- set last = run_query('select load_id from ' ~ sync_logs.state_table('sync_load_building')).rows[0][0] -%}
        {%- if last != sync_logs.load_id() -%}
            {%- do sync_logs.stop(
                'Another build of ' ~ sync_logs.mart_schema() ~ ' has started in the meantime (load ' ~ last
                ~ '), so this one publishes nothing. Build again, one at a time.') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
