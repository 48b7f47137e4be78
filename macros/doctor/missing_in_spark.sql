{#
  Returns what this project cannot do on a release of Spark, a line each. Empty for Spark 4.1.
  Arguments: version (string): such as 3.5.9.
#}
{% macro missing_in_spark(version) -%}
    {%- set numbers = version.split('.') -%}
    {%- set release = (numbers[0] | int, numbers[1] | int) -%}
    {%- set missing = [] -%}
    {%- if sync_logs.is_clone() and release < (4, 0) -%}
        {%- do missing.append(
            'the pages of `make serve` and `make watch`, `make cluster`, the target connect: '
            ~ 'the PySpark of this release has no Connect server') -%}
    {%- endif -%}
    {%- if release < (4, 0) -%}
        {%- do missing.append('files with 16-bit floats: Spark cannot read their footers, and a build lists them as issues') -%}
    {%- endif -%}
    {%- if sync_logs.is_clone() and release != (4, 1) -%}
        {%- do missing.append(
            ('Iceberg and S3' if release == (4, 2) else 'Delta Lake, Iceberg and S3')
            ~ ': jars.lock has no jars for this release') -%}
    {%- endif -%}
    {%- if release < (4, 1) and adapter.sync_logs_succeeds is not defined -%}
        {%- do missing.append(
            'a map or a list in a text column of a batch file stops the build: '
            ~ 'install a clone of dbt-sync-logs next to dbt, and such files are only listed as issues') -%}
    {%- endif -%}
    {{ return(missing) }}
{%- endmacro %}
