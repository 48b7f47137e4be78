select max(data_until_at) as data_until_at
from sync_statistics
