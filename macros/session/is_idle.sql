{#
  Whether a build has nothing to do: no file has come, gone or changed, no run has become settled, no word means
  something else, no rule sorts errors otherwise, and nothing else asks for rows to be computed again. Then the last
  load stays, and the build adds to it that it has been here (`int_loads__recorded`), and what only the audit of the
  files has found.
#}
{% macro is_idle() -%}
    {{ return(sync_logs._idle_base() != '') }}
{%- endmacro %}

{# The load that the rows of a build belong to, if it writes any: its own, or the last one if it is idle. #}
{% macro target_load_id() -%}
    {{ return(sync_logs._idle_base() or sync_logs.load_id()) }}
{%- endmacro %}

{#
  Whether the tests of the last load have something to look at, as a SQL literal: what an idle build finds has
  been tested by the build that made it. `dbt test` looks in any case.
#}
{% macro is_load_to_test() -%}
    {{ return('false' if sync_logs.is_idle() else 'true') }}
{%- endmacro %}

{#
  The load that an idle build leaves as it is; an empty text if the build is not idle. A build that made no list
  of files is not. dbt's graph is one for all nodes of a build, so nobody asks Spark again.
#}
{% macro _idle_base() -%}
    {%- if not execute or (model is defined and model.resource_type == 'unit_test') -%}
        {{ return('') }}
    {%- endif -%}
    {{ return(graph.get('sync_logs_idle_base', {}).get(sync_logs.load_id(), '')) }}
{%- endmacro %}
