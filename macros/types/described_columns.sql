{#
  Returns {name in lower case: type} of the columns of a relation; none if Spark cannot infer them.
  Arguments: relation (SQL).
#}
{% macro described_columns(relation) -%}
    {%- set query = 'select * from ' ~ relation -%}
    {%- if not sync_logs.can_be_planned(query) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set found = {} -%}
    {%- for row in run_query('describe query ' ~ query).rows -%}
        {%- do found.update({row[0] | lower: row[1]}) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  Returns whether Spark can plan a query. `explain` returns the error as text, which would otherwise
  stop the build. Spark 3.5 returns it in place of the plan, and begins with its class.
#}
{% macro can_be_planned(query) -%}
    {%- set told = run_query('explain ' ~ query).rows[0][0] | string -%}
    {%- set plan = told | replace('== Physical Plan ==\n', '', 1) -%}
    {{ return(not plan.startswith(('Error occurred', 'org.apache.spark.'))) }}
{%- endmacro %}
