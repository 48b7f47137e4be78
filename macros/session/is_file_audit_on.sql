{#
  Returns whether the project audits the lake's files. If the setting is null, the audit is on in
  this project's own profile, where the plugin that runs Python models is installed, except on a
  Thrift server and on Databricks, which do not run them.
#}
{% macro is_file_audit_on() -%}
    {%- set given = var('sync_logs_file_audit') -%}
    {{ return(
        given if given is not none
        else sync_logs.is_clone() and target.target_name not in ('thrift', 'databricks')
    ) }}
{%- endmacro %}
