{#
  Named steps that end in `field_differences`: one row per field in which two payloads of a row
  differ, with field_name, change_type (added, dropped, changed), previous_value and new_value. A
  payload that is not a JSON object is compared as a whole, with a null field_name.
  Arguments: pairs (name of a step): has the columns previous_fields and fields; its other columns
  are kept.
#}
{% macro field_differences(pairs) %}
-- both in one call: creating a parser costs as much as parsing a payload
pairs_parsed as (
    select
        *,
        from_json(
            concat('[', previous_fields, ',', fields, ']'), 'array<map<string,string>>'
        ) as both_maps
    from {{ pairs }}
),

-- more or fewer than two: one of them was not a single JSON value
pairs_mapped as (
    select
        *,
        case when size(both_maps) = 2 then both_maps[0] end as previous_map,
        case when size(both_maps) = 2 then both_maps[1] end as new_map
    from pairs_parsed
),

fields_named as (
    select
        *,
        -- `outer`, because otherwise Spark computes everything twice to check for something to
        -- explode
        explode_outer(
            case
                when previous_map is null or new_map is null then array(cast(null as string))
                else array_distinct(concat(map_keys(previous_map), map_keys(new_map)))
            end
        ) as field_name
    from pairs_mapped
),

fields_compared as (
    select
        *,
        case
            when field_name is null then 'changed'
            when not array_contains(map_keys(previous_map), field_name) then 'added'
            when not array_contains(map_keys(new_map), field_name) then 'dropped'
            else 'changed'
        end as change_type,
        case
            when field_name is null then previous_fields
            else try_element_at(previous_map, field_name)
        end as previous_value,
        case
            when field_name is null then fields
            else try_element_at(new_map, field_name)
        end as new_value
    from fields_named
    -- two objects without fields do not differ
    where field_name is not null or previous_map is null or new_map is null
),

field_differences as (
    select * from fields_compared
    where change_type in ('added', 'dropped') or previous_value is distinct from new_value
)
{% endmacro %}
