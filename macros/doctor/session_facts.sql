{#
  Lists which of the settings in docs/package.md are effective in this session. Whether the session
  is in UTC and in ANSI mode is tested in a query: `Etc/UTC` is UTC too. The other values come from
  Spark, whatever the profile sets.
  Arguments: advice (list): receives what to change.
  Returns a list of [name, finding].
#}
{% macro session_facts(advice) -%}
    {{ return(adapter.dispatch('session_facts', 'sync_logs')(advice)) }}
{%- endmacro %}

{% macro default__session_facts(advice) -%}
    {%- set row = run_query(sync_logs.session_query()).rows[0] -%}
    {%- set nanos = sync_logs._value_in_use('spark.sql.legacy.parquet.nanosAsLong') -%}
    {%- set type = sync_logs._value_in_use('spark.sql.parquet.outputTimestampType') -%}
    {%- set settings = [
        ['spark.sql.session.timeZone', 'UTC', row[0], row[1], 'Times are shown in another time zone'],
        ['spark.sql.legacy.parquet.nanosAsLong', 'true', nanos, nanos | lower == 'true',
            'Files with times in nanoseconds cannot be read'],
        ['spark.sql.parquet.outputTimestampType', 'TIMESTAMP_MICROS', type, type | upper == 'TIMESTAMP_MICROS',
            'Date filters cannot skip data'],
    ] -%}
    {%- set facts = [] -%}
    {%- for name, wanted, value, is_as_asked, consequence in settings -%}
        {%- set asked = sync_logs._value_asked_for(name) -%}
        {%- set has_no_effect = asked is not none and asked | lower != value | lower -%}
        {%- if is_as_asked -%}
            {%- do facts.append([name, value ~ ', as required']) -%}
        {%- elif has_no_effect -%}
            {%- do facts.append([name, value ~ '; the profile sets ' ~ asked ~ ', which has no effect']) -%}
        {%- else -%}
            {%- do facts.append([name, value ~ ', differs from ' ~ wanted]) -%}
        {%- endif -%}
        {%- if not is_as_asked -%}
            {%- do advice.append(
                consequence ~ ': ' ~ sync_logs._where_to_set(name, wanted, has_no_effect) ~ '.') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do facts.append(['ANSI mode', ('on' if row[2] else 'off') ~ '; the tables are the same either way']) -%}
    {{ return(facts) }}
{%- endmacro %}

{# Every thirtieth day from 1970 to 2033 starts at midnight in UTC and in no other time zone. #}
{% macro session_query() %}
    select
        current_timezone() as time_zone,
        forall(
            sequence(bigint(0), bigint(2000000000), bigint(2592000)),
            midnight -> date_format(timestamp_seconds(midnight), 'HH:mm:ss') = '00:00:00'
        ) as is_utc,
        -- with ANSI on, Spark casts the string to a number
        typeof(coalesce(1, '1')) != 'string' as is_ansi
{% endmacro %}

{% macro _value_in_use(name) -%}
    {{ return(run_query('set ' ~ name).rows[0][1] | string) }}
{%- endmacro %}

{# Returns the value that the profile sets, in either spelling of the name; none if it sets none. #}
{% macro _value_asked_for(name) -%}
    {%- set asked = (adapter.config.credentials.server_side_parameters if adapter.config is defined) or {} -%}
    {{ return(asked.get('set:hiveconf:' ~ name, asked.get(name))) }}
{%- endmacro %}

{#
  Returns where to set a setting so that it takes effect, which depends on the kind of connection.
  Arguments: name, value (strings); has_no_effect (boolean): whether the profile sets it in vain.
#}
{% macro _where_to_set(name, value, has_no_effect) -%}
    {%- set method = (adapter.config.credentials if adapter.config is defined else target).method | string | lower -%}
    {%- set quoted = '"' ~ value ~ '"' if value == 'true' else value -%}
    {%- if method.endswith('thrift') -%}
        {{ return('write `set:hiveconf:' ~ name ~ ': ' ~ quoted ~ '` under server_side_parameters of the target '
            ~ target.target_name ~ '; a Thrift server drops names without `set:hiveconf:`') }}
    {%- elif has_no_effect or not method.endswith('session') -%}
        {{ return('set ' ~ name ~ ' to ' ~ value ~ ' on the server, which does not take it from the profile') }}
    {%- endif -%}
    {{ return('write `' ~ name ~ ': ' ~ quoted ~ '` under server_side_parameters of the target '
        ~ target.target_name) }}
{%- endmacro %}
