{#
  Stops the run where tables of ours would be written into a schema from which we read: a slip in a
  `generate_schema_name`, or a relation of the user's that lies among our tables. A catalog does not tell
  small letters from capital ones.
#}
{% macro check_schemas() -%}
    {%- set written = sync_logs.written_schemas() -%}
    {%- set lake = sync_logs.lake_schema() -%}
    {%- if lake | lower in written -%}
        {%- do sync_logs.stop(
            'The schema ' ~ lake ~ ' is both that of the lake and one that tables are written to; give '
            ~ 'the models of sync_logs another `+schema` in dbt_project.yml.') -%}
    {%- endif -%}
    {%- for name in ['sync_logs_settings_relation', 'sync_logs_error_rules_relation'] -%}
        {%- set parts = (var(name) or '') | replace('`', '') | lower -%}
        {%- if '.' in parts and parts.split('.')[-2] in written + [lake | lower] -%}
            {%- do sync_logs.stop(
                name ~ ' is ' ~ var(name) ~ ', in a schema that this package writes to; put the relation '
                ~ 'into another schema.') -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}
