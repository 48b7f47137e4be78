{#
  Stops a prune while a setting of a single sync is meaningless: it may have been meant to keep what
  the prune would drop.
#}
{% macro check_sync_settings() -%}
    {%- set found = run_query(
        'select organization_id, sync_id, setting_name, issue from '
        ~ sync_logs.state_table('int_sync_settings__checked')
        ~ ' where is_unsound order by organization_id, sync_id, setting_name').rows -%}
    {%- if found -%}
        {%- set first = found[0] -%}
        {%- do exceptions.raise_compiler_error(
            'The settings of single syncs have ' ~ found | length ~ (' faults' if found | length > 1 else ' fault')
            ~ ', so nothing was pruned: ' ~ first['setting_name'] ~ ' of organisation ' ~ first['organization_id']
            ~ ', sync ' ~ first['sync_id'] ~ ' is wrong (' ~ first['issue'] ~ '). Correct what '
            ~ 'sync_settings_issues lists.') -%}
    {%- endif -%}
{%- endmacro %}
