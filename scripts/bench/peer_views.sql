-- The documented tables that are views on the tables of peer.sql and plain.sql. Both engines run
-- the same SQL.

create or replace view {schema}.sync_log as
select * from {schema}.sync_records
where record_status in ('succeeded', 'failed');

create or replace view {schema}.audience_events as
select
    organization_id,
    sync_id,
    identifier,
    'entered' as event_type,
    entered_at as event_at
from {schema}.audience_memberships
union all
select
    organization_id,
    sync_id,
    identifier,
    'left' as event_type,
    exited_at as event_at
from {schema}.audience_memberships
where exited_at is not null;

create or replace view {schema}.sync_snapshot as
select * from {schema}.record_states
where operation != 'delete' or is_delivered;

create or replace view {schema}.errors_by_sync as
select
    organization_id,
    sync_id,
    failed_reason as failure_reason,
    sum(attempt_count) as attempt_count,
    count(distinct identifier) as record_count
from {schema}.record_errors
group by organization_id, sync_id, failed_reason;
