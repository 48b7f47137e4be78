{#
  Which rows of a table of the state a model reads. In a unit test, they are all rows of the fixture.
#}

{#
  Returns the rows of the load that is being built, for a `from`.
  Arguments: relation: of a table of the state.
#}
{% macro of_load(relation) -%}
    {%- if sync_logs.is_unit_test() -%}
        {{ return(relation) }}
    {%- endif -%}
    {{ return('(select * from ' ~ relation ~ ' where load_id = ' ~ sync_logs.this_load() ~ ')') }}
{%- endmacro %}

{#
  Returns the rows of the load that readers see, for a `from`. A model of the build gives the name that
  `committed` returns, and reads the load before its own.
  Arguments: relation: of a table of the state.
#}
{% macro of_committed(relation) -%}
    {%- if sync_logs.is_unit_test() -%}
        {{ return(relation) }}
    {%- endif -%}
    {%- set current = sync_logs.committed('load_current') if relation is string else ref('sync_load_current') -%}
    {{ return('(select * from ' ~ relation ~ ' where load_id = (select load_id from ' ~ current ~ '))') }}
{%- endmacro %}

{# Returns a SQL expression: the id of the load that is being built. #}
{% macro this_load() -%}
    {%- if sync_logs.is_unit_test() -%}
        {{ return("'this_load'") }}
    {%- endif -%}
    {{ return('(select load_id from ' ~ sync_logs.state_table('sync_load_building') ~ ')') }}
{%- endmacro %}

{# Returns a SQL expression: "now" of the build, as `as_of`. #}
{% macro this_as_of() -%}
    {%- if sync_logs.is_unit_test() -%}
        {{ return(sync_logs.as_of()) }}
    {%- endif -%}
    {{ return('(select as_of from ' ~ sync_logs.state_table('sync_load_building') ~ ')') }}
{%- endmacro %}

{# Returns whether dbt renders a model for a unit test. #}
{% macro is_unit_test() -%}
    {{ return(model is defined and model.resource_type == 'unit_test') }}
{%- endmacro %}
