{#
  Whether a build has nothing to do: no file has come, gone or changed, no run has become settled, and nothing
  else asks for rows to be computed anew. Then the last load stays, and the build adds to it that it has been here
  (`int_loads__recorded`), and what only the audit of the files has found.
  Asked of what int_files__planned has found, so every other model of the build gets the same answer. The first
  to ask leaves it in the session, where the next ones of the same session find it.
#}
{% macro is_idle() -%}
    {%- if not execute or flags.WHICH not in ('build', 'run', 'retry') or flags.FULL_REFRESH or flags.EMPTY
        or (model is defined and model.resource_type == 'unit_test') -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set known = run_query('set spark.sync_logs.answerIsIdle').rows[0][1].split(' ') -%}
    {%- if known[0] == sync_logs.load_id() -%}
        {{ return(known[1] == 'true') }}
    {%- endif -%}
    {%- set found = run_query('select * from ' ~ sync_logs.state_table('sync_load_current')).rows[0] -%}
    {%- set answer = found['load_id'] != '' and sync_logs._found_schema_version() == sync_logs.schema_version()
        and run_query(sync_logs._news_query(found['load_id'])).rows | length == 0 -%}
    {%- do run_query('set spark.sync_logs.answerIsIdle=' ~ sync_logs.load_id() ~ ' ' ~ answer | lower) -%}
    {{ return(answer) }}
{%- endmacro %}

{# Query: a row if the files of the lake, or what follows from them by the time, are not those of a load. #}
{% macro _news_query(load_id) %}
    select 'files' as news
    from {{ sync_logs.state_table('int_files__planned') }} as planned
    left join {{ sync_logs.state_table('int_files__landed') }} as committed
        on committed.load_id = '{{ load_id }}' and planned.relative_path = committed.relative_path
    where
        planned.load_id = '{{ sync_logs.load_id() }}'
        and (
            committed.relative_path is null
            {% for column in ['is_in_lake', 'file_path', 'file_size', 'file_modified_at'] %}
                or planned.{{ column }} is distinct from committed.{{ column }}
            {% endfor %}
        )

    union all

    select 'runs' as news
    from {{ sync_logs.state_table('int_runs__planned') }}
    where
        load_id = '{{ load_id }}'
        and not is_pruned
        and (is_recount_due or is_settled is distinct from {{ sync_logs.is_settled() }})

    {% if sync_logs.is_file_audit_on() %}
        union all

        select 'audit' as news
        from {{ sync_logs.state_table('int_files__audited') }}
        where load_id = '{{ load_id }}' and issue = 'not audited'
    {% endif %}

    limit 1
{% endmacro %}

{# The load that the rows of a build belong to, if it writes any: its own, or the last one if it is idle. #}
{% macro target_load_id() -%}
    {{ return(sync_logs.committed_load_id() if sync_logs.is_idle() else sync_logs.load_id()) }}
{%- endmacro %}

{# What a model without any row to load says in its SQL, so that no empty partition is written for it. #}
{% macro nothing_to_load() -%}
    -- nothing to load
{%- endmacro %}
