with

rules as (
    select * from {{ ref('stg_sync_logs__alert_rules') }}
    where is_built_in
)

select
    rule,
    severity,
    cast(given_threshold as double) as threshold,
    cast(given_minimum as double) as minimum,
    organization_id,
    sync_id,
    cast(given_muted_until as timestamp) as muted_until
from rules
