with

-- any of them will do: ordered, all payloads of the run would be read
payloads as (
    select
        row_id,
        fields
    from sync_changelog
    where
        organization_id = :organization_id
        and sync_id = :sync_id
        and sync_run_id = :sync_run_id
        and op_type != 'removed'
        -- one that is very long would take as much time as all others
        and length(fields) <= 100000
    limit 100 -- noqa: AM09
),

values_found as (
    select
        row_id,
        -- `outer`, because otherwise Spark parses twice to check for something to explode
        explode_outer(from_json(fields, 'map<string,string>')) as (field_name, example)
    from payloads
),

fields_found as (
    select
        field_name,
        count(*) as value_count,
        -- of few records, so that the examples fit together
        min_by(
            struct(row_id, example),
            struct(length(trim(example)) < 1, row_id is null, row_id, example)
        ) as chosen
    from values_found
    -- a null is no example
    where example is not null
    group by field_name
)

select
    field_name,
    -- masks hide it where the example repeats it
    chosen.row_id,
    left(chosen.example, :value_limit) as example
from fields_found
order by value_count desc, field_name asc
limit 500
