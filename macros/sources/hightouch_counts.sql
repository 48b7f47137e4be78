{# Returns the columns of Hightouch's `sync_runs` that count its rows. #}
{% macro hightouch_counts() -%}
    {%- set names = [] -%}
    {%- for measure in ['planned', 'attempted', 'succeeded', 'failed'] -%}
        {%- for op_type in ['add', 'change', 'remove'] -%}
            {%- do names.append('num_' ~ measure ~ '_' ~ op_type) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(names) }}
{%- endmacro %}
