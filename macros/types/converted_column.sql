{#
  Converts a column of any type to the type in the lake table. Whole numbers lose the fraction that
  a data frame adds to a column with nulls, up to the range of a bigint. All other values become
  strings as Spark writes them. Numbers as times are epochs; dates are midnight in UTC.
  Arguments: name (string): a column; type (string): its physical type as Spark names it; is_time
  (boolean): whether it becomes a timestamp; null: if it is a time of the lake table.
#}
{% macro converted_column(name, type, is_time=none) -%}
    {%- set is_time = name in ('batch_started_at', 'batch_ended_at') if is_time is none else is_time -%}
    {%- set kind = sync_logs.kind_of_type(type) -%}
    {%- if is_time and kind == 'timestamp' -%}
        {{ return(name) }}
    {%- elif is_time and kind in ('string', 'date') -%}
        {{ return(sync_logs.utc_timestamp('cast(' ~ name ~ ' as string)')) }}
    {%- elif is_time -%}
        {# not as doubles: they cannot hold nanoseconds, and microseconds would be off by one #}
        {%- set epoch = 'try_cast(' ~ name ~ ' as decimal(27, 6))' -%}
        {{ return('timestamp_micros(cast(case when abs(' ~ epoch ~ ') >= 1e17 then ' ~ epoch
            ~ ' / 1000 when abs(' ~ epoch ~ ') >= 1e14 then ' ~ epoch ~ ' when abs(' ~ epoch
            ~ ') >= 1e11 then ' ~ epoch ~ ' * 1000 else ' ~ epoch ~ ' * 1000000 end as bigint))') }}
    {%- elif kind in ('double', 'float') -%}
        {# less than 2 to the power of 63; NaN is greater than every number #}
        {{ return('case when abs(' ~ name ~ ') < 9223372036854775808D and ' ~ name ~ ' = floor('
            ~ name ~ ') then cast(cast(' ~ name ~ ' as bigint) as string) else cast('
            ~ name ~ ' as string) end') }}
    {%- elif kind == 'decimal' -%}
        {{ return('case when ' ~ name ~ ' = floor(' ~ name ~ ') then cast(floor(' ~ name
            ~ ') as string) else cast(' ~ name ~ ' as string) end') }}
    {%- elif kind == 'timestamp' -%}
        {# a cast alone would print it in the session's time zone #}
        {{ return("cast(timestamp_ntz '1970-01-01' + unix_micros(" ~ name
            ~ ") * interval '0.000001' second as string)") }}
    {%- elif kind in ('struct', 'map', 'array') -%}
        {{ return('to_json(' ~ name ~ ')') }}
    {%- endif -%}
    {{ return('cast(' ~ name ~ ' as string)') }}
{%- endmacro %}

{# Returns the first word of a type: decimal of decimal(10,2), struct of struct<…>. #}
{% macro kind_of_type(type) -%}
    {{ return(type.split('(')[0].split('<')[0]) }}
{%- endmacro %}
