{#
  A condition that makes Spark open only the files which this build's plan loads. Only literal paths
  prune at planning; above `limit` files the literals cost more than the files, so the caller's join
  with the plan does the work.
  Arguments: file_kind (string: batch, metadata or fact), limit (integer).
#}
{% macro planned_paths_only(file_kind, limit=5000) -%}
    {%- set query -%}
        select file_path from {{ ref('int_files__planned') }}
        where load_id = '{{ sync_logs.load_id() }}' and action = 'load' and file_kind = '{{ file_kind }}'
        limit {{ limit + 1 }}
    {%- endset -%}
    {{ return(sync_logs._paths_only(query, limit)) }}
{%- endmacro %}

{#
  The same for the batch files of the plan of which no row was landed: empty ones, and unreadable ones.
#}
{% macro rowless_paths_only(limit=5000) -%}
    {%- set query -%}
        select planned.file_path
        from {{ ref('int_files__planned') }} as planned
        left anti join {{ ref('int_records__landed') }} as landed
            on
                planned.organization_id = landed.organization_id
                and planned.sync_id = landed.sync_id
                and planned.sync_run_id = landed.sync_run_id
                and planned.file_name = landed.file_name
                and landed.load_id = '{{ sync_logs.load_id() }}'
        where
            planned.load_id = '{{ sync_logs.load_id() }}'
            and planned.action = 'load'
            and planned.file_kind = 'batch'
        limit {{ limit + 1 }}
    {%- endset -%}
    {{ return(sync_logs._paths_only(query, limit)) }}
{%- endmacro %}

{# The condition for the paths that a query gives; true if they are more than `limit`. #}
{% macro _paths_only(query, limit) -%}
    {%- if not execute or flags.WHICH not in ('build', 'run', 'retry') -%}
        {{ return('true') }}
    {%- endif -%}
    {%- set paths = run_query(query).columns[0].values() -%}
    {%- if paths | length > limit -%}
        {{ return('true') }}
    {%- elif paths | length == 0 -%}
        {{ return('false') }}
    {%- endif -%}
    {{ return(sync_logs._paths_in(paths)) }}
{%- endmacro %}

{# The condition for a list of paths, as literals. #}
{% macro _paths_in(paths) -%}
    {%- set literals = [] -%}
    {%- for path in paths -%}
        {%- do literals.append("'" ~ path | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") -%}
    {%- endfor -%}
    {{ return('_metadata.file_path in (' ~ literals | join(', ') ~ ')') }}
{%- endmacro %}
