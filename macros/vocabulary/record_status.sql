{#
  Maps a logged status to the one vocabulary of the project.
  Arguments: status and identifier (SQL expressions of type string). Never null.
#}
{% macro record_status(status, identifier) -%}
    case
        when {{ status }} is null and {{ identifier }} is null then 'invalid_null_key'
        else case {{ sync_logs._cleaned(status) }}
            when 'succeeded' then 'succeeded'
            when 'rejected' then 'failed'
            when 'failed' then 'failed'
            when 'null' then 'invalid_null_key'
            when 'duplicate' then 'invalid_duplicate_key'
            when 'aborted' then 'not_attempted'
            when 'not_attempted' then 'not_attempted'
            else 'unknown'
        end
    end
{%- endmacro %}
