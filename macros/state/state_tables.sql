{#
  The tables of the state. Their models declare them once, in `meta: state:`. Everything that
  operations and collections do to a table follows from that, so a new table needs no other code.
    rows_of               whose rows they are. For a `file`, `run` or `checkpoint`, a manifest names
                          the load that has the live rows. For a `load`, only the rows of the
                          committed load are read.
    joined_by             how a row finds its entry in the manifest: columns, or
                          {column: column of the manifest}
    file_kind             rows of a file: the kind of file (batch, fact, metadata)
    after_prune           rows of a run: `dropped` or `kept` when the run is pruned
    after_purge           rows with an identifier: `dropped` with it, or `blanked` if the rows of a
                          file must add up (those of a table of a source are dropped)
    in_operations         rows of a load: `copied` from the previous load, or `computed` by the
                          model. Without it, an operation writes the rows itself, or nothing reads
                          them after the build.
    is_written_when_idle  true for what an idle build writes
    lists_loads           true for the table that lists every load from its first moment on
#}

{#
  Returns their nodes in dbt's graph.
  Arguments: rows_of (string): null for all.
#}
{% macro state_tables(rows_of=none) -%}
    {%- set found = graph.nodes.values()
        | selectattr('resource_type', 'eq', 'model') | selectattr('package_name', 'eq', 'sync_logs')
        | selectattr('config.materialized', 'eq', 'load') | list -%}
    {%- set found = found | rejectattr('config.meta.state.lists_loads') | list
        + found | selectattr('config.meta.state.lists_loads') | list -%}
    {{ return(found if rows_of is none else found | selectattr('config.meta.state.rows_of', 'eq', rows_of) | list) }}
{%- endmacro %}

{#
  Returns {whose rows: the manifest that names their load}: its table, the column with the load, and
  the columns that identify an entry within a load.
#}
{% macro manifests() -%}
    {%- set by_run = ['organization_id', 'sync_id', 'sync_run_id'] -%}
    {{ return({
        'file': {'table': 'int_files__landed', 'column': 'landed_load_id', 'key': ['relative_path']},
        'run': {'table': 'int_runs__planned', 'column': 'built_load_id', 'key': by_run},
        'checkpoint': {'table': 'int_runs__planned', 'column': 'checkpoint_load_id', 'key': by_run},
    }) }}
{%- endmacro %}

{#
  Returns a SQL condition: rows of a table belong to an entry of its manifest.
  Arguments: node; rows, entries (names of steps).
#}
{% macro is_of_entry(node, rows, entries) -%}
    {%- set conditions = [] -%}
    {%- for column in node.config.meta.state.joined_by -%}
        {%- for own, others in ({column: column} if column is string else column).items() -%}
            {%- do conditions.append(rows ~ '.' ~ own ~ ' = ' ~ entries ~ '.' ~ others) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(conditions | join(' and ')) }}
{%- endmacro %}
