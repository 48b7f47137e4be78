{#
  Migrates the tables of an older version to this one. It only adds missing columns, to tables and
  to the commit, rows to checkpoints and to the table of sources, and moves landed rows, so it can be
  killed and run again. The next commit sets the new version.
#}
{% macro migrate_state() -%}
    {%- set found = sync_logs.found_schema_version() -%}
    {%- do sync_logs.check_not_newer(found) -%}
    {%- if found is not none and found < sync_logs.schema_version() -%}
        {#- views of this version read columns that the committed load may lack -#}
        {%- if sync_logs.is_building() and 'model.sync_logs.sync_load_current' not in selected_resources -%}
            {%- do sync_logs.stop_unmigrated(found) -%}
        {%- endif -%}
        {%- do log(
            'Migrating the state of ' ~ sync_logs.mart_schema() ~ ' from version ' ~ found ~ ' to '
            ~ sync_logs.schema_version() ~ ' ...', info=true) -%}
        {%- for node in sync_logs.state_tables() -%}
            {%- do sync_logs._add_missing_columns(node) -%}
        {%- endfor -%}
        {%- set committed_load_id = sync_logs.committed_load_id() -%}
        {#
          the committed load stays; its view gets the columns of this version, which are read before
          the next commit
        #}
        {%- do run_query(
            'create or replace view ' ~ sync_logs.state_table('sync_load_current') ~ ' as '
            ~ sync_logs.commit_query(
                committed_load_id, schema_version=found, words=sync_logs.committed_words_as_text())) -%}
        {#- so has the view of the load that is being built -#}
        {%- do sync_logs.begin_load('') -%}
        {%- do sync_logs.complete_checkpoints(committed_load_id) -%}
        {%- do sync_logs.gather_landed_rows() -%}
        {%- do sync_logs.fill_sources(committed_load_id) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Drops what only older versions of the state have, but only once this version is committed,
  because a migration that was killed is run again.
#}
{% macro drop_former_tables() -%}
    {%- set former = [] -%}
    {%- for name in ['int_outcomes__final', 'int_runs__counted', 'int_reasons__categorised', 'int_record_errors__kept',
        'int_record_errors__live', 'int_membership_events__built', 'int_seed_states__built', 'int_seed_states__chosen',
        'int_seed_errors__chosen', 'int_outcomes__sequenced', 'int_runs__checkpointed', 'int_runs__replayed', 'int_records__recovered',
        'int_records__received', 'int_facts__recovered', 'int_facts__received', 'int_facts__live', 'int_runs__touched',
        'int_runs__aborted', 'int_error_rules__checked', 'int_error_rules__live', 'stg_sync_logs__error_rules',
        'stg_sync_logs__records'] -%}
        {%- do former.append(load_relation(sync_logs.state_table(name))) -%}
    {%- endfor -%}
    {%- set former = former | reject('none') | list -%}
    {%- if former and sync_logs.found_schema_version() == sync_logs.schema_version() -%}
        {%- for relation in former -%}
            {%- do run_query('drop ' ~ ('view' if relation.is_view else 'table') ~ ' if exists ' ~ relation) -%}
            {%- do adapter.cache_dropped(relation) -%}
        {%- endfor -%}
    {%- endif -%}
    {#- former documented views, and the table that has what each showed; a project may use their names -#}
    {%- for name, successor in [('lake_file_audit', 'lake_file_issues'), ('sync_calendar', 'sync_activity_daily')]
        if name not in graph.nodes.values() | map(attribute='alias') -%}
        {%- set node = graph.nodes.get('model.sync_logs.' ~ successor) -%}
        {%- set view = load_relation(sync_logs.table_of(node).incorporate(path={'identifier': name})) if node -%}
        {%- if view and view.is_view -%}
            {%- do run_query('drop view if exists ' ~ view) -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _add_missing_columns(node) -%}
    {%- set relation = sync_logs.table_of(node) -%}
    {%- set known = adapter.get_columns_in_relation(relation) | map(attribute='name') | list -%}
    {%- set missing = [] -%}
    {%- for column in sync_logs.load_columns(node) if column.name not in known -%}
        {%- do missing.append(column.name ~ ' ' ~ column.data_type) -%}
    {%- endfor -%}
    {%- if missing -%}
        {%- do run_query('alter table ' ~ relation ~ ' add columns (' ~ missing | join(', ') ~ ')') -%}
    {%- endif -%}
{%- endmacro %}
