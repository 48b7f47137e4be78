{#
  Query: the fields of records that differ between two runs of a sync. It compares the payload that
  a record was last sent with up to run b with the one up to run a. Records that were not sent up to
  one of these runs are left out, and so is everything that was pruned. Columns: organization_id,
  sync_id, row_id, field_name, change_type, previous_value, new_value (as in `field_changes`),
  previous_sync_run_id, sync_run_id (the runs of the payloads).
#}
{% macro field_changes_between(run_a, run_b, sync_id=none, organization_id=none) -%}
    {%- do sync_logs.check_arguments('field_changes_between', {
        'run_a': [run_a, 'text'], 'run_b': [run_b, 'text'], 'sync_id': [sync_id, 'id'],
        'organization_id': [organization_id, 'id']}, kwargs) -%}
    with

    payloads as (
        select * from {{ ref('sync_logs', 'int_payloads__compared') }}
        where true {{ sync_logs.of_sync(sync_id, organization_id) }}
    ),

    runs as (
        select * from {{ ref('sync_logs', 'int_runs__live') }}
        where true {{ sync_logs.of_sync(sync_id, organization_id) }}
    ),

    bounds as (
        select
            organization_id,
            sync_id,
            max(case when sync_run_id = {{ sync_logs.text_literal(run_a) }} then position end) as position_a,
            max(case when sync_run_id = {{ sync_logs.text_literal(run_b) }} then position end) as position_b
        from runs
        group by organization_id, sync_id
    ),

    payloads_chosen as (
        select
            payloads.organization_id,
            payloads.sync_id,
            payloads.identifier,
            {% for side in ['a', 'b'] %}
                max_by(
                    named_struct('sync_run_id', payloads.sync_run_id, 'fields', payloads.fields),
                    payloads.position
                ) filter (where payloads.position <= bounds.position_{{ side }}) as payload_{{ side }}
                {%- if not loop.last %}, {% endif %}
            {% endfor %}
        from payloads
        inner join bounds
            on
                payloads.organization_id = bounds.organization_id
                and payloads.sync_id = bounds.sync_id
        where bounds.position_a is not null and bounds.position_b is not null
        group by payloads.organization_id, payloads.sync_id, payloads.identifier
    ),

    payloads_changed as (
        select
            organization_id,
            sync_id,
            identifier as row_id,
            payload_a.sync_run_id as previous_sync_run_id,
            payload_b.sync_run_id,
            payload_a.fields as previous_fields,
            payload_b.fields
        from payloads_chosen
        where
            payload_a is not null
            and payload_b is not null
            and payload_a.fields is distinct from payload_b.fields
    ),

    {{ sync_logs.field_differences('payloads_changed') }}

    select
        organization_id,
        sync_id,
        row_id,
        field_name,
        change_type,
        previous_value,
        new_value,
        previous_sync_run_id,
        sync_run_id
    from field_differences
{%- endmacro %}
