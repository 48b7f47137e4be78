{#
  Returns whether builds run the Python models. If the setting is null, they do in this project's own
  profile, where the plugin that runs them is installed, except on a Thrift server and on Databricks.
#}
{% macro runs_python_models() -%}
    {%- set given = var('sync_logs_python_models') -%}
    {{ return(
        given if given is not none
        else sync_logs.is_clone() and target.target_name not in ('thrift', 'databricks', 'v2')
    ) }}
{%- endmacro %}
