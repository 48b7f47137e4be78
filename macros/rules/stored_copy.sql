{#
  Materialization `stored_copy`: the rows of a small relation from outside. A build that finds other rows than are
  stored, even if the lake has nothing new, inserts them into a partition of their own, and the newest partition
  counts, so nothing that is read is rewritten. Rows that no user gives (`meta.is_given_by_user`) change only with
  their SQL, so Spark is asked only when that has changed.
#}
{% materialization stored_copy, adapter='spark' %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set columns = sync_logs._copied_columns() | map(attribute='name') | join(', ') -%}
    {%- set definition = sync_logs.definition_of(sql) -%}
    {%- set is_new_definition = existing is none or sync_logs.stored_definition(existing) != definition -%}
    {%- set may_differ = not flags.EMPTY and (is_new_definition or model.config.meta.is_given_by_user) -%}
    {{ run_hooks(pre_hooks) }}
    {%- if existing is none -%}
        {%- do sync_logs._create_copy(target_relation) -%}
    {%- endif -%}
    {%- set differs = may_differ and run_query(sync_logs._copy_differs(sql, target_relation, columns)).rows | length > 0 -%}
    {%- if differs -%}
        {#- a build that is killed here leaves no definition that promises other rows -#}
        {%- do sync_logs._note_definition(target_relation, '') -%}
        {%- call statement('main') -%}
            insert into {{ target_relation }} partition (stored_load_id = '{{ sync_logs.load_id() }}')
            ({{ columns }})
            select {{ columns }}
            from (
                {{ sql }}
            )
        {%- endcall -%}
        {%- do sync_logs._drop_older_copies(target_relation) -%}
    {%- elif flags.EMPTY -%}
        {#- only the SQL is tried -#}
        {%- call statement('main') -%}select * from ({{ sql }}) where false{%- endcall -%}
    {%- else -%}
        {%- call noop_statement('main', 'unchanged', 'unchanged') -%}{{ sql }}{%- endcall -%}
    {%- endif -%}
    {%- if differs or (may_differ and is_new_definition) -%}
        {%- do sync_logs._note_definition(target_relation, definition) -%}
        {#- the next build of the same process looks into dbt's cache -#}
        {%- if existing is not none -%}
            {%- do adapter.cache_dropped(existing) -%}
        {%- endif -%}
        {%- do adapter.cache_added(
            target_relation.incorporate(information='sync_logs.definition=' ~ definition)) -%}
    {%- endif -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{# Declared columns of the model, without the one that tells the copies apart. #}
{% macro _copied_columns() -%}
    {{ return(model.columns.values() | rejectattr('name', 'eq', 'stored_load_id') | list) }}
{%- endmacro %}

{% macro _create_copy(relation) -%}
    {%- call statement() -%}
        create table if not exists {{ relation }} (
            {% for column in sync_logs._copied_columns() -%}
                {{ column.name }} {{ column.data_type }},
            {% endfor -%}
            stored_load_id string
        )
        using parquet
        partitioned by (stored_load_id)
    {%- endcall -%}
{%- endmacro %}

{# Query: a row if the rows of a model are not those that count now. Arguments: sql (of the model), relation, columns (string). #}
{% macro _copy_differs(sql, relation, columns) %}
    with

    found as (
        {{ sql }}
    ),

    stored as (
        select {{ columns }} from {{ relation }}
        where stored_load_id = (select max(stored_load_id) from {{ relation }})
    ),

    different as (
        (select * from found except all select * from stored)
        union all
        (select * from stored except all select * from found)
    )

    select 1 as is_different from different limit 1
{% endmacro %}

{# The copy before the last stays, for questions that were asked before this build. #}
{% macro _drop_older_copies(relation) -%}
    {%- for load_id in (sync_logs.partitions(relation) | sort)[:-2] -%}
        {%- do run_query(
            'alter table ' ~ relation ~ " drop if exists partition (stored_load_id = '" ~ load_id ~ "')") -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _note_definition(relation, definition) -%}
    {%- do run_query(
        'alter table ' ~ relation ~ " set tblproperties ('sync_logs.definition' = '" ~ definition ~ "')") -%}
{%- endmacro %}
