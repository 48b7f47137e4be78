{# Changelog rows of the replayed runs, each with the state of its record after it. #}
with

outcomes_sequenced as (
    select * from {{ ref('int_outcomes__sequenced') }}
)

select * from outcomes_sequenced
{{ sync_logs.search_order('outcomes_sequenced', 'record_key') }}
