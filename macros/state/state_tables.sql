{#
  The tables of the state, as their models declare them once in `meta: state:`. All that operations and collections
  do to a table follows from it, so a new one needs no other place.

  rows_of               whose rows they are. For a `file`, a `run` and a `checkpoint` a manifest names the load that
                        has the live rows. Of a `load` only the rows of the committed one are read.
  joined_by             how a row finds its entry in the manifest: columns, or {column: column of the manifest}
  file_kind             rows of a file: the kind of file that they come from (batch, fact, metadata)
  after_prune           rows of a run: whether they are `dropped` or `kept` when it is pruned
  after_purge           rows with an identifier: `dropped` with it, or `blanked` where the rows of a file must add up
  in_operations         rows of a load: `copied` from the load before, or `computed` by the model. Without it, an
                        operation writes them itself, or nobody reads them after the build.
  is_written_when_idle  true for what a build writes that has nothing else to do
  lists_loads           true for the table that knows every load from its first moment on
#}

{# Their nodes in dbt's graph. Argument: rows_of (string; null for all). #}
{% macro state_tables(rows_of=none) -%}
    {%- set found = [] -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and node.package_name == 'sync_logs'
        and node.config.materialized == 'load'
        and (rows_of is none or node.config.meta.state.rows_of == rows_of) -%}
        {%- do found.append(node) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  {whose rows: the manifest that names their load}: its table, the column with the load, and what tells one entry
  from another in a load.
#}
{% macro manifests() -%}
    {%- set by_run = ['organization_id', 'sync_id', 'sync_run_id'] -%}
    {{ return({
        'file': {'table': 'int_files__landed', 'column': 'landed_load_id', 'key': ['relative_path']},
        'run': {'table': 'int_runs__planned', 'column': 'built_load_id', 'key': by_run},
        'checkpoint': {'table': 'int_runs__planned', 'column': 'checkpoint_load_id', 'key': by_run},
    }) }}
{%- endmacro %}

{# SQL condition: rows of a table belong to an entry of its manifest. Arguments: node, rows and entries (names of steps). #}
{% macro is_of_entry(node, rows, entries) -%}
    {%- set conditions = [] -%}
    {%- for column in node.config.meta.state.joined_by -%}
        {%- for own, others in ({column: column} if column is string else column).items() -%}
            {%- do conditions.append(rows ~ '.' ~ own ~ ' = ' ~ entries ~ '.' ~ others) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(conditions | join(' and ')) }}
{%- endmacro %}
