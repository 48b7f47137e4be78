with

-- a record fails from its first failed outcome until something ends that, even if no run sends it
failures as (
    select
        failure_pattern,
        row_id,
        cast(started_at as date) <= cast(:before_until_date as date)
        and (
            is_open
            or last_failed_at >= cast(:before_from_date as timestamp)
            or ended_at > cast(:before_from_date as timestamp)
        ) as was_failing_before,
        cast(started_at as date) <= cast(:until_date as date)
        and (
            is_open
            or last_failed_at >= cast(:from_date as timestamp)
            or ended_at > cast(:from_date as timestamp)
        ) as was_failing
    from record_failures
    where organization_id = :organization_id and sync_id = :sync_id
),

failures_counted as (
    select
        failure_pattern,
        count(distinct case when was_failing_before then row_id end) as before_record_count,
        count(distinct case when was_failing then row_id end) as record_count
    from failures
    where was_failing_before or was_failing
    group by failure_pattern
),

patterns as (
    select
        *,
        cast(first_seen_at as date) as first_seen_date,
        cast(last_seen_at as date) as last_seen_date
    from error_patterns
    where organization_id = :organization_id and sync_id = :sync_id
),

patterns_counted as (
    select
        patterns.*,
        -- of a record whose error has changed, `record_failures` knows only the later pattern
        case
            when patterns.first_seen_date > cast(:before_until_date as date) then 0
            else coalesce(failures_counted.before_record_count, 0)
        end as failing_before_count,
        coalesce(failures_counted.record_count, 0) as failing_count
    from patterns
    left join failures_counted
        on patterns.failure_pattern is not distinct from failures_counted.failure_pattern
),

-- rows without a key, duplicates and append syncs have no failures, but their patterns have times
patterns_compared as (
    select
        *,
        failing_before_count + failing_count > 0 as is_counted,
        case
            when failing_before_count + failing_count = 0
                then
                    case
                        when first_seen_date >= cast(:from_date as date) then 'new'
                        when last_seen_date < cast(:from_date as date) then 'gone'
                    end
            when failing_before_count = 0 then 'new'
            when failing_count = 0 then 'gone'
            when failing_count > failing_before_count then 'grew'
            when failing_count < failing_before_count then 'shrank'
            else 'same'
        end as change_type
    from patterns_counted
    where
        failing_before_count + failing_count > 0
        or (
            first_seen_date <= cast(:before_until_date as date)
            and last_seen_date >= cast(:before_from_date as date)
        )
        or (
            first_seen_date <= cast(:until_date as date)
            and last_seen_date >= cast(:from_date as date)
        )
)

select
    failure_pattern,
    category,
    change_type,
    case when is_counted then failing_before_count end as before_record_count,
    case when is_counted then failing_count end as record_count,
    open_record_count,
    sample_identifiers,
    first_seen_at,
    last_seen_at
from patterns_compared
order by
    -- what changed first
    change_type is not null and change_type != 'same' desc,
    abs(failing_count - failing_before_count) desc,
    failing_count desc,
    last_seen_at desc nulls last,
    failure_pattern asc
limit :row_limit
