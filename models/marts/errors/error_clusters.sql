{# A leaf: a Python model makes the clusters, and no other table waits for it. #}
{% set has_clusters = sync_logs.runs_python_models() %}
{% if execute and not has_clusters %}
    {% do log('error_clusters is empty: this project runs no Python models (sync_logs_python_models).', info=True) %}
{% endif %}
with

patterns_clustered as (
    {% if has_clusters %}
        select * from {{ sync_logs.of_committed(ref('int_patterns__clustered')) }}
    {% else %}
        select
            cast(null as string) as pattern_hash,
            cast(null as int) as cluster_id
        where false
    {% endif %}
),

error_patterns as (
    select * from {{ sync_logs.of_committed(ref('int_error_patterns__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

patterns_of_syncs as (
    select
        patterns_clustered.cluster_id,
        error_patterns.*,
        sources.shown.vendor
    from error_patterns
    inner join patterns_clustered
        on sha2(error_patterns.failure_pattern, 256) = patterns_clustered.pattern_hash
    left join sources
        on error_patterns.organization_id = sources.organization_id
    where {{ sync_logs.is_kept('error_patterns', 'keep_changelog') }}
),

patterns_counted as (
    select
        cluster_id,
        failure_pattern,
        sum(open_record_count) as open_record_count,
        sum(attempt_count) as attempt_count
    from patterns_of_syncs
    group by cluster_id, failure_pattern
),

-- a struct with negative counts is sorted by most, then by pattern
patterns_listed as (
    select
        cluster_id,
        transform(
            array_sort(
                collect_list(struct(-open_record_count, -attempt_count, failure_pattern as pattern))
            ),
            listed -> listed.pattern
        ) as patterns
    from patterns_counted
    group by cluster_id
),

clusters_counted as (
    select
        cluster_id,
        sum(open_record_count) as open_record_count,
        sum(attempt_count) as attempt_count,
        count(distinct organization_id, sync_id) as sync_count,
        array_sort(collect_set(vendor)) as vendors,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at,
        min_by(
            struct(category, is_transient, hint),
            struct(-open_record_count, -attempt_count, organization_id, sync_id, failure_pattern)
        ) as most_open
    from patterns_of_syncs
    group by cluster_id
)

select
    row_number() over (
        order by
            clusters_counted.open_record_count desc,
            clusters_counted.attempt_count desc,
            patterns_listed.patterns[0] asc
    ) as cluster_number,
    patterns_listed.patterns[0] as representative_pattern,
    to_json(patterns_listed.patterns) as failure_patterns,
    size(patterns_listed.patterns) as pattern_count,
    clusters_counted.sync_count,
    to_json(clusters_counted.vendors) as vendors,
    clusters_counted.open_record_count,
    clusters_counted.attempt_count,
    clusters_counted.first_seen_at,
    clusters_counted.last_seen_at,
    clusters_counted.most_open.category,
    clusters_counted.most_open.is_transient,
    clusters_counted.most_open.hint
from clusters_counted
inner join patterns_listed on clusters_counted.cluster_id = patterns_listed.cluster_id
