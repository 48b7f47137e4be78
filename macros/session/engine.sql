{#
  Returns what is true of the engine. A macro is dispatched only where an engine needs other code.
    format          format of the tables if no setting chooses another one; the seeds have it, whatever
                    the setting
    needs_catalogs  a format needs the catalog that Spark's settings name for it
    has_pointers    tables point at the lake; without them, queries read it with `read_files`
    has_scripts     it can have SQL scripts that go on after an error
    has_lock        a process can lock its catalog
#}
{% macro engine() -%}
    {{ return(adapter.dispatch('engine', 'sync_logs')()) }}
{%- endmacro %}

{% macro default__engine() -%}
    {{ return({
        'format': 'parquet', 'needs_catalogs': true, 'has_pointers': true, 'has_scripts': true, 'has_lock': true}) }}
{%- endmacro %}
