{#
  Returns a SQL condition that is never null: a record has been purged. The list is short, so it is
  written into the statement. It has hashes, so that it does not store the purged identifiers.
  Arguments: organization_id, sync_id, identifier (SQL expressions, string).
#}
{% macro is_purged(organization_id, sync_id, identifier) -%}
    {# at parse time, dbt learns that a model depends on this source #}
    {%- do sync_logs.committed('purged_records') -%}
    {%- if not execute or not (sync_logs.is_building() or flags.WHICH == 'run-operation') or sync_logs.is_idle() -%}
        {{ return('false') }}
    {%- endif -%}
    {%- set everywhere = [] -%}
    {%- set in_one_sync = [] -%}
    {%- for row in run_query(sync_logs.purged_query()).rows -%}
        {%- do (everywhere if row['sync_id'] is none else in_one_sync).append(row['identifier_hash']) -%}
    {%- endfor -%}
    {%- set conditions = [] -%}
    {%- if everywhere -%}
        {%- do conditions.append(
            "md5(concat_ws('/', " ~ organization_id ~ ", " ~ identifier ~ ")) in ('"
            ~ everywhere | join("', '") ~ "')") -%}
    {%- endif -%}
    {%- if in_one_sync -%}
        {%- do conditions.append(
            "md5(concat_ws('/', " ~ organization_id ~ ", " ~ sync_id ~ ", " ~ identifier ~ ")) in ('"
            ~ in_one_sync | join("', '") ~ "')") -%}
    {%- endif -%}
    {%- if not conditions -%}
        {{ return('false') }}
    {%- endif -%}
    {{ return('(' ~ identifier ~ ' is not null and (' ~ conditions | join(' or ') ~ '))') }}
{%- endmacro %}

{# Query: what was purged and published, and what this operation purges. #}
{% macro purged_query() %}
    select purged.sync_id, purged.identifier_hash
    from {{ sync_logs.committed('purged_records') }} as purged
    where
        purged.load_id = '{{ sync_logs.load_id() }}'
        or purged.load_id in (
            select loads.recorded_load_id
            from {{ sync_logs.committed('loads') }} as loads
            where
                loads.load_id = (
                    select committed.load_id
                    from {{ sync_logs.committed('load_current') }} as committed
                )
        )
{% endmacro %}

{#
  Returns {column: SQL expression} that blanks a purged record. Its row stays, so that files can be
  counted, but it loses all its values.
#}
{% macro without_purged() -%}
    {%- set gone = 'coalesce(moved.is_purged, false) or '
        ~ sync_logs.is_purged('moved.organization_id', 'moved.sync_id', 'moved.identifier') -%}
    {%- set replaced = {'is_purged': gone} -%}
    {%- for column in sync_logs.column_names('batch') -%}
        {%- do replaced.update({column: 'case when not (' ~ gone ~ ') then moved.' ~ column ~ ' end'}) -%}
    {%- endfor -%}
    {{ return(replaced) }}
{%- endmacro %}
