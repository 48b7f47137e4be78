{# What words are to mean in this build: those that are known, and those of the var. The same form. #}
{% macro words() -%}
    {%- set found = sync_logs.known_words() -%}
    {# while dbt parses, a fault would stop it without a word about the setting #}
    {%- if execute -%}
        {%- do sync_logs.check_words() -%}
        {%- for kind, given in (var('sync_logs_words') or {}).items() -%}
            {%- for word, meaning in given.items() -%}
                {%- do found[kind].update({sync_logs.cleaned_word(word): meaning}) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(found) }}
{%- endmacro %}

{# Words as one text, the same for the same words in any order. Argument: words (as of `words`). #}
{% macro words_as_text(words) -%}
    {{ return(tojson(words, sort_keys=true)) }}
{%- endmacro %}
