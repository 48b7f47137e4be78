{#
  Names of source objects, destinations and syncs, as the tables of the sources have them now: the
  fact tables of a vendor, and the names that the user gives. Each kind and id of a table is one
  row.
#}
{{ config(enabled=sync_logs.table_sources() | length > 0) }}
{% set sources = sync_logs.table_sources() %}
{% set texts = ['id', 'type', 'name', 'model_id', 'business_object_id', 'filter_segment_id',
    'cohort_id'] %}
with

names_given as (
    select * from {{ ref('stg_sync_logs__names') }}
),

names_of_sources as (
    {% for source in sources %}
        {% for table in sync_logs.fact_tables_of(source) %}
            select
                {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
                '{{ table }}' as file_name,
                '{{ table }}' as fact_type,
                {% for column in texts %}
                    {{ sync_logs.source_column(source, table, column) }} as {{ column }}
                    {%- if not loop.last %},{% endif %}
                {% endfor %}
            from {{ sync_logs.source_relation(source, table) }}

            union all
        {% endfor %}

        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            'names' as file_name,
            concat(kind, 's') as fact_type,
            id,
            type,
            name,
            cast(null as string) as model_id,
            cast(null as string) as business_object_id,
            cast(null as string) as filter_segment_id,
            cast(null as string) as cohort_id
        from names_given
        where
            kind in ('source_object', 'destination', 'destination_object', 'sync')
            and coalesce(
                organization_id = {{ sync_logs.text_literal(source.organization_id) }}, true
            )
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
),

names_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, file_name, fact_type, id
            order by
                {% for column in ['name', 'type'] + texts[3:] %}
                    {{ column }} desc nulls last{% if not loop.last %},{% endif %}
                {% endfor %}
        ) as name_rank
    from names_of_sources
    where id is not null
)

select
    organization_id,
    file_name,
    fact_type,
    {% for column in texts %}
        {{ column }}{% if not loop.last %},{% endif %}
    {% endfor %}
from names_ranked
where name_rank = 1
