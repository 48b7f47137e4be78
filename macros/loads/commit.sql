{#
  Materialization `commit`: the view that names the load that readers see. A build with nothing new,
  with `--empty`, or that has not written a model, does not replace it, so it cannot revert what
  another build has published in the meantime, nor say that an older state is of this version.
#}
{% materialization commit, adapter='spark' %}
    {%- if flags.EMPTY or not sync_logs.is_load_to_commit() -%}
        {%- call noop_statement('main', 'unchanged', 'unchanged') -%}{{ sql }}{%- endcall -%}
        {{ return({'relations': [this]}) }}
    {%- endif -%}
    {{ return(create_or_replace_view()) }}
{% endmaterialization %}

{#
  Returns the one statement that publishes a load. `schema_version` is the layout of the state's
  tables, so that another version of this package can recognise it. `words` is what the words of the
  log meant to the build that wrote the load.
  Arguments: load_id (string); schema_version (number): null for that of this package; words
  (string): null for those of this build.
#}
{% macro commit_query(load_id, schema_version=none, words=none) -%}
    select
        '{{ load_id }}' as load_id,
        {{ schema_version or sync_logs.schema_version() }} as schema_version,
        {{ sync_logs.text_literal(words or sync_logs.words_as_text(sync_logs.words())) }} as words
{%- endmacro %}

{#
  Publishes what an operation has written, unless something else was published since it began.
  Arguments: load_id, previous_load_id (strings): the new load, and the load that it was made from.
#}
{% macro commit_operation(load_id, previous_load_id) -%}
    {%- do sync_logs.check_previous_load(sync_logs.committed_load_id(), previous_load_id) -%}
    {%- call statement() -%}
        create or replace view {{ sync_logs.state_table('sync_load_current') }} as
        {{ sync_logs.commit_query(load_id, words=sync_logs.committed_words_as_text()) }}
    {%- endcall -%}
{%- endmacro %}
