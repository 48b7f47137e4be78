{#
  Rules of this package or of a user's relation, which may have strings in place of typed columns.
#}
with

source as (
    select *
    from {{ sync_logs.given_relation('sync_logs_error_rules_relation', 'error_categories') }}
),

renamed as (
    select
        cast(pattern as string) as pattern,
        cast(category as string) as category,
        cast(priority as string) as given_priority,
        -- not directly to an integer, which would truncate 1.5 and reject 10.0
        try_cast(cast(priority as string) as double) as priority_number,
        try_cast(is_transient as boolean) as is_transient,
        cast(hint as string) as hint
    from source
),

cleaned as (
    select
        pattern,
        category,
        case
            when priority_number = floor(priority_number) then try_cast(priority_number as int)
        end as priority,
        given_priority,
        is_transient,
        hint
    from renamed
)

select * from cleaned
