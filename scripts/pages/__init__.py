"""The pages of `docs/` that `make docs` writes from the project itself.

Each part has one source: meanings of columns are in `models/_docs.md`; question, example and
pitfalls in the YAML of a model; settings in `dbt_project.yml`; outputs come from a demo build.
"""

from .all_pages import all_pages
from .configuration import configuration_page, settings_of
from .manifest import Analysis, IncompleteDocsError, Table, analyses_of, tables_of
from .operations import doctor_output, operation_outputs, prune_output
from .outputs import output_of, outputs_in

__all__ = [
    "Analysis",
    "IncompleteDocsError",
    "Table",
    "all_pages",
    "analyses_of",
    "configuration_page",
    "doctor_output",
    "operation_outputs",
    "output_of",
    "outputs_in",
    "prune_output",
    "settings_of",
    "tables_of",
]
