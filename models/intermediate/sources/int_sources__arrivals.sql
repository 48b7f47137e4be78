{#
  The runs in the tables of all sources, as far as each table shows them. Each type of source
  has its own model. Names arrive as a whole table. The names that the user gives arrive even if there
  are none, because names that were taken out no longer count.
#}
{{ config(enabled=sync_logs.table_sources() | length > 0) }}
{% do sync_logs.check_source_relations(names_models=true) %}
{% set name_columns = ['names.fact_type', 'names.id', 'names.type', 'names.name', 'names.model_id',
    'names.business_object_id', 'names.filter_segment_id', 'names.cohort_id'] %}
with

names as (
    select * from {{ ref('int_sources__names') }}
),

tables_expected as (
    select distinct
        organization_id,
        file_name
    from names
    {% for source in sync_logs.table_sources() %}
        union distinct
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            'names' as file_name
    {% endfor %}
),

tables_of_names as (
    select
        tables_expected.organization_id,
        tables_expected.file_name,
        count(names.id) as record_count,
        {{ sync_logs.fingerprint_of_rows(name_columns) }} as fingerprint
    from tables_expected
    left join names
        on
            tables_expected.organization_id = names.organization_id
            and tables_expected.file_name = names.file_name
    group by tables_expected.organization_id, tables_expected.file_name
)

{% for type in sync_logs.table_source_types() %}
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_kind,
        file_name,
        record_count,
        last_arrived_at,
        fingerprint
    from {{ ref('int_' ~ type ~ '__arrivals') }}
    where sync_id is not null and sync_run_id is not null

    union all
{% endfor %}

select
    organization_id,
    cast(null as string) as sync_id,
    cast(null as string) as sync_run_id,
    'fact' as file_kind,
    file_name,
    record_count,
    cast(null as timestamp) as last_arrived_at,
    fingerprint
from tables_of_names
