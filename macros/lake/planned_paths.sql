{#
  Returns a condition that makes Spark open only the files that this build's plan loads. Only
  literal paths prune files when Spark plans a query. Tables are named and not referenced with `ref`,
  because hooks call this macro too; a model that calls it needs its own `ref`.
  Arguments: file_kind (string): batch, metadata or fact.
#}
{% macro planned_paths_only(file_kind) -%}
    {{ return(sync_logs._paths_only(sync_logs.planned_paths(file_kind), file_kind)) }}
{%- endmacro %}

{# Query: the paths of the files of one kind that this build's plan loads. #}
{% macro planned_paths(file_kind) %}
    select file_path from {{ sync_logs.state_table('int_files__planned') }}
    where load_id = '{{ sync_logs.load_id() }}' and action = 'load' and file_kind = '{{ file_kind }}'
        and file_path is not null
{% endmacro %}

{#
  Returns the same condition for the planned files of which no row was read: empty and unreadable
  ones.
  Arguments: file_kind (string): batch or fact.
#}
{% macro rowless_paths_only(file_kind) -%}
    {%- set query -%}
        select file_path from ({{ sync_logs.rowless_files(file_kind) }})
    {%- endset -%}
    {{ return(sync_logs._paths_only(query, file_kind)) }}
{%- endmacro %}

{# Query: the planned files of which no row was read. #}
{% macro rowless_files(file_kind) %}
    {%- set is_batch = file_kind == 'batch' %}
    select planned.file_path, planned.relative_path
    from {{ sync_logs.state_table('int_files__planned') }} as planned
    left anti join {{ sync_logs.state_table('int_records__landed' if is_batch else 'int_facts__landed') }} as landed
        on
            planned.organization_id = landed.organization_id
            {%- if is_batch %}
                and planned.sync_id = landed.sync_id
                and planned.sync_run_id = landed.sync_run_id
            {%- endif %}
            and planned.file_name = landed.file_name
            and landed.load_id = '{{ sync_logs.load_id() }}'
            {#- a file is read from its start, so looking for its first row reads hardly a page #}
            {%- if is_batch %}
                and landed.row_index = 0
            {%- endif %}
    where
        planned.load_id = '{{ sync_logs.load_id() }}'
        and planned.action = 'load'
        and planned.file_kind = '{{ file_kind }}'
        and planned.file_path is not null
{% endmacro %}

{#
  Returns the condition for the paths that a query returns. Above `limit` files, the literals cost more
  than they save if the files are most of the lake. Then only the kind of a file prunes, and the
  caller's join with the plan does the rest.
#}
{% macro _paths_only(query, file_kind) -%}
    {%- set limit = 5000 -%}
    {%- if not sync_logs.is_building() -%}
        {{ return('true') }}
    {%- endif -%}
    {%- if sync_logs.is_idle() -%}
        {{ return('false') }}
    {%- endif -%}
    {%- set paths = run_query(query ~ ' limit ' ~ (limit + 1)).columns[0].values() -%}
    {%- if paths | length == 0 -%}
        {{ return('false') }}
    {%- elif paths | length <= limit -%}
        {{ return(sync_logs.paths_in(paths)) }}
    {%- endif -%}
    {%- set counts -%}
        select
            (select count(*) from ({{ query }})) as wanted_count,
            count(*) as listed_count
        from {{ sync_logs.state_table('int_files__planned') }}
        where
            load_id = '{{ sync_logs.load_id() }}'
            and action in ('load', 'keep')
            and file_kind = '{{ file_kind }}'
            and file_path is not null
    {%- endset -%}
    {%- set counted = run_query(counts).rows[0] -%}
    {%- if counted['wanted_count'] * 2 < counted['listed_count']
        and counted['wanted_count'] <= 10 * limit -%}
        {{ return(sync_logs.paths_in(run_query(query).columns[0].values())) }}
    {%- endif -%}
    {{ return("_metadata.file_name = 'metadata.json'" if file_kind == 'metadata' else 'true') }}
{%- endmacro %}

{# Returns the condition for a list of paths, as literals. #}
{% macro paths_in(paths) -%}
    {{ return('_metadata.file_path in (' ~ sync_logs.text_literals(paths) ~ ')') }}
{%- endmacro %}
