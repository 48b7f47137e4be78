{#
  Maps a logged operation to the one vocabulary of the project.
  Argument: operation (SQL expression of type string). Never null.
#}
{% macro canonical_operation(operation) -%}
    case {{ sync_logs._cleaned(operation) }}
        when 'upsert' then 'upsert'
        when 'delete' then 'delete'
        when 'deleted' then 'delete'
        when 'remove' then 'delete'
        when 'removed' then 'delete'
        when 'update' then 'update'
        when 'updated' then 'update'
        when 'change' then 'update'
        when 'insert' then 'insert'
        when 'create' then 'insert'
        when 'created' then 'insert'
        when 'inserted' then 'insert'
        when 'add' then 'insert'
        when 'append' then 'append'
        when 'mirror' then 'mirror'
        else 'unknown'
    end
{%- endmacro %}
