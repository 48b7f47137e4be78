{#
  Materialization `commit`: the view that says which load readers see. A build with nothing new, or with `--empty`,
  leaves it as it is, so it cannot take back what another has published in the meantime.
#}
{% materialization commit, adapter='spark' %}
    {%- if flags.EMPTY or sync_logs.is_idle() -%}
        {%- call noop_statement('main', 'unchanged', 'unchanged') -%}{{ sql }}{%- endcall -%}
        {{ return({'relations': [this]}) }}
    {%- endif -%}
    {{ return(create_or_replace_view()) }}
{% endmaterialization %}

{#
  The one statement that publishes a load. `schema_version` says how the tables of the state are laid
  out, so that another version of this package knows what it finds; `has_changes`, whether a checkpoint has a
  base: a literal, so that Spark plans a question without a join where none has; `words`, what the words of the
  log meant to the build that wrote it.
  Arguments: load_id (string), schema_version (number; null for that of this package), has_changes (boolean),
  words (string; null for those of this build).
#}
{% macro commit_query(load_id, schema_version=none, has_changes=false, words=none) -%}
    select
        '{{ load_id }}' as load_id,
        {{ schema_version or sync_logs.schema_version() }} as schema_version,
        {{ 'true' if has_changes else 'false' }} as has_changes,
        {{ sync_logs.text_literal(words or sync_logs.words_as_text(sync_logs.words())) }} as words
{%- endmacro %}

{#
  Publishes what an operation has written, unless somebody else has published since it began.
  Arguments: load_id and base_load_id (strings): the new load, and the one that it was made from.
#}
{% macro commit_operation(load_id, base_load_id) -%}
    {%- do sync_logs.check_base(sync_logs.committed_load_id(), base_load_id) -%}
    {%- call statement() -%}
        create or replace view {{ sync_logs.state_table('sync_load_current') }} as
        {{ sync_logs.commit_query(
            load_id,
            has_changes=sync_logs.has_changes(load_id),
            words=sync_logs.committed_words_as_text()) }}
    {%- endcall -%}
{%- endmacro %}

{#
  Stops the second of two builds that began from the same commit: what it has computed is out of date.
  Arguments: current_load_id and base_load_id (strings): the load that is published now, and then.
#}
{% macro check_base(current_load_id, base_load_id) -%}
    {%- if current_load_id != base_load_id -%}
        {%- do sync_logs.stop(
            'Another build of ' ~ sync_logs.mart_schema() ~ ' has published ' ~ current_load_id
            ~ ' in the meantime, so nothing of this one is. Build again, one at a time.') -%}
    {%- endif -%}
{%- endmacro %}
