"""The pages of `docs/` that `make docs` writes from the project itself.

Each part has one source: meanings of columns are in `models/_docs.md`; question, example and
pitfalls in the YAML of a model; settings in `dbt_project.yml`; outputs come from a demo build.
"""

from .configuration import configuration_page, settings_of
from .manifest import Analysis, IncompleteDocsError, Table, analyses_of, tables_of
from .outputs import output_of, outputs_in
from .rendering import index_page, questions_page, table_page
from .rooms import with_rooms

__all__ = [
    "Analysis",
    "IncompleteDocsError",
    "Table",
    "analyses_of",
    "configuration_page",
    "index_page",
    "output_of",
    "outputs_in",
    "questions_page",
    "settings_of",
    "table_page",
    "tables_of",
    "with_rooms",
]
