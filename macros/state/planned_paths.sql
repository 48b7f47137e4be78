{#
  A condition that makes Spark open only the files which this build's plan loads. Only literal paths
  prune at planning; above `limit` files the literals cost more than the files, so the caller's join
  with the plan does the work.
  Arguments: file_kind (string: batch, metadata or fact), limit (integer).
#}
{% macro planned_paths_only(file_kind, limit=5000) -%}
    {%- if not execute or flags.WHICH not in ('build', 'run', 'retry') -%}
        {{ return('true') }}
    {%- endif -%}
    {%- set query -%}
        select file_path from {{ ref('int_files__planned') }}
        where load_id = '{{ sync_logs.load_id() }}' and action = 'load' and file_kind = '{{ file_kind }}'
        limit {{ limit + 1 }}
    {%- endset -%}
    {%- set paths = run_query(query).columns[0].values() -%}
    {%- if paths | length > limit -%}
        {{ return('true') }}
    {%- elif paths | length == 0 -%}
        {{ return('false') }}
    {%- endif -%}
    {%- set literals = [] -%}
    {%- for path in paths -%}
        {%- do literals.append("'" ~ path | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") -%}
    {%- endfor -%}
    {{ return('_metadata.file_path in (' ~ literals | join(', ') ~ ')') }}
{%- endmacro %}
