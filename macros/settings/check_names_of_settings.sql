{#
  Stops the run if a var for this package is not declared by the package. dbt accepts any name, so a
  typo would silently keep the default. dbt v2 tells no names, so there such a var goes unnoticed.
#}
{% macro check_names_of_settings() -%}
    {%- set declared = sync_logs.declared_settings() -%}
    {%- if not declared -%}
        {{ return('') }}
    {%- endif -%}
    {%- set given = adapter.config.vars.to_dict() -%}
    {%- set names = given.get('sync_logs', {}).keys() | list -%}
    {%- for name in given.keys() | list + adapter.config.cli_vars.keys() | list if name.startswith('sync_logs_') -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {%- set unknown = names | reject('in', declared) | unique | list -%}
    {%- if unknown -%}
        {%- do sync_logs.stop(
            unknown | join(', ') ~ (' is not a setting' if unknown | length == 1 else ' are not settings')
            ~ ' of sync_logs. The settings are ' ~ declared | join(', ') ~ '.') -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the names of the vars that the package declares in its dbt_project.yml, in that order; none
  with dbt v2, whose adapter has no `config`.
#}
{% macro declared_settings() -%}
    {%- if adapter.config is not defined -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set package = adapter.config.load_dependencies()['sync_logs'] -%}
    {{ return(package.vars.to_dict()['sync_logs'].keys() | list) }}
{%- endmacro %}
