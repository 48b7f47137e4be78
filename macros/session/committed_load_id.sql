{# Returns the committed load, which readers see now; an empty string before the first commit. #}
{% macro committed_load_id() -%}
    {%- set found = run_query('select load_id from ' ~ sync_logs.state_table('sync_load_current')) -%}
    {{ return(found.rows[0][0]) }}
{%- endmacro %}

{# Returns whether there is any state: a project may use the macros and disable the models. #}
{% macro has_manifests() -%}
    {{ return(load_relation(sync_logs.state_table('int_files__planned')) is not none) }}
{%- endmacro %}
