{#
  Accepts ids that are numbers, and a relation without `organization_id`. A seed on embedded Spark
  has the string None instead of null.
#}
{% set names = ['kind', 'id', 'name', 'type', 'organization_id'] %}
{% set relation = none %}
{% if var('sync_logs_names_relation') %}
    {% set relation = sync_logs.given_relation('sync_logs_names_relation', 'sync_settings') %}
{% endif %}
{% set found = sync_logs.described_columns(relation) or {} if relation and execute else {} %}
{% do sync_logs.check_ids_of_seed('sync_logs_names_relation', ['id', 'organization_id']) %}
{% if relation and sync_logs.is_building() %}
    {% do sync_logs.check_columns_of_names(found) %}
{% endif %}
with

source as (
    select * from {{ relation if found else '(select null as kind where false)' }}
)

select
    {% for name in names %}
        nullif(cast({{ name if name in found else 'null' }} as string), 'None') as {{ name }}
        {%- if not loop.last %},{% endif %}
    {% endfor %}
from source
