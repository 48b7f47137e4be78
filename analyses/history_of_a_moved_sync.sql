{#
  When was a record in an audience whose sync moved to another vendor? A record that was in when the
  old vendor stopped, and that the new vendor adds again, has been in all the time.
#}
with

moved_syncs as (
    -- replace it with your seed: a row for each sync that moved
    select *
    from
        values
        ('502', '3003', 'borealis', '880')
            as moved (old_organization_id, old_sync_id, new_organization_id, new_sync_id)
),

memberships as (
    select * from {{ ref('audience_memberships') }}
),

runs as (
    select * from {{ ref('sync_runs') }}
),

-- by the runs, because some vendors log no times
memberships_numbered as (
    select
        memberships.*,
        memberships.exited_sync_run_id is null as is_open,
        row_number() over (
            partition by memberships.organization_id, memberships.sync_id, memberships.row_id
            order by
                runs.run_position asc nulls first,
                -- of runs that are not kept
                memberships.entered_at asc nulls first,
                memberships.exited_at asc nulls last
        ) as membership_number
    from memberships
    left join runs
        on
            memberships.organization_id = runs.organization_id
            and memberships.sync_id = runs.sync_id
            and memberships.entered_sync_run_id = runs.sync_run_id
),

old_memberships as (
    select
        moved_syncs.*,
        memberships_numbered.*
    from memberships_numbered
    inner join moved_syncs
        on
            memberships_numbered.organization_id = moved_syncs.old_organization_id
            and memberships_numbered.sync_id = moved_syncs.old_sync_id
),

new_memberships as (
    select
        moved_syncs.*,
        memberships_numbered.*
    from memberships_numbered
    inner join moved_syncs
        on
            memberships_numbered.organization_id = moved_syncs.new_organization_id
            and memberships_numbered.sync_id = moved_syncs.new_sync_id
),

-- the old vendor's memberships; the one that was open at the move ends at the new vendor
memberships_begun as (
    select
        old_memberships.new_organization_id,
        old_memberships.new_sync_id,
        old_memberships.row_id,
        old_memberships.entered_at,
        old_memberships.vendor as entered_with,
        coalesce(old_memberships.exited_at, new_memberships.exited_at) as exited_at,
        case
            when not old_memberships.is_open then old_memberships.vendor
            when not new_memberships.is_open then new_memberships.vendor
        end as exited_with,
        old_memberships.is_open and new_memberships.row_id is null as is_left_behind,
        1 as part,
        old_memberships.membership_number
    from old_memberships
    left join new_memberships
        on
            old_memberships.new_organization_id = new_memberships.new_organization_id
            and old_memberships.new_sync_id = new_memberships.new_sync_id
            and old_memberships.row_id = new_memberships.row_id
            and old_memberships.is_open
            and new_memberships.membership_number = 1
),

memberships_later as (
    select
        new_memberships.new_organization_id,
        new_memberships.new_sync_id,
        new_memberships.row_id,
        new_memberships.entered_at,
        new_memberships.vendor as entered_with,
        new_memberships.exited_at,
        case when not new_memberships.is_open then new_memberships.vendor end as exited_with,
        false as is_left_behind,
        2 as part,
        new_memberships.membership_number
    from new_memberships
    left anti join old_memberships
        on
            new_memberships.new_organization_id = old_memberships.new_organization_id
            and new_memberships.new_sync_id = old_memberships.new_sync_id
            and new_memberships.row_id = old_memberships.row_id
            and old_memberships.is_open
            and new_memberships.membership_number = 1
),

memberships_joined as (
    select * from memberships_begun
    union all
    select * from memberships_later
)

select
    new_organization_id as organization_id,
    new_sync_id as sync_id,
    row_id,
    entered_at,
    entered_with,
    exited_at,
    exited_with,
    is_left_behind
from memberships_joined
order by new_organization_id asc, new_sync_id asc, row_id asc, part asc, membership_number asc
