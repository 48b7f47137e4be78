{#
  Materialization `stored_copy`: stores the rows of a small relation from outside. If a build finds
  other rows than the stored ones, even if the lake has nothing new, it inserts them into a new
  partition. The newest partition counts, so nothing that queries read is rewritten. Rows that no
  user provides (see `meta.is_given_by_user`) change only with their SQL, so Spark compares them
  only if the SQL has changed.
#}
{% materialization stored_copy, adapter='spark' %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set columns = sync_logs.columns_of(model, 'stored_load_id') | map(attribute='name') | join(', ') -%}
    {%- set definition = sync_logs.definition_of(sql) -%}
    {%- set is_new_definition = existing is none or sync_logs.stored_definition(existing) != definition -%}
    {%- set may_differ = not flags.EMPTY and (is_new_definition or model.config.meta.is_given_by_user) -%}
    {{ run_hooks(pre_hooks) }}
    {%- if existing is none -%}
        {%- do sync_logs.create_stored_table(
            target_relation, sync_logs.columns_of(model, 'stored_load_id'), 'stored_load_id') -%}
    {%- endif -%}
    {%- set differs = may_differ and run_query(sync_logs._copy_differs(sql, target_relation, columns)).rows | length > 0 -%}
    {%- if differs -%}
        {#- if the build is killed here, no stored definition claims the new rows -#}
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
        {#- only tries the SQL -#}
        {%- call statement('main') -%}select * from ({{ sql }}) where false{%- endcall -%}
    {%- else -%}
        {%- call noop_statement('main', 'unchanged', 'unchanged') -%}{{ sql }}{%- endcall -%}
    {%- endif -%}
    {%- if differs or (may_differ and is_new_definition) -%}
        {%- do sync_logs._note_definition(target_relation, definition) -%}
        {#- the next build of the same process reads dbt's cache -#}
        {%- if existing is not none -%}
            {%- do adapter.cache_dropped(existing) -%}
        {%- endif -%}
        {%- do adapter.cache_added(sync_logs.with_definition(target_relation, definition)) -%}
    {%- endif -%}
    {{ run_hooks(post_hooks) }}
    {%- do sync_logs.record_written() -%}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{#
  Query: one row if the rows of a model differ from the newest copy.
  Arguments: sql (string): SQL of the model; relation; columns (string).
#}
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

{#
  Drops all copies except the last two. Queries that started before this build may read the previous
  one.
#}
{% macro _drop_older_copies(relation) -%}
    {%- set older = (sync_logs.loads_in(relation, 'stored_load_id') | sort)[:-2] -%}
    {%- if older -%}
        {%- do sync_logs.drop_loads(relation, older, 'stored_load_id') -%}
        {%- do sync_logs.erase_dropped(relation, false) -%}
    {%- endif -%}
{%- endmacro %}

{% macro _note_definition(relation, definition) -%}
    {%- do run_query(
        'alter table ' ~ relation ~ " set tblproperties ('sync_logs.definition' = '" ~ definition ~ "')") -%}
{%- endmacro %}
