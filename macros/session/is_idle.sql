{#
  Returns whether a build has nothing to do: no file is new, missing or changed, no run has become
  settled, no word has another meaning, no rule for errors has changed, and nothing else requires
  rows to be computed again. Such a build keeps the last load and only adds its own row
  (`int_loads__recorded`) and what only the audit of the files has found.
#}
{% macro is_idle() -%}
    {{ return(sync_logs._kept_load() != '') }}
{%- endmacro %}

{#
  Returns the load that the rows of a build belong to, if it writes any: its own, or the last one if
  the build is idle.
#}
{% macro target_load_id() -%}
    {{ return(sync_logs._kept_load() or sync_logs.load_id()) }}
{%- endmacro %}

{#
  Returns a SQL literal: whether the tests of the last load have something to check. What an idle
  build finds was tested by the build that wrote it. `dbt test` always checks.
#}
{% macro is_load_to_test() -%}
    {{ return('false' if sync_logs.is_idle() else 'true') }}
{%- endmacro %}

{#
  Returns the load that an idle build keeps; an empty string if the build is not idle. A build that
  has not listed the files is not idle.
#}
{% macro _kept_load() -%}
    {%- if not sync_logs.is_building() or sync_logs.is_unit_test() -%}
        {{ return('') }}
    {%- endif -%}
    {%- set rows = run_query(
        'select kept_load_id from ' ~ sync_logs.state_table('sync_load_building')
        ~ " where load_id = '" ~ sync_logs.load_id() ~ "'").rows -%}
    {{ return(rows[0][0] if rows else '') }}
{%- endmacro %}
