{#
  Stops the run if the var `sync_logs_words` gives a word no valid meaning, two meanings, or another
  meaning than the known one.
#}
{% macro check_words() -%}
    {%- set given = var('sync_logs_words') or {} -%}
    {%- set known = sync_logs.known_words() -%}
    {%- set example = 'for instance sync_logs_words: {status: {"synced": succeeded}}' -%}
    {%- if given is not mapping -%}
        {%- do sync_logs._refuse_words('is not a mapping; write ' ~ example) -%}
    {%- endif -%}
    {%- for kind, words in given.items() -%}
        {%- if kind not in known -%}
            {%- do sync_logs._refuse_words(
                'has the key ' ~ kind ~ '; its keys are ' ~ known | join(', ') ~ ', ' ~ example) -%}
        {%- elif words is not mapping -%}
            {%- do sync_logs._refuse_words(
                'has no mapping under ' ~ kind ~ '; write each word with what it means, ' ~ example) -%}
        {%- endif -%}
        {%- set meanings = known[kind].values() | unique | list -%}
        {%- set seen = {} -%}
        {%- for word, meaning in words.items() -%}
            {%- if word is not string -%}
                {# YAML reads yes as true and 0200 as 128 #}
                {%- do sync_logs._refuse_words(
                    'has the word ' ~ word ~ ' of ' ~ kind ~ ', which is not a text; write it in quotes, as '
                    ~ 'sync_records shows it') -%}
            {%- elif meaning not in meanings -%}
                {%- do sync_logs._refuse_words(
                    'says that the ' ~ kind ~ ' "' ~ word ~ '" means ' ~ meaning ~ '; give one of '
                    ~ meanings | join(', ')) -%}
            {%- endif -%}
            {%- set cleaned = sync_logs.cleaned_word(word) -%}
            {%- if known[kind].get(cleaned, meaning) != meaning -%}
                {%- do sync_logs._refuse_words(
                    'says that the ' ~ kind ~ ' "' ~ word ~ '" means ' ~ meaning ~ ', but it is known as '
                    ~ known[kind][cleaned] ~ '; leave it out') -%}
            {%- elif seen.get(cleaned, meaning) != meaning -%}
                {%- do sync_logs._refuse_words(
                    'gives the ' ~ kind ~ ' "' ~ cleaned ~ '" two meanings, ' ~ seen[cleaned] ~ ' and ' ~ meaning
                    ~ '; words are compared in lower case, so leave one') -%}
            {%- endif -%}
            {%- do seen.update({cleaned: meaning}) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _refuse_words(fault) -%}
    {%- do sync_logs.stop('sync_logs_words ' ~ fault ~ '.') -%}
{%- endmacro %}
