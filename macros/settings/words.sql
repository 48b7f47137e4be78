{#
  Returns the words of this build, the known ones and those of the var, in the form of
  `known_words`.
#}
{% macro words() -%}
    {%- set found = sync_logs.known_words() -%}
    {# at parse time, an error would stop dbt without naming the setting #}
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

{#
  Returns words as one string, which does not depend on their order.
  Arguments: words (mapping): as returned by `words`.
#}
{% macro words_as_text(words) -%}
    {{ return(tojson(words, sort_keys=true)) }}
{%- endmacro %}
