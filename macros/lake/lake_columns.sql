{#
  Returns {lake table: its columns and their types}, for a batch those of all three schema
  generations. Columns that a file lacks are null; other columns are not read.
#}
{% macro lake_columns() -%}
    {{ return({
        'batches': 'identifier string, record_payload string, operation string, status string, '
            ~ 'status_message string, batch_started_at timestamp, batch_ended_at timestamp',
        'facts': 'id string, type string, name string, model_id string, business_object_id string, '
            ~ 'filter_segment_id string, cohort_id string',
    }) }}
{%- endmacro %}

{# Returns the column names of a lake table, in order: of the table of a kind of file, batch or fact. #}
{% macro column_names(file_kind) -%}
    {%- set names = [] -%}
    {%- for column in sync_logs.lake_columns()['batches' if file_kind == 'batch' else 'facts'].split(', ') -%}
        {%- do names.append(column.split(' ')[0]) -%}
    {%- endfor -%}
    {{ return(names) }}
{%- endmacro %}

{# Returns a SQL expression: the kind of names in a fact file, from its name. #}
{% macro fact_type(file_name) -%}
    regexp_extract({{ file_name }}, '^(source_objects|destinations|destination_objects)', 1)
{%- endmacro %}
