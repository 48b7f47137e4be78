{#
  Stops an operation, before it writes anything, if its organisation or sync has no runs: this is
  probably a typo.
#}
{% macro check_scope(previous_load_id, organization_id, sync_id) -%}
    {%- set conditions = ["load_id = '" ~ previous_load_id ~ "'"] -%}
    {%- for name, value in {'organization_id': organization_id, 'sync_id': sync_id}.items()
        if value is not none -%}
        {%- do conditions.append(name ~ ' = ' ~ sync_logs.text_literal(value)) -%}
    {%- endfor -%}
    {%- if conditions | length > 1 -%}
        {%- set found = run_query(
            'select 1 from ' ~ sync_logs.state_table('int_runs__planned') ~ ' where '
            ~ conditions | join(' and ') ~ ' limit 1') -%}
        {%- if found.rows | length == 0 -%}
            {%- do exceptions.raise_compiler_error(
                'No run of ' ~ ('sync ' ~ sync_id ~ ' of ' if sync_id is not none else '')
                ~ 'organisation ' ~ organization_id ~ ' is known in ' ~ sync_logs.mart_schema()
                ~ '; look up the ids in sync_runs.') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
