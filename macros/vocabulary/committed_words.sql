{#
  The words of the committed state, which the commit stores (`words`). Readers map by them until the
  next commit, so all tables show the old words or all show the new ones.
#}

{#
  Returns a SQL expression: a map from cleaned word to meaning, which is a literal in Spark's plan.
  Arguments: kind (string).
#}
{% macro committed_word_map(kind) -%}
    from_json((select words from {{ ref('sync_load_current') }}), 'map<string,map<string,string>>')['{{ kind }}']
{%- endmacro %}

{#
  Returns the committed words as a string. An older state stores no words and was built with the
  known ones.
#}
{% macro committed_words_as_text() -%}
    {%- set row = run_query('select * from ' ~ sync_logs.state_table('sync_load_current')).rows[0] -%}
    {{ return((row['words'] if 'words' in row.keys()) or sync_logs.words_as_text(sync_logs.known_words())) }}
{%- endmacro %}

{#
  Returns {kind: words} for the words whose meaning differs from the committed state. The runs that
  have such a word are computed again. Empty outside a build.
#}
{% macro changed_words() -%}
    {%- set changed = {} -%}
    {%- if sync_logs.is_building() and model.resource_type == 'model' and not sync_logs.is_idle() -%}
        {%- set words = sync_logs.words() -%}
        {%- set committed = fromjson(sync_logs.committed_words_as_text()) -%}
        {%- for kind in words -%}
            {%- set found = [] -%}
            {%- set before = committed.get(kind, {}) -%}
            {%- for word in (words[kind] | list + before | list) | unique
                if words[kind].get(word) != before.get(word) -%}
                {%- do found.append(word) -%}
            {%- endfor -%}
            {%- if found -%}
                {%- do changed.update({kind: found}) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(changed) }}
{%- endmacro %}

{#
  Returns a SQL condition: the meaning of a word of a record has changed.
  Arguments: records (name of a step); changed (mapping): as returned by `changed_words`.
#}
{% macro has_changed_word(records, changed) -%}
    {%- set conditions = ['false'] -%}
    {%- for kind in ('operation', 'status') if kind in changed -%}
        {%- do conditions.append(
            sync_logs.cleaned(records ~ '.' ~ kind) ~ ' in (' ~ sync_logs.text_literals(changed[kind]) ~ ')') -%}
    {%- endfor -%}
    {{ conditions | join(' or ') }}
{%- endmacro %}
