-- Two models have the same name. Each has its own rows.
with

ours as (
    select * from {{ ref('sync_logs', 'destinations') }}
    where id = '5' and type = 'braze'
),

theirs as (
    select * from {{ ref('customer_analytics', 'destinations') }}
    where airport = 'LIS'
),

counts as (
    select
        (select count(*) from ours) as our_count,
        (select count(*) from theirs) as their_count
)

select * from counts
where our_count != 1 or their_count != 1
