"""`make hub-checklist`: what dbt's package hub demands of a package, decided from parsed facts.

The demands are the best practices of the hub, its form for new packages, and what an installation
needs. Each is a function that finds problems, so each can fail. Spark is not started.
"""

from . import of_files, of_manifest
from .finding import Check, Finding
from .package import Package, package_in

CHECKS = (
    Check("a licence that GitHub recognises", of_files.licence, needs_manifest=False),
    Check("README: platform, installation, settings", of_files.readme, needs_manifest=False),
    Check("installed alone, no warning", of_manifest.parses, needs_manifest=False),
    Check("models read tables by ref and source", of_manifest.tables),
    Check("schemas follow the target, no database", of_manifest.places),
    Check("no branch on adapter or target", of_manifest.targets),
    Check("dbt versions: up to a major one", of_files.dbt_versions, needs_manifest=False),
    Check("packages: from the hub, in ranges", of_files.dependencies, needs_manifest=False),
    Check("nothing replaces a macro of dbt", of_manifest.overrides),
    Check("macros are called by package", of_manifest.namespaces),
    Check("variables: prefix and default", of_manifest.variables),
    Check("a project may use the same names", of_manifest.names),
    Check("public tables are described", of_manifest.documented),
    Check("files: small, valid everywhere", of_files.files, needs_manifest=False),
    Check("a project that tests it", of_files.integration_tests, needs_manifest=False),
    Check("a final version and its tag", of_files.version, needs_manifest=False),
)

__all__ = ["CHECKS", "Check", "Finding", "Package", "package_in"]
