{#
  How the tables of the state are stored. Whatever differs between the formats of
  `sync_logs_file_format` is in this file. Parquet tables have folders, which the catalog lists as
  partitions. Delta and Iceberg tables have a log of commits: a row that is deleted stays on disk
  until `erase_dropped` deletes the files that no commit needs any more.
#}

{# Returns `parquet`, `delta` or `iceberg`. #}
{% macro file_format() -%}
    {{ return(var('sync_logs_file_format') or sync_logs.usual_file_format()) }}
{%- endmacro %}

{#
  Returns the format of an engine if no setting chooses another one. The seeds have it, whatever the
  setting.
#}
{% macro usual_file_format() -%}
    {{ return(adapter.dispatch('usual_file_format', 'sync_logs')()) }}
{%- endmacro %}

{% macro default__usual_file_format() -%}
    {{ return('parquet') }}
{%- endmacro %}

{# Returns whether the tables have a log of commits. #}
{% macro has_commit_log() -%}
    {{ return(sync_logs.file_format() != 'parquet') }}
{%- endmacro %}

{#
  Creates a table that is partitioned by load.
  Arguments: relation; columns (list): each has a `name` and a `data_type`.
#}
{% macro create_stored_table(relation, columns) -%}
    {%- call statement() -%}
        create table if not exists {{ relation }} (
            {% for column in columns -%}
                {{ column.name }} {{ column.data_type }},
            {% endfor -%}
            load_id string
        )
        {{ sync_logs._stored_by() }}
    {%- endcall -%}
{%- endmacro %}

{#
  Returns what follows the columns in `create table`. A search for one record reads the pages that
  can contain it, and the whole dictionary of each column. Pages therefore have few rows, and only
  columns with few values have dictionaries. The log of commits has no statistics of columns,
  because a purge does not rewrite the log.
#}
{% macro _stored_by() -%}
    using {{ sync_logs.file_format() }}
    {% if sync_logs.file_format() == 'parquet' -%}
        options ('parquet.page.row.count.limit' = '2000', 'parquet.dictionary.page.size' = '65536')
        partitioned by (load_id)
    {%- elif sync_logs.file_format() == 'delta' -%}
        partitioned by (load_id)
        tblproperties (
            'delta.dataSkippingNumIndexedCols' = '0',
            'delta.deletedFileRetentionDuration' = 'interval 0 hours',
            'delta.logRetentionDuration' = 'interval 1 days'
        )
    {%- else -%}
        {#- a build inserts into one partition; Iceberg would send all of its rows to one task #}
        partitioned by (load_id)
        tblproperties (
            'format-version' = '2',
            'write.distribution-mode' = 'none',
            'write.spark.fanout.enabled' = 'true',
            'write.parquet.page-row-limit' = '2000',
            'write.parquet.dict-size-bytes' = '65536',
            'write.metadata.metrics.default' = 'counts',
            'write.metadata.delete-after-commit.enabled' = 'true',
            'write.metadata.previous-versions-max' = '10'
        )
    {%- endif %}
{%- endmacro %}

{# Returns the loads that a table has. #}
{% macro loads_in(relation) -%}
    {%- set found = [] -%}
    {%- if not sync_logs.has_commit_log() -%}
        {%- for row in run_query('show partitions ' ~ relation).rows -%}
            {%- do found.append(row[0].split('=', 1)[1]) -%}
        {%- endfor -%}
    {%- else -%}
        {%- for row in run_query('select distinct load_id from ' ~ relation).rows -%}
            {%- do found.append(row[0]) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(found) }}
{%- endmacro %}

{#
  Drops loads from a table.
  Arguments: relation; load_ids (list of strings).
#}
{% macro drop_loads(relation, load_ids) -%}
    {%- if load_ids and not sync_logs.has_commit_log() -%}
        {%- set dropped = [] -%}
        {%- for load_id in load_ids -%}
            {%- do dropped.append("partition (load_id = '" ~ load_id ~ "')") -%}
        {%- endfor -%}
        {%- do run_query('alter table ' ~ relation ~ ' drop if exists ' ~ dropped | join(', ')) -%}
    {%- elif load_ids -%}
        {%- do run_query(
            'delete from ' ~ relation ~ " where load_id in ('" ~ load_ids | join("', '") ~ "')") -%}
    {%- endif -%}
{%- endmacro %}

{#
  Lists a load in the state from its first moment on, so that it is found even if it is killed
  before it has written a row. In a table with a log of commits, the mark is a row. A build needs
  none there: its list of files is the first thing that it writes.
  Arguments: load_id (string).
#}
{% macro announce_load(load_id) -%}
    {%- set listed = sync_logs.state_table('int_files__planned') -%}
    {%- if not sync_logs.has_commit_log() -%}
        {%- do run_query(
            'alter table ' ~ listed ~ " add if not exists partition (load_id = '" ~ load_id ~ "')") -%}
    {%- elif load_id != sync_logs.load_id() or not sync_logs.is_building() -%}
        {%- do run_query(
            'insert into ' ~ listed ~ " partition (load_id = '" ~ load_id ~ "') (relative_path) values ('')") -%}
    {%- endif -%}
{%- endmacro %}

{# Lists folders that a killed build has left and that the catalog does not know yet. #}
{% macro list_lost_loads(relation) -%}
    {%- if not sync_logs.has_commit_log() -%}
        {%- do run_query('msck repair table ' ~ relation) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Ends the growth of a log of commits to which every build adds. Delta does so on its own: with each
  tenth commit it deletes entries that are older than a day.
#}
{% macro shorten_log(relation) -%}
    {%- if sync_logs.file_format() == 'iceberg'
        and run_query('select count(*) from ' ~ relation ~ '.snapshots').rows[0][0] > 20 -%}
        {%- do sync_logs.erase_dropped(relation, false) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Deletes the files of dropped rows, which a log of commits keeps.
  Arguments: relation; is_alone (boolean): whether no build writes at this moment. Then the files of
  killed builds go too, whatever their age. Otherwise Delta keeps files of the last day.
#}
{% macro erase_dropped(relation, is_alone) -%}
    {%- if sync_logs.file_format() == 'delta' -%}
        {%- do run_query('vacuum ' ~ relation ~ ' retain ' ~ (0 if is_alone else 24) ~ ' hours') -%}
    {%- elif sync_logs.file_format() == 'iceberg' -%}
        {%- set table = "table => '" ~ relation ~ "'" -%}
        {%- do run_query(
            'call spark_catalog.system.expire_snapshots(' ~ table
            ~ ", older_than => timestamp '" ~ sync_logs._now() ~ "', retain_last => 1)") -%}
        {%- if is_alone -%}
            {%- do sync_logs._remove_orphan_files(relation, table) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  Deletes what killed writes have left of a parquet table outside its loads. A write collects its
  files in the folder `_temporary` and deletes the whole folder at its end, even if it has no rows.
  Arguments: relation; load_id (string): gets an empty partition.
#}
{% macro remove_unfinished(relation, load_id) -%}
    {%- if not sync_logs.has_commit_log() -%}
        {%- set names = adapter.get_columns_in_relation(relation)
            | map(attribute='name') | reject('eq', 'load_id') | join(', ') -%}
        {%- do run_query(
            'insert into ' ~ relation ~ " partition (load_id = '" ~ load_id ~ "') (" ~ names ~ ') select ' ~ names
            ~ ' from ' ~ relation ~ ' where false') -%}
    {%- endif -%}
{%- endmacro %}

{#
  Deletes files that no snapshot of an Iceberg table has. Iceberg refuses to delete files of the
  last day from its own listing, because a running build may be writing them. From a given listing
  it deletes those that the listing calls old.
#}
{% macro _remove_orphan_files(relation, table) -%}
    {%- set files = relation.identifier ~ '__on_disk' -%}
    {%- do run_query(
        'create or replace temporary view ' ~ files ~ " using binaryFile options (recursiveFileLookup 'true', path "
        ~ sync_logs.text_literal(sync_logs._location(relation)) ~ ')') -%}
    {%- do run_query(
        'create or replace temporary view ' ~ files ~ '_listed as '
        ~ "select path as file_path, timestamp '1970-01-02' as last_modified from " ~ files) -%}
    {%- do run_query(
        'call spark_catalog.system.remove_orphan_files(' ~ table ~ ", file_list_view => '" ~ files ~ "_listed')") -%}
    {%- do run_query('drop view ' ~ files ~ '_listed') -%}
    {%- do run_query('drop view ' ~ files) -%}
{%- endmacro %}

{% macro _location(relation) -%}
    {%- for row in run_query('describe table extended ' ~ relation).rows if row[0] == 'Location' -%}
        {{ return(row[1]) }}
    {%- endfor -%}
{%- endmacro %}

{# Returns this moment in the time zone of the session. #}
{% macro _now() -%}
    {{ return(run_query('select cast(current_timestamp() as string)').rows[0][0]) }}
{%- endmacro %}

{#
  Returns the definition of a view, as the last build noted it; none if it has none. dbt lists the
  properties of all relations at its start.
  Arguments: relation: from dbt's cache.
#}
{% macro stored_definition(relation) -%}
    {{ return(adapter.dispatch('stored_definition', 'sync_logs')(relation)) }}
{%- endmacro %}

{% macro default__stored_definition(relation) -%}
    {%- set found = modules.re.search(
        'sync_logs[.]definition=([0-9a-f]{32})', relation.information or '') -%}
    {{ return(found.group(1) if found else none) }}
{%- endmacro %}

{#
  Returns a relation with its definition, as `stored_definition` finds it in dbt's cache.
  Arguments: relation; definition (string).
#}
{% macro with_definition(relation, definition) -%}
    {{ return(adapter.dispatch('with_definition', 'sync_logs')(relation, definition)) }}
{%- endmacro %}

{% macro default__with_definition(relation, definition) -%}
    {{ return(relation.incorporate(information='sync_logs.definition=' ~ definition)) }}
{%- endmacro %}

{#
  Makes Spark list the files of a table of the lake again, where setting its properties or creating
  it again does not: with the catalog of Iceberg.
#}
{% macro forget_listing(relation) -%}
    {%- if sync_logs.file_format() == 'iceberg' -%}
        {%- do run_query('refresh table ' ~ relation) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns whether a relation, as dbt listed it, is a table of the state. dbt replaces a parquet table
  with one that has no partitions. In the other formats, dbt's list does not tell.
#}
{% macro is_load_table(relation) -%}
    {%- set information = relation.information or '' -%}
    {{ return(not relation.is_view
        and (sync_logs.has_commit_log() or 'Provider:' not in information
            or 'Partition Columns: [`load_id`]' in information)) }}
{%- endmacro %}

{#
  Stops a build if the state has another format than the setting says, or if a conversion has not
  ended.
#}
{% macro check_file_format() -%}
    {%- set listed = sync_logs.state_table('int_files__planned') -%}
    {%- set existing = load_relation(listed) -%}
    {%- set found = sync_logs.format_of(existing) if existing is not none -%}
    {%- if found and found != sync_logs.file_format() -%}
        {%- do sync_logs.stop(
            'The state in ' ~ sync_logs.state_schema() ~ ' has the format ' ~ found ~ ', but sync_logs_file_format is '
            ~ sync_logs.file_format() ~ '. Set it to ' ~ found ~ ', or copy the state to ' ~ sync_logs.file_format()
            ~ ' with `dbt run-operation sync_logs_convert`.') -%}
    {%- elif existing is none -%}
        {%- do sync_logs.check_engine() -%}
    {%- endif -%}
    {%- if existing is none and load_relation(sync_logs.copy_of(listed)) is not none -%}
        {#- `stop` would undo what it takes for the start of a new state -#}
        {%- do exceptions.raise_compiler_error(
            'The state in ' ~ sync_logs.state_schema() ~ ' was not copied completely. Run '
            ~ '`dbt run-operation sync_logs_convert` again, which continues.') -%}
    {%- endif -%}
{%- endmacro %}

{# Returns the relation that a conversion fills before it replaces a table. #}
{% macro copy_of(relation) -%}
    {{ return(api.Relation.create(
        database=relation.database, schema=relation.schema,
        identifier=relation.identifier ~ '__as_' ~ sync_logs.file_format())) }}
{%- endmacro %}

{# Stops if the engine cannot write the format. #}
{% macro check_engine() -%}
    {{ return(adapter.dispatch('check_engine', 'sync_logs')()) }}
{%- endmacro %}

{% macro default__check_engine() -%}
    {%- set format = sync_logs.file_format() -%}
    {%- set catalogs = {
        'delta': 'org.apache.spark.sql.delta.catalog.DeltaCatalog',
        'iceberg': 'org.apache.iceberg.spark.SparkSessionCatalog'} -%}
    {%- if format in catalogs -%}
        {%- set found = run_query('set spark.sql.catalog.spark_catalog').rows[0][1] -%}
        {%- if found != catalogs[format] -%}
            {%- do sync_logs.stop(
                'sync_logs_file_format is ' ~ format ~ ', but this Spark has no catalog for it '
                ~ '(spark.sql.catalog.spark_catalog is ' ~ found ~ '). Set it to ' ~ catalogs[format]
                ~ ' as docs/engines.md shows, or set sync_logs_file_format to parquet.') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the format of a table, as dbt listed it; none if the list does not tell. The catalog lists
  an Iceberg table as one of Hive.
#}
{% macro format_of(relation) -%}
    {{ return(adapter.dispatch('format_of', 'sync_logs')(relation)) }}
{%- endmacro %}

{% macro default__format_of(relation) -%}
    {%- set provider = modules.re.search('Provider: *(\\w+)', relation.information or '') -%}
    {{ return({'parquet': 'parquet', 'delta': 'delta', 'iceberg': 'iceberg', 'hive': 'iceberg'}.get(
        provider.group(1) | lower if provider)) }}
{%- endmacro %}
