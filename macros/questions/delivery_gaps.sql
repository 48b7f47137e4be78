{#
  Query: how the rows of one of your models differ from what a sync has delivered, one row per record
  that differs. The rules are in docs/answers.md, "Delivery gaps". Columns: organization_id, sync_id,
  row_id, gap, reason, since_at, last_sync_run_id, failure_reason, failure_pattern, differing_columns.
    select * from ({{ sync_logs.delivery_gaps('customers', key='email', sync_id='42', compare=['plan']) }})
#}
{% macro delivery_gaps(model, key, sync_id, organization_id=none, compare=none, sent_model=none) -%}
    {%- do sync_logs.check_arguments(
        'delivery_gaps', sync_logs._kinds_of_gap_arguments(model, key, sync_id, organization_id, compare, sent_model), kwargs) -%}
    with

    {{ sync_logs._gaps_found(model, key, sync_id, organization_id, compare, sent_model) }}

    select
        organization_id,
        sync_id,
        row_id,
        gap,
        reason,
        since_at,
        last_sync_run_id,
        failure_reason,
        failure_pattern,
        differing_columns
    from gaps_found
    where gap is not null
{%- endmacro %}

{#
  Query: the number of records with each gap and reason, and of those without one (`none`). Columns:
  organization_id, sync_id, gap, reason, record_count, sample_identifiers, since_at, data_until_at.
  The arguments are those of `delivery_gaps`.
#}
{% macro delivery_gap_counts(model, key, sync_id, organization_id=none, compare=none, sent_model=none) -%}
    {%- do sync_logs.check_arguments(
        'delivery_gap_counts', sync_logs._kinds_of_gap_arguments(model, key, sync_id, organization_id, compare, sent_model), kwargs) -%}
    with

    {{ sync_logs._gaps_found(model, key, sync_id, organization_id, compare, sent_model) }},

    gaps_numbered as (
        select
            *,
            row_number() over (
                partition by organization_id, gap, reason
                order by row_id asc nulls last
            ) as number_in_gap
        from gaps_found
    )

    select
        organization_id,
        sync_id,
        coalesce(gap, 'none') as gap,
        reason,
        count(*) as record_count,
        to_json(
            array_sort(collect_list(case when number_in_gap <= 5 and gap is not null then row_id end))
        ) as sample_identifiers,
        min(since_at) as since_at,
        max(data_until_at) as data_until_at
    from gaps_numbered
    group by organization_id, sync_id, gap, reason
{%- endmacro %}

{#
  Named steps that end in `gaps_found`: the rows of a model and the records that a sync has delivered, with
  what differs between them (a null `gap`: nothing).
#}
{% macro _gaps_found(model, key, sync_id, organization_id, compare, sent_model) -%}
    {%- set compared = sync_logs.compared_columns(compare) -%}
    gap_syncs as (
        select
            given.sync_id,
            {{ 'found.organization_id' if organization_id is none else sync_logs.text_literal(organization_id) }} as organization_id,
            found.data_until_at
        from (select {{ sync_logs.text_literal(sync_id) }} as sync_id) as given
        left join (
            select
                organization_id,
                sync_id,
                max(data_until_at) as data_until_at
            from {{ ref('sync_logs', 'int_runs__live') }}
            where true {{ sync_logs.of_sync(sync_id, organization_id) }}
            group by organization_id, sync_id
        ) as found
            on given.sync_id = found.sync_id
    ),

    gap_states as (
        select * from {{ ref('sync_logs', 'int_record_states__live') }}
        where true {{ sync_logs.of_sync(sync_id, organization_id) }}
    ),

    gap_payloads as (
        select * from {{ ref('sync_logs', 'int_payloads__compared') }}
        where status = 'succeeded' {{ sync_logs.of_sync(sync_id, organization_id) }}
    ),

    rows_keyed as (
        select
            cast({{ key }} as string) as key_of_row
            {%- for column in compared %},
            {{ column }} as compared_{{ loop.index }}
            {%- endfor %}
        from {{ sync_logs.given_model(model) }}
    ),

    rows_numbered as (
        select
            *,
            row_number() over (
                partition by key_of_row
                order by
                    key_of_row
                    {%- for column in compared %}, cast(compared_{{ loop.index }} as string){% endfor %}
            ) as number_of_key
        from rows_keyed
    ),

    -- of several rows with one key, the first counts; each row without a key counts
    model_rows as (
        select
            gap_syncs.organization_id,
            gap_syncs.data_until_at,
            rows_numbered.*,
            {{ 'true' if sent_model is none else 'rows_sent.key_of_row is not null' }} as is_in_sent_model
        from rows_numbered
        cross join gap_syncs
        {%- if sent_model is not none %}
        left join (
            select distinct cast({{ key }} as string) as key_of_row
            from {{ sync_logs.given_model(sent_model) }}
        ) as rows_sent
            on rows_numbered.key_of_row = rows_sent.key_of_row
        {%- endif %}
        where rows_numbered.number_of_key = 1 or rows_numbered.key_of_row is null
    ),

    states_judged as (
        select
            *,
            canonical_operation = 'append' as is_appended,
            status = 'succeeded' and is_outcome_compared as has_delivered_fields,
            case
                when canonical_operation = 'append' then succeeded_count > 0
                else is_delivered
            end as is_in_destination
        from gap_states
    ),

    -- what the destination has of records whose last outcome says nothing about it
    payloads_delivered as (
        select
            gap_payloads.organization_id,
            gap_payloads.identifier,
            max_by(gap_payloads.fields, gap_payloads.position) as fields
        from gap_payloads
        inner join (
            select
                organization_id,
                identifier
            from states_judged
            where is_in_destination and not has_delivered_fields
        ) as states
            on
                gap_payloads.organization_id = states.organization_id
                and gap_payloads.identifier = states.identifier
        group by gap_payloads.organization_id, gap_payloads.identifier
    ),

    records_matched as (
        select
            model_rows.key_of_row is not null as has_key,
            model_rows.number_of_key is not null as is_in_model,
            coalesce(model_rows.is_in_sent_model, false) as is_in_sent_model,
            coalesce(states_judged.is_in_destination, false) as is_in_destination,
            coalesce(model_rows.organization_id, states_judged.organization_id) as organization_id,
            coalesce(model_rows.key_of_row, states_judged.identifier) as row_id,
            coalesce(model_rows.data_until_at, states_judged.data_until_at) as data_until_at,
            {%- for column in compared %}
            model_rows.compared_{{ loop.index }},
            {%- endfor %}
            case
                when states_judged.has_delivered_fields then states_judged.fields
                else payloads_delivered.fields
            end as delivered_fields,
            states_judged.identifier is not null as has_state,
            states_judged.is_appended,
            states_judged.canonical_operation,
            states_judged.status,
            states_judged.failed_reason,
            states_judged.failure,
            states_judged.last_failure_pattern,
            states_judged.last_sync_run_id,
            states_judged.last_attempted_at,
            states_judged.last_event_at,
            {{ sync_logs.is_failing('states_judged') }} as is_failing
        from model_rows
        full outer join states_judged
            on
                model_rows.organization_id = states_judged.organization_id
                and model_rows.key_of_row = states_judged.identifier
        left join payloads_delivered
            on
                states_judged.organization_id = payloads_delivered.organization_id
                and states_judged.identifier = payloads_delivered.identifier
    ),

    records_compared as (
        select
            *,
            {%- if compared %}
            filter(
                array(
                    {%- for column, field in compared.items() %}
                    case
                        when not {{ sync_logs.is_as_sent('compared_' ~ loop.index, 'delivered_fields', field) }}
                            then {{ sync_logs.text_literal(column) }}
                    end {%- if not loop.last %},{% endif %}
                    {%- endfor %}
                ),
                name -> name is not null
            ) as names_of_differing
            {%- else %}
            cast(array() as array<string>) as names_of_differing
            {%- endif %}
        from records_matched
        where is_in_model or (is_in_destination and not is_appended)
    ),

    gaps_named as (
        select
            *,
            case
                when is_in_model and not is_in_destination then 'missing'
                when not is_in_model then 'extra'
                {%- if compared %}
                when is_appended then null
                when delivered_fields is null then 'unknown'
                when size(names_of_differing) > 0 then 'stale'
                {%- endif %}
            end as gap
        from records_compared
    ),

    gaps_explained as (
        select
            *,
            case
                when gap = 'unknown' then 'payload not in the log'
                when gap = 'extra' and canonical_operation = 'delete' and status = 'failed' then 'removal failed'
                when gap = 'extra' and canonical_operation = 'delete' and status = 'aborted'
                    then 'removal not attempted'
                when gap = 'extra' then 'not removed'
                when not has_key then 'no key'
                when gap is not null and not is_in_sent_model then 'left out'
                when gap = 'missing' and not has_state then 'never sent'
                when gap is not null and is_failing then 'failing'
                when gap is not null and status = 'aborted' then 'not attempted'
                when gap = 'stale' then 'not sent'
                when gap = 'missing' and canonical_operation = 'delete' and status = 'succeeded' then 'removed'
                when gap = 'missing' then 'replaced'
            end as reason
        from gaps_named
    ),

    gaps_found as (
        select
            organization_id,
            {{ sync_logs.text_literal(sync_id) }} as sync_id,
            row_id,
            gap,
            reason,
            case
                when reason in ('removed', 'replaced') then last_event_at
                when reason in ('not attempted', 'removal not attempted') then last_attempted_at
                when is_failing and reason != 'not removed' then coalesce(failure.first.attempted_at, last_attempted_at)
            end as since_at,
            last_sync_run_id,
            case
                when failure is not null then failure.last.reason
                when is_failing then failed_reason
            end as failure_reason,
            case when is_failing then last_failure_pattern end as failure_pattern,
            case when gap = 'stale' then to_json(names_of_differing) end as differing_columns,
            data_until_at
        from gaps_explained
    )
{%- endmacro %}

{# Returns the arguments with their kinds, for `check_arguments`. #}
{% macro _kinds_of_gap_arguments(model, key, sync_id, organization_id, compare, sent_model) -%}
    {{ return({
        'model': [model, 'model'], 'key': [key, 'expression'], 'sync_id': [sync_id, 'text'],
        'organization_id': [organization_id, 'id'], 'compare': [compare, 'fields'],
        'sent_model': [sent_model, 'model or none']}) }}
{%- endmacro %}
