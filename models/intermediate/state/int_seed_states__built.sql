{#
  Where a replay goes on beside a base, the few states that it needs: looked up once, and asked for by every model
  that follows the records of the sync.
#}
{% set kinds = sync_logs.kinds_of_starts() %}
{% if not kinds.changes %}{% do sync_logs.nothing_to_load() %}{% endif %}
{{ sync_logs.rows_at_starts('record_states', 'changes', kinds) }}
