{#
  Stops the run on a var that is meant for this package and that the package does not declare: dbt itself
  accepts any name, so a slip of the pen would leave the default in force without a word.
#}
{% macro check_names_of_settings() -%}
    {%- set declared = sync_logs.declared_settings() -%}
    {%- set given = adapter.config.vars.to_dict() -%}
    {%- set names = given.get('sync_logs', {}).keys() | list -%}
    {%- for name in given.keys() | list + adapter.config.cli_vars.keys() | list if name.startswith('sync_logs_') -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {%- set unknown = names | reject('in', declared) | unique | list -%}
    {%- if unknown -%}
        {%- do sync_logs.stop(
            unknown | join(', ') ~ (' is no setting' if unknown | length == 1 else ' are no settings')
            ~ ' of sync_logs. The settings are ' ~ declared | join(', ') ~ '.') -%}
    {%- endif -%}
{%- endmacro %}

{# Names of the vars that the package declares in its dbt_project.yml, in its order. #}
{% macro declared_settings() -%}
    {%- set package = adapter.config.load_dependencies()['sync_logs'] -%}
    {{ return(package.vars.to_dict()['sync_logs'].keys() | list) }}
{%- endmacro %}
