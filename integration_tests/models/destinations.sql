{# The project's own table with the name of one of ours: places that people travel to. #}
select
    'LIS' as airport,
    'Lisbon' as city
