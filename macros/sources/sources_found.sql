{#
  Query: one row for each organisation in a list of files whose source is in the settings, with the
  facts of that source. One more row, without an organisation, is for files of the lake that belong to
  none.
  Arguments: files (SQL): a step, or a query in parentheses, with `organization_id` and `file_path`,
  which is null for a table.
#}
{% macro sources_found(files) %}
    with

    -- the lake has no organisation of its own
    sources_given as (
        {% for source in sync_logs.sources() %}
            select
                {% for fact, value in sync_logs.facts_of_source(source).items() %}
                    {{ value }} as {{ fact }},
                {% endfor %}
                {{ sync_logs.text_literal(source.organization_id)
                    if source.organization_id is not none else 'cast(null as string)' }} as source_organization_id
            {% if not loop.last %}
                union all
            {% endif %}
        {% endfor %}
    ),

    organizations as (
        select
            organization_id,
            bool_or(is_of_lake) as is_of_lake
        from (
            select
                organization_id,
                file_path is not null as is_of_lake
            from {{ files }}
            union all
            select
                cast(null as string) as organization_id,
                true as is_of_lake
        )
        group by organization_id
    ),

    sources_ranked as (
        select
            organizations.organization_id,
            sources_given.*,
            -- a source that names its organisation comes before the lake
            row_number() over (
                partition by organizations.organization_id
                order by sources_given.source_organization_id asc nulls last
            ) as source_rank
        from organizations
        inner join sources_given
            on
                organizations.organization_id = sources_given.source_organization_id
                or (organizations.is_of_lake and sources_given.source_organization_id is null)
    )

    select
        organization_id,
        {{ sync_logs.source_fact_names() | join(', ') }}
    from sources_ranked
    where source_rank = 1
{% endmacro %}
