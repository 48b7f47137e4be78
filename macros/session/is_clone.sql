{# Whether this is the project itself, by its own profile, and not a project that uses the package. #}
{% macro is_clone() -%}
    {{ return(target.profile_name == 'sync_logs') }}
{%- endmacro %}
