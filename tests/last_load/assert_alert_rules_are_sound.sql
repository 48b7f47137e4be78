-- Fails with each rule for alerts that is left out, and with what is wrong with it.
-- depends_on: {{ ref('sync_logs', 'sync_alerts') }} (a leaf: it must block nothing)
{{ config(meta={'remedy': 'Correct the relation of rules for alerts.'}) }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

rules_used as (
    select * from {{ ref('int_alert_rules__used') }}
    where load_id = (select load_current.load_id from load_current)
)

select
    rule,
    severity,
    organization_id,
    sync_id,
    fault
from rules_used
where fault is not null
