select *
from sync_loads
order by started_at desc, load_id desc
limit :row_limit
