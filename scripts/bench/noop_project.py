"""A dbt project with the models of another one, none of which does anything."""

from pathlib import Path
from typing import Any

CONFIGURATION = """
name: nothing
profile: sync_logs
models: {nothing: {+materialized: nothing}}
"""
MACROS = """
{% materialization nothing, adapter='spark' %}
    {%- call noop_statement('main', 'nothing', 'nothing') -%} {{ sql }} {%- endcall -%}
    {{ return({'relations': [this]}) }}
{% endmaterialization %}

{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name }}
{%- endmacro %}
"""


def write_project(project: Path, manifest: Any) -> None:
    """Write a project with the models of a parsed one, none of which does anything.

    Files that are already right stay untouched, so that dbt does not parse them again.
    """
    models = {
        key: node
        for key, node in manifest.nodes.items()
        if node.resource_type == "model" and node.package_name == "sync_logs"
    }
    files = {"dbt_project.yml": CONFIGURATION, "macros/nothing.sql": MACROS}
    for node in models.values():
        parents = [models[key].name for key in node.depends_on.nodes if key in models]
        lines = [f"-- depends_on: {{{{ ref('{name}') }}}}" for name in sorted(parents)]
        lines.append(f"{{{{ config(schema='{node.schema}') }}}} select 1 as nothing")
        files[f"models/{node.name}.sql"] = "\n".join(lines)
    for name, text in files.items():
        file = project / name
        if not file.exists() or file.read_text() != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
