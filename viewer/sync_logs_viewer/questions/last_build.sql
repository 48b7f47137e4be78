select
    load_id,
    started_at,
    finished_at,
    as_of,
    operation
from sync_loads
order by started_at desc, load_id desc
limit 1
