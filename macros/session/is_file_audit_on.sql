{#
  Whether the audit of the lake's files is part of the project: the setting, else in our own profile,
  where the plugin that runs Python models is installed. A Thrift server runs none.
#}
{% macro is_file_audit_on() -%}
    {%- set given = var('sync_logs_file_audit') -%}
    {{ return(
        given if given is not none
        else sync_logs.is_clone() and target.target_name != 'thrift'
    ) }}
{%- endmacro %}
