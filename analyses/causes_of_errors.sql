{# How many causes are behind the messages of all syncs? #}
with

clusters as (
    select * from {{ ref('error_clusters') }}
)

select
    cluster_number,
    representative_pattern,
    pattern_count,
    sync_count,
    open_record_count,
    hint
from clusters
order by cluster_number asc
