"""Links what `dbt deps` installs, without a network: this package and the packages that it needs.

    python link_packages.py [folder of a project]

`dbt deps` installs the same packages, and gets those in our packages.yml from the package hub.
Here they come from the package's own `dbt_packages`, where `make setup` put them. The next
`dbt deps` replaces the links and `package-lock.yml`.
"""

import json
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def link_packages(project: Path) -> None:
    """Link the packages into a project, and list all that it has; existing ones stay."""
    packages = {"sync_logs": PACKAGE}
    installed = PACKAGE / "dbt_packages"
    if installed.is_dir():
        packages |= {folder.name: folder for folder in installed.iterdir() if folder.is_dir()}
    (project / "dbt_packages").mkdir(exist_ok=True)
    for name, folder in packages.items():
        link = project / "dbt_packages" / name
        if not link.exists():
            link.symlink_to(folder, target_is_directory=True)
    _write_lock(project)


def _write_lock(project: Path) -> None:
    # dbt 1.12 refuses a project that has other packages than its lock or, without one, packages.yml
    folders = [one for one in (project / "dbt_packages").iterdir() if one.is_dir()]
    # dbt ignores the names that begin with `__`
    names = sorted(one.name for one in folders if not one.name.startswith("__"))
    listed = [{"local": f"dbt_packages/{name}", "name": name} for name in names]
    # JSON is YAML too; without a hash, `dbt deps` writes the lock again
    (project / "package-lock.yml").write_text(json.dumps({"packages": listed}, indent=2) + "\n")


if __name__ == "__main__":
    link_packages(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
