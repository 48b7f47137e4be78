{#
  SQL condition: no setting of a single sync leaves its rows out of a table. The model imports the settings
  (`stg_sync_logs__sync_settings`) as the step `sync_settings`.
  Arguments: rows (string): step with the rows; setting (string): column of the settings, for example `keep_runs`.
#}
{% macro is_kept(rows, setting) -%}
    not exists (
        select sync_settings.sync_id
        from sync_settings
        where
            sync_settings.organization_id = {{ rows }}.organization_id
            and sync_settings.sync_id = {{ rows }}.sync_id
            and not sync_settings.{{ setting }}
    )
{%- endmacro %}
