{# Rules of ours or of a relation of the user's, which may have texts where we have types. #}
with

source as (
    select *
    from {{ sync_logs.given_relation('sync_logs_error_rules_relation', 'error_categories') }}
),

cleaned as (
    select
        cast(pattern as string) as pattern,
        cast(category as string) as category,
        try_cast(priority as int) as priority,
        try_cast(is_transient as boolean) as is_transient,
        cast(hint as string) as hint
    from source
)

select * from cleaned
