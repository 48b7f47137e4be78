{#
  Compares what the sources have with what is committed: the files of the lake, whose listing opens
  no file, and the runs in tables. A run in a table has no path, its size is its number of rows, and
  the time of its last row is its time.
#}
{{ config(
    pre_hook="{{ sync_logs.begin_load(sync_logs.load_id()) }}",
    post_hook=["{{ sync_logs.check_organizations_of_lake() }}", "{{ sync_logs.keep_load_if_idle() }}"]
) }}
{# the post-hook decides whether the build is idle, which also depends on the rules #}
-- depends_on: {{ sync_logs.given_relation('sync_logs_error_rules_relation', 'error_categories') }}
-- depends_on: {{ '' if sync_logs.is_unit_test() else ref('stg_sync_logs__alert_rules') }}
with

lake_files as (
    select
        'sync_tracking_datasets' as folder,
        _metadata.file_path,
        _metadata.file_size,
        _metadata.file_modification_time as file_modified_at
    from {{ sync_logs.lake_table('files') }}
),

lake_fact_files as (
    select
        'metadata' as folder,
        _metadata.file_path,
        _metadata.file_size,
        _metadata.file_modification_time as file_modified_at
    from {{ sync_logs.lake_table('fact_files') }}
),

{% if sync_logs.table_sources() %}
    arrivals as (
        select * from {{ ref('int_sources__arrivals') }}
    ),
{% endif %}

load_current as (
    select * from {{ sync_logs.committed('load_current') }}
),

committed_files as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('files')) }}
),

committed_runs as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('runs')) }}
),

-- rows of pruned runs are never read again, whatever happens to their files
pruned_runs as (
    select
        organization_id,
        sync_id,
        sync_run_id
    from committed_runs
    where is_pruned
),

all_files as (
    select * from lake_files
    union all
    select * from lake_fact_files
),

files_found as (
    select
        *,
        split(file_path, concat('/', folder, '/')) as path_pieces
    from all_files
),

-- the path of the lake, and paths in it, may contain the folder's name too, so the file with the
-- fewest pieces shows where the lake begins. A window: a join would list the lake a second time
files_rooted as (
    select
        *,
        min(size(path_pieces)) over (partition by folder) as first_piece
    from files_found
),

-- paths are URI-encoded. A plus sign in them is a plus sign, but url_decode reads it as a space
files_in_parts as (
    select
        folder,
        file_path,
        file_size,
        file_modified_at,
        transform(
            split(
                array_join(
                    slice(path_pieces, first_piece, size(path_pieces)), concat('/', folder, '/')
                ),
                '/'
            ),
            part -> url_decode(replace(part, '+', '%2B'))
        ) as parts
    from files_rooted
),

files_classified as (
    select
        *,
        element_at(parts, -1) as file_name,
        case
            when folder = 'metadata' and size(parts) = 2
                then
                    case
                        when
                            {{ sync_logs.fact_type('element_at(parts, -1)') }} != ''
                            and element_at(parts, -1) like '%.parquet'
                            then 'fact'
                        else 'other'
                    end
            when folder = 'metadata' or size(parts) != 4 then 'other'
            when element_at(parts, -1) = 'metadata.json' then 'metadata'
            when element_at(parts, -1) like '%.parquet' then 'batch'
            else 'other'
        end as file_kind
    from files_in_parts
),

lake_files_listed as (
    select
        concat(folder, '/', array_join(parts, '/')) as relative_path,
        file_path,
        file_kind,
        case when size(parts) > 1 then parts[0] end as organization_id,
        case when file_kind in ('batch', 'metadata') then parts[1] end as sync_id,
        case when file_kind in ('batch', 'metadata') then parts[2] end as sync_run_id,
        file_name,
        file_size,
        file_modified_at,
        cast(null as string) as fingerprint
    from files_classified
),

listed_files as (
    select * from lake_files_listed
    {% if sync_logs.table_sources() %}
        union all

        select
            concat_ws(
                '/', 'sources', organization_id, sync_id, sync_run_id, file_kind, file_name
            )
                as relative_path,
            cast(null as string) as file_path,
            file_kind,
            organization_id,
            sync_id,
            sync_run_id,
            file_name,
            record_count as file_size,
            last_arrived_at as file_modified_at,
            fingerprint
        from arrivals
    {% endif %}
),

files_compared as (
    select
        coalesce(listed_files.relative_path, committed_files.relative_path) as relative_path,
        coalesce(listed_files.file_path, committed_files.file_path) as file_path,
        coalesce(listed_files.file_kind, committed_files.file_kind) as file_kind,
        coalesce(listed_files.organization_id, committed_files.organization_id) as organization_id,
        coalesce(listed_files.sync_id, committed_files.sync_id) as sync_id,
        coalesce(listed_files.sync_run_id, committed_files.sync_run_id) as sync_run_id,
        coalesce(listed_files.file_name, committed_files.file_name) as file_name,
        coalesce(listed_files.file_size, committed_files.file_size) as file_size,
        coalesce(listed_files.file_modified_at, committed_files.file_modified_at)
            as file_modified_at,
        coalesce(listed_files.fingerprint, committed_files.fingerprint) as fingerprint,
        case
            when listed_files.relative_path is null then 'vanished'
            when committed_files.relative_path is null then 'load'
            when listed_files.file_size is distinct from committed_files.file_size then 'load'
            when listed_files.file_modified_at is distinct from committed_files.file_modified_at
                then 'load'
            when listed_files.fingerprint is distinct from committed_files.fingerprint then 'load'
            when {{ sync_logs.is_full_refresh() }} then 'load'
            -- the model that should have read it may have failed
            when
                {{ sync_logs.is_replay_due() }}
                and (
                    committed_files.issue is not null
                    or committed_files.file_path is null
                    and committed_files.record_count < committed_files.file_size
                )
                then 'load'
            else 'keep'
        end as action,
        committed_files.relative_path is not null as is_committed,
        listed_files.relative_path is not null as is_in_lake
    from listed_files
    full outer join committed_files
        -- by the relative path, because a lake that has moved is the same lake
        on listed_files.relative_path = committed_files.relative_path
),

files_planned as (
    select
        files_compared.*,
        pruned_runs.sync_run_id is not null as is_pruned
    from files_compared
    left join pruned_runs
        on
            files_compared.organization_id = pruned_runs.organization_id
            and files_compared.sync_id = pruned_runs.sync_id
            and files_compared.sync_run_id = pruned_runs.sync_run_id
)

select
    relative_path,
    file_path,
    file_kind,
    organization_id,
    sync_id,
    sync_run_id,
    file_name,
    case
        when file_kind = 'batch' and file_path is not null
            then regexp_replace(file_name, '(\\.[0-9]+)?\\.parquet$', '')
    end as batch_type,
    case
        when file_kind = 'batch' and file_path is not null
            then try_cast(
                nullif(regexp_extract(file_name, '\\.([0-9]+)\\.parquet$', 1), '')
                as decimal(38, 0)
            )
    end as batch_number,
    file_size,
    file_modified_at,
    fingerprint,
    case when is_pruned then 'pruned' else action end as action,
    is_committed,
    is_in_lake,
    (select load_current.load_id from load_current) as previous_load_id
from files_planned
