{#
  Returns further conditions of a `where`: on one sync, on one organisation, on both or on neither.
  Arguments: sync_id, organization_id (strings or null); prefix (string): of the columns.
#}
{% macro of_sync(sync_id, organization_id, prefix='') -%}
    {%- if sync_id is not none %} and {{ prefix }}sync_id = {{ sync_logs.text_literal(sync_id) }}{% endif -%}
    {%- if organization_id is not none %} and {{ prefix }}organization_id = {{ sync_logs.text_literal(organization_id) }}{% endif -%}
{%- endmacro %}
