{#
  Ends every build: collects dead loads if a build was killed or enough of them have accumulated,
  and compacts live loads if reading them all would cost more than rewriting them.
#}
{% macro finish_build() -%}
    {%- if sync_logs.is_building() and sync_logs.is_involved() and sync_logs.has_manifests() -%}
        {%- do sync_logs._forget_if_idle() -%}
        {%- do sync_logs.drop_former_tables() -%}
        {%- set kept = sync_logs.kept_commits(true) -%}
        {%- set is_alone = sync_logs.holds_catalog() -%}
        {%- set dead = [] -%}
        {%- for load_id in sync_logs.loads_in(sync_logs.state_table('int_files__planned'))
            if load_id not in kept['load']
            and sync_logs.is_unowned(load_id, kept['load'], is_alone) -%}
            {%- do dead.append(load_id) -%}
        {%- endfor -%}
        {%- set killed = dead | reject('in', kept['recorded']) | list -%}
        {%- set is_to_collect = killed or dead | length >= 8 -%}
        {%- set has_committed = kept['load'][0] == sync_logs.load_id() -%}
        {%- set references = sync_logs.references_of(kept) if is_to_collect or has_committed -%}
        {%- if is_to_collect -%}
            {%- do sync_logs.collect(references) -%}
        {%- endif -%}
        {%- if has_committed -%}
            {%- do sync_logs.compact_if_many(references) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  Drops what an idle build wrote for itself: its list of files. Idle builds replace no load, so
  nothing else would end the growth of the logs that they write to.
#}
{% macro _forget_if_idle() -%}
    {%- if sync_logs.is_idle() -%}
        {%- do sync_logs.drop_loads(sync_logs.state_table('int_files__planned'), [sync_logs.load_id()]) -%}
        {%- for node in sync_logs.state_tables() if node.config.meta.state.is_written_when_idle -%}
            {%- do sync_logs.shorten_log(sync_logs.state_table(node.name)) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}
