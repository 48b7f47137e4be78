{#
  What a reported run status is known to mean: `succeeded`, `failed`, or null if it means neither.
  Argument: status (SQL expression of type string).
#}
{% macro run_outcome(status) -%}
    case
        when {{ sync_logs.cleaned(status) }}
            in ('succeeded', 'success', 'completed', 'completed with errors') then 'succeeded'
        when {{ sync_logs.cleaned(status) }}
            in ('failed', 'error', 'aborted', 'cancelled', 'canceled') then 'failed'
    end
{%- endmacro %}
