{#
  Stops a macro or an operation that was called with meaningless arguments. One sentence names the
  macro, the argument and what to write.
  Arguments: macro_name (string); arguments (mapping of name to [value, kind]): the kinds are text,
  text_or_empty, boolean, time, expression, model (a name or a relation), and those that may be null: id, days,
  count (from 1), columns (a list), fields (columns, or a mapping of column to field) and model or none; unknown (mapping): the `kwargs` of the macro; is_operation (boolean): whether the
  arguments come from --args, which is YAML, and not from Jinja.
#}
{% macro check_arguments(macro_name, arguments, unknown, is_operation=false) -%}
    {%- for name in unknown -%}
        {%- do exceptions.raise_compiler_error(
            macro_name ~ ': there is no argument ' ~ name ~ '; it takes '
            ~ (arguments | join(', ') or 'none') ~ '.') -%}
    {%- endfor -%}
    {%- for name, (value, kind) in arguments.items() -%}
        {%- set remedy = sync_logs._remedy(name, value, kind, ': ' if is_operation else '=') -%}
        {%- if remedy -%}
            {# an identifier to erase must not be written to a log #}
            {%- set shown = sync_logs._shown(value, is_secret=is_operation and name == 'identifier') -%}
            {%- do exceptions.raise_compiler_error(
                macro_name ~ ': ' ~ name ~ ' is ' ~ shown ~ '; ' ~ remedy ~ '.') -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# Checks the arguments of an operation, which come from --args. #}
{% macro check_operation(operation, arguments, unknown) -%}
    {%- do sync_logs.check_arguments(operation, arguments, unknown, is_operation=true) -%}
{%- endmacro %}

{#
  Returns what to write instead of a value; none if the value is sound. A string without quotes is
  refused even if YAML reads it as a number. YAML reads 0501 as 321 and 1.10 as 1.1, so the original
  is lost, and purge_record would erase another record.
#}
{% macro _remedy(name, value, kind, sign) -%}
    {%- set is_missing = value is undefined or value is none -%}
    {%- if kind in ('id', 'days', 'count', 'columns', 'fields', 'model or none') and value is none -%}
        {{ return(none) }}
    {%- elif kind == 'boolean' -%}
        {{ return(none if value is boolean else 'write ' ~ name ~ sign ~ 'true or ' ~ name ~ sign
            ~ 'false, without quotes') }}
    {%- elif kind == 'days' -%}
        {%- set is_sound = value is number and value is not boolean and value >= 0 and value <= sync_logs.most_days() -%}
        {{ return(none if is_sound else 'write a number of days from 0 to ' ~ sync_logs.most_days()
            ~ ', without quotes, for instance ' ~ name ~ sign ~ '90') }}
    {%- elif kind == 'count' -%}
        {%- set is_sound = value is number and value is not boolean and value is not float and value >= 1 -%}
        {{ return(none if is_sound else 'write a whole number from 1, without quotes, for instance ' ~ name ~ sign ~ '3') }}
    {%- elif kind == 'fields' and value is mapping -%}
        {%- set is_sound = value and value.values() | select('string') | list | length == value | length -%}
        {{ return(none if is_sound else 'write columns and their fields, for instance ' ~ name ~ sign ~ '{"email": "Email"}') }}
    {%- elif kind in ('columns', 'fields') -%}
        {%- set is_sound = value is not string and value is not mapping and value is sequence and value
            and value | select('string') | list | length == value | length -%}
        {{ return(none if is_sound else 'write a list of columns, for instance ' ~ name ~ sign ~ '["email"]') }}
    {%- elif kind.startswith('model') and value is not undefined and value is not string
        and value is not number and value is not none and value.identifier -%}
        {{ return(none) }}
    {%- elif kind == 'time' -%}
        {{ return(none if value is string and sync_logs.is_time(value)
            else 'write a time in ISO 8601 in quotes, for instance ' ~ name ~ sign ~ '"2026-01-31T06:00:00Z"') }}
    {%- elif is_missing -%}
        {{ return('give a text in quotes, ' ~ name ~ sign ~ '"..."') }}
    {%- elif value is not string -%}
        {{ return('write it in quotes, ' ~ name ~ sign ~ '"..."'
            ~ (', as sync_runs shows it' if name in ('organization_id', 'sync_id', 'run_a', 'run_b'))) }}
    {%- elif not value and kind != 'text_or_empty' -%}
        {{ return('give a text' ~ (', or leave it out' if kind == 'id')) }}
    {%- endif -%}
    {{ return(none) }}
{%- endmacro %}

{# Describes a value, with the type that YAML or Jinja gave it. #}
{% macro _shown(value, is_secret) -%}
    {%- if value is undefined or value is none -%}
        {{ return('missing') }}
    {%- elif value is string and not value -%}
        {{ return('empty') }}
    {%- endif -%}
    {%- set type = 'boolean' if value is boolean else 'number' if value is number else 'text' if value is string
        else 'mapping' if value is mapping else 'list' if value is sequence else 'date' -%}
    {%- set text = '"' ~ value ~ '"' if value is string else value | string | lower if value is boolean
        else value | string -%}
    {{ return('a ' ~ type if is_secret or type in ('mapping', 'list') else 'the ' ~ type ~ ' ' ~ text) }}
{%- endmacro %}

{# Returns more days than any log covers, but few enough to subtract from a time. #}
{% macro most_days() -%}
    {{ return(1000000) }}
{%- endmacro %}

{# Returns whether a string is a date or time in ISO 8601. #}
{% macro is_time(text) -%}
    {{ return(modules.re.match(
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})?)?$', text) is not none) }}
{%- endmacro %}
