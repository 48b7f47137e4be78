{#
  Determines, once the files are listed, whether this build is idle. All later models then keep the
  load that the list was compared with, whatever is published in the meantime.
#}
{% macro keep_load_if_idle() -%}
    {%- if sync_logs.is_building() and not flags.FULL_REFRESH -%}
        {%- set previous_load_id = sync_logs.planned_previous_load() -%}
        {%- if previous_load_id and sync_logs.found_schema_version() == sync_logs.schema_version()
            and not sync_logs.changed_words()
            and not run_query(sync_logs._news_query(previous_load_id)).rows -%}
            {%- do sync_logs.begin_load(sync_logs.load_id(), kept_load_id=previous_load_id) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the load that was committed when this build listed the files; none if it has not listed
  any.
#}
{% macro planned_previous_load() -%}
    {%- set rows = run_query(
        'select previous_load_id from ' ~ sync_logs.state_table('int_files__planned')
        ~ " where load_id = '" ~ sync_logs.load_id() ~ "' limit 1").rows -%}
    {{ return(rows[0][0] if rows else none) }}
{%- endmacro %}

{#
  Query: one row if there is news since a load: in the files of the lake, in the names of sources, in
  what follows from them as time passes, or in the rules.
#}
{% macro _news_query(load_id) %}
    {%- set planned -%}
        (select * from {{ sync_logs.state_table('int_files__planned') }} where load_id = '{{ sync_logs.load_id() }}')
    {%- endset %}
    select 'files' as news
    from {{ sync_logs.state_table('int_files__planned') }} as planned
    left join {{ sync_logs.state_table('int_files__landed') }} as committed
        on committed.load_id = '{{ load_id }}' and planned.relative_path = committed.relative_path
    where
        planned.load_id = '{{ sync_logs.load_id() }}'
        and (
            committed.relative_path is null
            {% for column in ['is_in_lake', 'file_path', 'file_size', 'file_modified_at', 'fingerprint'] %}
                or planned.{{ column }} is distinct from committed.{{ column }}
            {% endfor %}
        )

    union all

    select 'sources' as news
    from ({{ sync_logs.sources_found(planned) }}) as found
    left join {{ sync_logs.state_table('int_sources__known') }} as known
        on known.load_id = '{{ load_id }}' and found.organization_id <=> known.organization_id
    where
        {% for fact in sync_logs.source_fact_names() %}
            found.{{ fact }} is distinct from known.{{ fact }}
            {% if not loop.last %} or {% endif %}
        {% endfor %}

    union all

    select 'runs' as news
    from {{ sync_logs.state_table('int_runs__planned') }}
    where
        load_id = '{{ load_id }}'
        and not is_pruned
        and (is_recount_due or is_settled is distinct from {{ sync_logs.is_settled(sync_logs.as_of()) }})

    union all

    {%- set rules_before %}
        select pattern, category, given_priority, is_transient, hint
        from {{ sync_logs.state_table('int_error_rules__used') }}
        where load_id = '{{ load_id }}'
    {%- endset %}
    select 'rules' as news
    from (
        (({{ sync_logs.rules_given() }}) except all ({{ rules_before }}))
        union all
        (({{ rules_before }}) except all ({{ sync_logs.rules_given() }}))
    )

    union all

    select 'alert rules' as news
    from {{ sync_logs.state_table('int_alert_rules__scoped') }} as known
    cross join (
        select {{ sync_logs.alert_rules_hash() }} as given_hash
        from {{ ref('sync_logs', 'stg_sync_logs__alert_rules') }}
    ) as given
    where known.load_id = '{{ load_id }}' and known.rules_hash is distinct from given.given_hash

    {% if sync_logs.runs_python_models() %}
        union all

        select 'audit' as news
        from {{ sync_logs.state_table('int_files__audited') }}
        where
            load_id = '{{ load_id }}' and is_postponed
    {% endif %}

    limit 1
{% endmacro %}
