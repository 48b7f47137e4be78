{#
  Returns the root of the lake without a trailing slash. A relative path is relative to the
  project's folder, wherever dbt and Spark were started. The URL of any file system is kept
  unchanged. If no source is a lake, it is a path that nothing reads.
#}
{% macro lake_path() -%}
    {%- set lake = sync_logs.lake_source() -%}
    {%- set path = modules.re.sub('(?<=[^/])/+$', '', (lake.path if lake else '/no_lake') | string) -%}
    {%- if not path or path.startswith('/') or modules.re.match('[A-Za-z][A-Za-z0-9+.-]+:', path) -%}
        {{ return(path) }}
    {%- endif -%}
    {%- if adapter.config is not defined -%}
        {%- do sync_logs.stop(
            'sync_logs_lake_path is ' ~ path ~ ', relative to the folder of the project, which dbt v2 does not tell; '
            ~ 'give a full path.') -%}
    {%- endif -%}
    {{ return(adapter.config.project_root ~ '/' ~ modules.re.sub('^([.]/+)+', '', path)) }}
{%- endmacro %}
