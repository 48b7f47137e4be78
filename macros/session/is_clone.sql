{#
  Returns whether this is the project itself, with its own profile, and not a project that uses the
  package.
#}
{% macro is_clone() -%}
    {{ return(target.profile_name == 'sync_logs') }}
{%- endmacro %}
