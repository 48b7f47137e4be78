{#
  Materialization `load`: inserts the model's rows into one new partition of a table that
  `prepare_state` created from the model's columns. Nothing that exists is rewritten or dropped, so
  a killed build leaves only a partition that no query reads. If a build has no rows for
  the table, nothing is inserted. An idle build inserts only into tables with
  `is_written_when_idle`. A Python model returns a Spark DataFrame with the declared columns in any
  order.
#}
{% materialization load, adapter='spark', supported_languages=['sql', 'python'] %}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set columns = sync_logs.load_columns(model) | map(attribute='name') | join(', ') -%}
    {%- set load_id = sync_logs.target_load_id() -%}
    {{ run_hooks(pre_hooks) }}
    {%- if flags.EMPTY and model.language == 'python' -%}
    {%- call noop_statement('main', 'not run', 'not run') -%}{{ sql }}{%- endcall -%}
    {%- elif flags.EMPTY -%}
    {#- writes no load, only tries the SQL -#}
    {%- call statement('main') -%}
        select {{ columns }}
        from (
            {{ sql }}
        )
        where false
    {%- endcall -%}
    {%- elif not sync_logs._has_rows_to_load(load_id != sync_logs.load_id()) -%}
    {%- call noop_statement('main', 'nothing new', 'nothing new') -%}{{ sql }}{%- endcall -%}
    {%- elif model.language == 'python' -%}
    {%- call statement('main', language='python') -%}
        {{ sync_logs._load_in_python(compiled_code, target_relation, load_id) }}
    {%- endcall -%}
    {%- else -%}
    {%- call statement('main') -%}
        insert into {{ target_relation }} partition (load_id = '{{ load_id }}')
        ({{ columns }})
        select {{ columns }}
        from (
            {{ sql }}
        )
    {%- endcall -%}
    {%- endif -%}
    {{ run_hooks(post_hooks) }}
    {%- do sync_logs.record_written() -%}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{#
  Returns whether a build has rows for a table, so that it gets no empty partition: the plan of the
  files has one that the table has rows of, the plan of the runs has a new checkpoint.
  Arguments: is_idle (boolean): whether the build is idle, which the caller has asked Spark.
#}
{% macro _has_rows_to_load(is_idle) -%}
    {%- set state = model.config.meta.get('state', {}) -%}
    {%- if is_idle -%}
        {{ return(state.get('is_written_when_idle', false)) }}
    {%- elif state.rows_of == 'file' and sync_logs.is_building() -%}
        {{ return(run_query(
            'select 1 from ' ~ sync_logs.state_table('int_files__planned') ~ " where load_id = '" ~ sync_logs.load_id()
            ~ "' and action = 'load' and file_kind = '" ~ state.file_kind ~ "' limit 1").rows | length > 0) }}
    {%- elif state.rows_of == 'checkpoint' and sync_logs.is_building() -%}
        {{ return(run_query(
            'select 1 from ' ~ sync_logs.state_table('int_runs__planned') ~ " where load_id = '" ~ sync_logs.load_id()
            ~ "' and checkpoint_load_id = load_id limit 1").rows | length > 0) }}
    {%- endif -%}
    {{ return(true) }}
{%- endmacro %}

{#
  Returns the code of a Python model with the code that runs it. `dbt.config.get` also returns the
  `load_id` of the build, the `target_load_id` that its rows belong to (the last load, if the build
  has nothing else to load) and the `lake_path`, which cannot be in YAML, because dbt keeps what it
  parsed for the next build.
  Arguments: compiled_code (string): the model's file, which comes first so that line numbers stay
  correct; relation; target_load_id (string).
#}
{% macro _load_in_python(compiled_code, relation, target_load_id) -%}
{%- set columns = sync_logs.load_columns(model) | map(attribute='name') | list -%}
{{ compiled_code }}

from dbt_sync_logs.python_models import insert_load

config_dict.update({{ {'load_id': sync_logs.load_id(), 'target_load_id': target_load_id,
    'lake_path': sync_logs.lake_path()} }})
moved = {{ sync_logs._moved_sources() }}
frame = model(dbtObj(lambda name: spark.table(moved.get(name, name))), spark)
insert_load(frame, "{{ relation }}", {{ columns }}, "{{ target_load_id }}")
{%- endmacro %}

{#
  Returns {where a source of the state is declared: where it is} for a Python model, which resolves
  sources itself.
#}
{% macro _moved_sources() -%}
    {%- set moved = {} -%}
    {%- for source_name, table_name in model.sources -%}
        {%- set where = sync_logs.committed(table_name) if source_name == 'sync_logs_state'
            else sync_logs.lake_table(table_name) -%}
        {%- do moved.update({source(source_name, table_name) | string: where | string}) -%}
    {%- endfor -%}
    {{ return(moved) }}
{%- endmacro %}

{# Returns the declared columns of a `load` model, without the partition column. #}
{% macro load_columns(node) -%}
    {{ return(node.columns.values() | rejectattr('name', 'eq', 'load_id') | list) }}
{%- endmacro %}
