{#
  The pattern of a failure reason: the reason without what differs from record to record. The rules are
  in docs/answers.md, Failure patterns. Whoever changes them increases the version of the state, so that
  all runs are computed again.
#}

{#
  Returns a SQL expression: the pattern of a reason, null if the reason is null.
  Arguments (SQL expressions): reason (string); values: as returned by `values_to_name`.
#}
{% macro failure_pattern(reason, values) -%}
    {%- set cut = 'left(' ~ reason ~ ', 1000)' -%}
    {%- set plain = sync_logs._replaced(cut, '\\x1B\\[[0-9;?]*[A-Za-z]', '') -%}
    {%- set ns = namespace(pattern=sync_logs._with_values_named(sync_logs._folded(plain), values)) -%}
    {%- for replacement, expression in sync_logs._other_values() -%}
        {%- set ns.pattern = sync_logs._replaced(ns.pattern, expression, replacement) -%}
    {%- endfor -%}
    {{ return(ns.pattern) }}
{%- endmacro %}

{#
  Returns a SQL expression (array<struct<rank, name, value>>): the values that a pattern names, in the
  order in which they are replaced. The payload is parsed as `field_differences` parses it: an array of
  more or fewer than one was not a single JSON value.
  Arguments (SQL expressions, string): payload, identifier.
#}
{% macro values_to_name(payload, identifier) -%}
    transform(
        transform(
            array(from_json(concat('[', {{ payload }}, ']'), 'array<map<string,string>>')),
            objects -> case when size(objects) = 1 then get(objects, 0) end
        ),
        fields -> filter(
            concat(
                coalesce(
                    array_sort(transform(
                        filter(
                            map_entries(fields),
                            -- of a field that repeats, the first value counts
                            field -> field.value <=> try_element_at(fields, field.key)
                        ),
                        field -> struct(
                            -length({{ sync_logs._folded('field.value') }}) as rank,
                            field.key as name,
                            {{ sync_logs._folded('field.value') }} as value
                        )
                    )),
                    array()
                ),
                array(struct(0 as rank, 'identifier' as name, {{ sync_logs._folded(identifier) }} as value))
            ),
            named -> length(named.value) between 1 and 500
            -- objects and arrays, and two words that say nothing
            and named.value not rlike '^(?:[{\\[]|true$|false$)'
            and not coalesce(array_contains(map_keys(fields), named.value), false)
        )
    )[0]
{%- endmacro %}

{# Replaces the values one after another. #}
{% macro _with_values_named(text, values) -%}
    aggregate(
        {{ values }},
        {{ text }},
        (so_far, named) -> case
            when contains(so_far, named.value)
                then regexp_replace(
                    so_far,
                    {{ sync_logs._places_of_value('named.value') }},
                    concat('<', regexp_replace(named.name, '([\\\\$])', '\\\\$1'), '>')
                )
            else so_far
        end
    )
{%- endmacro %}

{#
  Returns a SQL expression: a regular expression for the places where a value is replaced. A
  distinctive one is replaced everywhere, others where they are quoted or end a clause, unless a
  label says that they are a name.
  Arguments: value (SQL expression, string).
#}
{% macro _places_of_value(value) -%}
    {%- set labels = 'object|entity|sobject|type|table|relation|class|module|function|code|error|status|exception' -%}
    {%- set labels_of_quoted = labels ~ '|field|column|property|attribute|parameter|key|constraint|index' -%}
    {%- set opening = '[\'"`“‘(\\[{]' -%}
    {%- set closing = '[\'"`”’)\\]}]' -%}
    {%- set quote = '[\'"`]' -%}
    {%- set before_quoted = '(?<=' ~ opening ~ ')(?<![\\p{L}\\p{Nd}_][(\\[{])'
        ~ sync_logs._no_label_before_quote(labels_of_quoted, opening) -%}
    {%- set after_quoted = '(?=' ~ closing ~ ')' ~ sync_logs._no_label_after_quote(labels_of_quoted, closing) -%}
    {%- set before_end = '(?<=[:=] ?)(?<!' ~ sync_logs._no_word_before() ~ '(?i:(?:' ~ labels ~ ')s?) ?[:=] ?)' -%}
    {%- set after_end = '(?=[,;]|\\z|\\.(?: |\\z))' -%}
    {%- set before_digits = '(?<=' ~ quote ~ ')' ~ sync_logs._no_label_before_quote(labels_of_quoted, quote) -%}
    {%- set after_digits = '(?=' ~ quote ~ ')' ~ sync_logs._no_label_after_quote(labels_of_quoted, quote) -%}
    {%- set no_code = sync_logs.text_literal(sync_logs._no_code_before()) -%}
    {%- set literal = "concat('\\\\Q', replace(" ~ value ~ ", '\\\\E', '\\\\E\\\\\\\\E\\\\Q'), '\\\\E')" -%}
    case
        when {{ sync_logs._is_distinctive(value) }}
            then concat(
                case when {{ sync_logs._is_number(value) }} then {{ no_code }} else '' end,
                {{ sync_logs.text_literal(sync_logs._no_word_before()) }},
                {{ literal }},
                {{ sync_logs.text_literal(sync_logs._no_word_after()) }}
            )
        when {{ value }} rlike '^[0-9]{1,2}$'
            then concat(
                {{ sync_logs.text_literal(before_digits) }},
                {{ literal }},
                {{ sync_logs.text_literal(after_digits) }}
            )
        else concat(
            {{ sync_logs.text_literal(before_quoted) }},
            {{ literal }},
            {{ sync_logs.text_literal(after_quoted ~ '|' ~ before_end) }},
            {{ literal }},
            {{ sync_logs.text_literal(after_end) }}
        )
    end
{%- endmacro %}

{# Returns a regular expression: no label before an opening quote. #}
{% macro _no_label_before_quote(labels, opening) -%}
    {{ return('(?<!' ~ sync_logs._no_word_before() ~ '(?i:(?:' ~ labels ~ ')s?)[ :=]{0,3}' ~ opening ~ ')') }}
{%- endmacro %}

{# Returns a regular expression: no label after a closing quote. #}
{% macro _no_label_after_quote(labels, closing) -%}
    {{ return('(?!' ~ closing ~ ' ?(?i:(?:' ~ labels ~ ')s?)' ~ sync_logs._no_word_after() ~ ')') }}
{%- endmacro %}

{# Returns a SQL condition: a value is a number. #}
{% macro _is_number(value) -%}
    {{ value }} rlike '^[+-]?[0-9]+([.,][0-9]+)*$'
{%- endmacro %}

{# Returns a SQL condition: a value is hardly a word of a message. #}
{% macro _is_distinctive(value) -%}
    length({{ value }}) >= 3
    and {{ value }} rlike '[^\\p{L}_]'
    and (
        not {{ sync_logs._is_number(value) }}
        or length(regexp_replace({{ value }}, '[^0-9]', '')) >= 5
    )
{%- endmacro %}

{# Returns the replacements of other values, each with its regular expression, in their order. #}
{% macro _other_values() -%}
    {%- set clock = '[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?' -%}
    {%- set zone = '(?: (?:AM|PM)| ?(?:Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?' -%}
    {%- set date = '(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{4})' -%}
    {%- set token = '(?=[A-Za-z-]*[0-9])[A-Za-z0-9-]+' -%}
    {%- set whole = [
        ('<email address>', '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+'),
        ('<uuid>', '(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'),
        ('<time>', '(?:' ~ date ~ '(?:(?:T| +)(?:' ~ clock ~ '|[0-9]{1,2}:[0-9]{2})' ~ zone ~ ')?|' ~ clock ~ zone ~ ')'),
        ('<ip>', '(?:[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?::[0-9]{1,5})?|(?i:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}))'),
        ('<hash>', '(?i:(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{16,128}|0x[0-9a-f]+)'),
        ('<id>', '[a-z]{2,6}_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8,}'),
        ('<id>', '(?=[0-9]*[A-Za-z])(?:(?=[0-9])|(?=(?:[A-Za-z]*[0-9]){3}))(?![A-Z]+[0-9]+'
            ~ sync_logs._no_word_after() ~ ')[A-Za-z0-9]{10,}'),
    ] -%}
    {%- set replacements = [
        ('(<row>)', '(?s)(?<=Failing row contains )\\(.*\\)'),
        ('<url>', sync_logs._no_word_before() ~ '(?i:https?|ftp)://(?:<[^<>]*>|[^ \'"`<>()\\[\\]{}])+(?<![.,;:!?])')] -%}
    {%- for replacement, expression in whole -%}
        {#- a placeholder may begin like one of these -#}
        {%- set not_after = '(?<!<)' if replacement in ('<uuid>', '<time>', '<hash>', '<id>') else '' -%}
        {%- do replacements.append(
            (replacement, not_after ~ sync_logs._no_word_before() ~ expression ~ sync_logs._no_word_after())) -%}
    {%- endfor -%}
    {{ return(replacements + [
        ('$1<id>', '((?:(?<![\\p{L}\\p{Nd}])(?i:ids?)|(?<=[a-z])I[Dd]s?)[\'"`”’)\\]}]?(?: is)?[ :=#]{1,2}[\'"`“‘(\\[{]?)'
            ~ token ~ '(?:, ?' ~ token ~ ')*' ~ sync_logs._no_word_after()),
        ('<number>', '(?<=[A-Za-z_]\\[)[0-9]+(?=\\])'),
        ('$1<number>', '(' ~ sync_logs._no_word_before() ~ '(?i:(?:row|line|column|position|index|offset)s?)(?: #| |: ?))[0-9]+'
            ~ sync_logs._no_word_after()),
        ('<number>', sync_logs._no_word_before() ~ '\\+[0-9][0-9 ()-]{7,}[0-9]' ~ sync_logs._no_word_after()),
        ('<number>', '(?!^)' ~ sync_logs._no_code_before() ~ '(?<!\\.)' ~ sync_logs._no_word_before() ~ '[0-9]{6,}(?:\\.[0-9]+)?' ~ sync_logs._no_word_after()),
        ('$1', '(<[^<>]*>)(?:(?:[,;] ?| )\\1)+'),
    ]) }}
{%- endmacro %}

{# Returns a regular expression: no word directly before that makes a number a code. #}
{% macro _no_code_before() -%}
    {{ return('(?<!(?i:code|error|errno|status|sqlstate)[ :=#(\\[]{1,3})') }}
{%- endmacro %}

{# Returns a regular expression: no letter, digit or underscore directly before. #}
{% macro _no_word_before() -%}
    {{ return('(?<![\\p{L}\\p{Nd}_])') }}
{%- endmacro %}

{# Returns a regular expression: no letter, digit or underscore directly after. #}
{% macro _no_word_after() -%}
    {{ return('(?![\\p{L}\\p{Nd}_])') }}
{%- endmacro %}

{# Folds white space to one space, and trims it. #}
{% macro _folded(text) -%}
    trim({{ sync_logs._replaced(text, '[ \\t\\n\\x0B\\f\\r\\xA0]+', ' ') }})
{%- endmacro %}

{# Arguments: text (SQL expression), expression (a regular expression), replacement (string). #}
{% macro _replaced(text, expression, replacement) -%}
    regexp_replace({{ text }}, {{ sync_logs.text_literal(expression) }}, {{ sync_logs.text_literal(replacement) }})
{%- endmacro %}
