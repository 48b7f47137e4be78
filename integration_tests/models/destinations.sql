{# A table of the project's own that has the name of one of ours: places that people travel to. #}
select
    'LIS' as airport,
    'Lisbon' as city
