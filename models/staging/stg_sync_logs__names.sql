{# Accepts ids that are numbers, and a relation without `organization_id`. #}
{% set names = ['kind', 'id', 'name', 'type', 'organization_id'] %}
{% if var('sync_logs_names_relation') %}
    {% set relation = sync_logs.given_relation('sync_logs_names_relation', 'sync_settings') %}
    {% set found = sync_logs.described_columns(relation) or {} if execute else {} %}
{% endif %}
select
    {% for name in names %}
        {% if found and name in found %}
            nullif(nullif(cast({{ name }} as string), ''), 'None')
        {% else %}
            cast(null as string)
        {% endif %} as {{ name }}{% if not loop.last %},{% endif %}
    {% endfor %}
{% if found %}
from {{ relation }}
{% else %}
where false
{% endif %}
