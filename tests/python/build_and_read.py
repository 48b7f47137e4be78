"""Build a lake in this process and leave the rows of all tables in a file: for killed builds."""

import pickle
import sys
from pathlib import Path

from conftest import Warehouse
from oracle import COLUMNS


def main(folder: Path, as_of: str) -> None:
    """Build `folder/lake` at a given time; the rows go to `folder/tables.pickle`."""
    built = Warehouse("sync_logs", folder / "lake", folder / "target")
    if not built.builds(f'{{"sync_logs_as_of": "{as_of}"}}'):
        sys.exit(built.failures())
    tables = {table: built.rows(table) for table in COLUMNS}
    (folder / "tables.pickle").write_bytes(pickle.dumps(tables))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
