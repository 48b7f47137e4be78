{#
  The words that the committed state was computed with, which the commit says (`words`). Readers map by them until
  there is a new commit, so that they see all tables with the old words or all with the new ones.
#}

{# SQL expression, a map from cleaned word to meaning: a literal once Spark has planned. Argument: kind (string). #}
{% macro committed_word_map(kind) -%}
    from_json((select load_current.words from load_current), 'map<string,map<string,string>>')['{{ kind }}']
{%- endmacro %}

{# As a text. A state of an older version says nothing of words, and had those that are known. #}
{% macro committed_words_as_text() -%}
    {%- set row = run_query('select * from ' ~ sync_logs.state_table('sync_load_current')).rows[0] -%}
    {{ return((row['words'] if 'words' in row.keys()) or sync_logs.words_as_text(sync_logs.known_words())) }}
{%- endmacro %}

{# What a commit says: the words of the build that wrote the load. Argument: load_id (string). #}
{% macro words_to_commit(load_id) -%}
    {# an idle build replaces no commit #}
    {{ return(sync_logs.words_as_text(sync_logs.words())
        if not execute or load_id == sync_logs.load_id() or sync_logs.is_idle()
        else sync_logs.committed_words_as_text()) }}
{%- endmacro %}

{#
  {kind: words} that mean something else than in the committed state: the runs that have one of them are computed
  again. Nothing outside of a build.
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
  SQL condition: a record has a word that means something else now. Arguments: records (name of a step), changed
  (of `changed_words`).
#}
{% macro has_changed_word(records, changed) -%}
    {%- set conditions = ['false'] -%}
    {%- for kind in ('operation', 'status') if kind in changed -%}
        {%- set literals = [] -%}
        {%- for word in changed[kind] -%}
            {%- do literals.append(sync_logs.text_literal(word)) -%}
        {%- endfor -%}
        {%- do conditions.append(
            sync_logs.cleaned(records ~ '.' ~ kind) ~ ' in (' ~ literals | join(', ') ~ ')') -%}
    {%- endfor -%}
    {{ conditions | join(' or ') }}
{%- endmacro %}
