-- Fails with the path of each batch file that could not be read in full; none of it is published.
select
    file_path,
    issue,
    remedy
from {{ ref('lake_file_issues') }}
where file_kind = 'batch' and issue not like '%its run was pruned'
