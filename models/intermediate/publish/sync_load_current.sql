{# The commit: replaces one view of literals. Readers see all tables of a load or none. #}
{{ config(materialized='commit') }}
-- depends_on: {{ ref('int_run_counts__built') }}
-- depends_on: {{ ref('int_alerts__found') }}
-- depends_on: {{ ref('int_memberships__built') }}
-- depends_on: {{ ref('int_failures__built') }}
-- depends_on: {{ ref('int_loads__recorded') }}
{{ sync_logs.commit_query(sync_logs.load_id()) }}
