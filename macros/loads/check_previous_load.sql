{#
  Stops the second of two builds that began from the same commit, because its results are out of
  date.
  Arguments: current_load_id, previous_load_id (strings): the load that is published now, and the load
  that was published when the build began.
#}
{% macro check_previous_load(current_load_id, previous_load_id) -%}
    {%- if current_load_id != previous_load_id -%}
        {%- do sync_logs.stop(
            'Another build of ' ~ sync_logs.mart_schema() ~ ' has published ' ~ current_load_id
            ~ ' in the meantime, so this one publishes nothing. Build again, one at a time.') -%}
    {%- endif -%}
{%- endmacro %}
