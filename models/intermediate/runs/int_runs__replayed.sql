{#
  Decides which runs this build computes: those after the last trusted checkpoint of their sync. The
  state at that checkpoint is read from its base on, or only from the checkpoint itself if it is
  full (`state_as_of`).
#}
{{ config(materialized='lazy_view') }}
with

runs_compared as (
    select * from {{ ref('int_runs__compared') }}
),

runs_started as (
    select
        *,
        case
            when is_too_late is not true
                then coalesce(
                    max(case when trusted_checkpoint_load_id is not null then position end)
                        over (partition by organization_id, sync_id, is_too_late),
                    0
                )
        end as start_position
    from runs_compared
)

select
    *,
    coalesce(position > start_position, false) as is_replayed,
    coalesce(
        max(case when position = start_position then committed_base_position end)
            over (partition by organization_id, sync_id, is_too_late),
        start_position
    ) as base_position
from runs_started
