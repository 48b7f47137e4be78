{# Payloads that `field_changes` compares, of every run whose changelog is kept. #}
{{ config(materialized='lazy_view') }}
with

changelog as (
    select * from {{ ref('int_changelog__built') }}
    where is_compared
),

runs as (
    select * from {{ ref('int_runs__live') }}
)

select /*+ broadcast(runs) */
    changelog.organization_id,
    changelog.sync_id,
    changelog.sync_run_id,
    changelog.identifier,
    changelog.position,
    changelog.status,
    changelog.fields
from changelog
inner join runs
    on
        changelog.load_id = runs.built_load_id
        and changelog.organization_id = runs.organization_id
        and changelog.sync_id = runs.sync_id
        and changelog.sync_run_id = runs.sync_run_id
