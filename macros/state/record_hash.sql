{#
  What windows over the rows of a record are partitioned and sorted by first, before its three keys. Spark compares
  eight bytes of the first sort key, and all of each row only where those are the same: a hash tells nearly all
  records apart, the ids of organisation and sync none. The keys follow it, so that equal hashes do no harm.
  Argument: relation (name of a step).
#}
{% macro record_hash(relation) -%}
    xxhash64({{ relation }}.organization_id, {{ relation }}.sync_id, {{ relation }}.identifier)
{%- endmacro %}
