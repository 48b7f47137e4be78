{# Settings of individual syncs. The snapshot of sync 20 is not needed. #}
select
    '77' as organization_id,
    '20' as sync_id,
    true as is_active,
    true as keep_changelog,
    false as keep_snapshot,
    true as keep_runs,
    cast(null as int) as retention_days
