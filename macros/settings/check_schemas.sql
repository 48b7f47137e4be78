{#
  Stops the run if the package would write tables to a schema that it reads from: because of an
  error in `generate_schema_name`, or because a relation of the user is in a schema of the package.
  Catalogs do not distinguish upper and lower case.
#}
{% macro check_schemas() -%}
    {%- set written = sync_logs.written_schemas() -%}
    {%- set lake = sync_logs.lake_schema() -%}
    {%- if lake | lower in written -%}
        {%- do sync_logs.stop(
            'The schema ' ~ lake ~ ' is that of the lake, but tables would be written to it; give '
            ~ 'the models of sync_logs another `+schema` in dbt_project.yml.') -%}
    {%- endif -%}
    {%- for name in ['sync_logs_settings_relation', 'sync_logs_error_rules_relation',
        'sync_logs_alert_rules_relation', 'sync_logs_names_relation'] -%}
        {%- set parts = (var(name) or '') | replace('`', '') | lower -%}
        {%- if '.' in parts and parts.split('.')[-2] in written + [lake | lower] -%}
            {%- do sync_logs.stop(
                name ~ ' is ' ~ var(name) ~ ', in a schema that this package writes to; put the relation '
                ~ 'into another schema.') -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}
