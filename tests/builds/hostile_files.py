"""Files that are damaged, of another kind or outside the layout, and the issue of each."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq

Content = Callable[[bytes], bytes]
Bytes = Callable[[int], bytes]


def footer_length(whole: bytes) -> int:
    """The length of a parquet footer, which is before the last four letters."""
    return int.from_bytes(whole[-8:-4], "little")


def damaged_footer(whole: bytes, other: Bytes) -> bytes:
    """A parquet file whose footer has other bytes; its length and last letters are unchanged."""
    length = footer_length(whole)
    return whole[: -8 - length] + other(length) + whole[-8:]


def damaged_middle(whole: bytes, other: Bytes) -> bytes:
    """A parquet file of three row groups, where the second one has other bytes."""
    third = (len(whole) - 8 - footer_length(whole)) // 3
    return whole[:third] + other(third) + whole[third * 2 :]


def noise(length: int) -> bytes:
    """Meaningless bytes, the same each time."""
    return Random(1).randbytes(length)


# name -> content derived from a good file of 3,000 rows, the issue, the rows in the footer
DAMAGED: dict[str, tuple[Content, str, int | None]] = {
    "text": (lambda whole: b"this is no parquet", "not a parquet file", None),
    "csv": (lambda whole: b"identifier,status\n1,succeeded\n", "not a parquet file", None),
    "one byte": (lambda whole: b"P", "not a parquet file", None),
    "letters": (lambda whole: b"PAR1", "not a parquet file", None),
    "letters twice": (lambda whole: b"PAR1PAR1", "not a parquet file", None),
    "truncated": (lambda whole: whole[: len(whole) // 2], "not a parquet file", None),
    "headless": (lambda whole: whole[100:], "no row can be read", 3000),
    "encrypted": (lambda whole: b"PARE" + whole[4:-4] + b"PARE", "not a parquet file", None),
    "footer of zeros": (
        lambda whole: damaged_footer(whole, bytes),
        *("footer cannot be read", None),
    ),
    "footer of noise": (
        lambda whole: damaged_footer(whole, noise),
        *("footer cannot be read", None),
    ),
    "footer length": (
        lambda whole: whole[:-8] + b"\xff\xff\xff\x7fPAR1",
        *("footer cannot be read", None),
    ),
    "no footer length": (
        lambda whole: whole[:-8] + b"\x00\x00\x00\x00PAR1",
        *("footer cannot be read", None),
    ),
    "middle of zeros": (lambda whole: damaged_middle(whole, bytes), "partly unreadable", 3000),
    "middle of noise": (lambda whole: damaged_middle(whole, noise), "partly unreadable", 3000),
}


def whole_file(folder: Path) -> bytes:
    """A parquet file of three row groups of 1,000 rows."""
    numbers = range(3000)
    columns = {
        "identifier": [f"identifier {number * 7919 % 3001}" for number in numbers],
        "name": [str(number) for number in numbers],
        "id": [f"damaged {number}" for number in numbers],
        "operation": ["upsert"] * 3000,
        "status": ["succeeded"] * 3000,
    }
    pq.write_table(pa.table(columns), folder / "whole", row_group_size=1000)
    content = (folder / "whole").read_bytes()
    (folder / "whole").unlink()
    return content


def write_damaged(run: Path, facts: Path) -> None:
    """Write each damaged file as a batch of a run and as a fact file of an organisation."""
    for folder in (run, facts):
        folder.mkdir(parents=True)
    whole = whole_file(run)
    for number, (name, (content, _, _)) in enumerate(DAMAGED.items()):
        (run / f"{name}.{number}.parquet").write_bytes(content(whole))
        (facts / f"destinations {name}.parquet").write_bytes(content(whole))
    (run / "zero.98.parquet").touch()
    (facts / "destinations zero.parquet").touch()
    (run / "good.99.parquet").write_bytes(whole)
    # files without rows are valid: no columns, no rows, no row group
    pq.write_table(pa.table({}), run / "no columns.100.parquet")
    empty = pa.table({"identifier": pa.array([], pa.string())})
    pq.write_table(empty, run / "no rows.101.parquet")
    pq.write_table(empty, facts / "destinations no rows.parquet")
    with pq.ParquetWriter(run / "no row group.102.parquet", empty.schema):
        pass


BESIDE_THE_LAYOUT = (
    *("damaged/_a=b/run/part.txt", "damaged/_a=b/_c=d.parquet"),
    "damaged/sync/run/_metadata.d/b.1.parquet",
    *("top.parquet", "damaged/org.parquet", "damaged/sync/run.1.parquet"),
    *("damaged/sync/run/UPPER.1.PARQUET", "damaged/sync/run/b.1.parquet.gz"),
    *("damaged/sync/run/notes.txt", "damaged/sync/run/Metadata.json"),
    *("damaged/sync/run/spark.1.parquet/part-0.parquet",),
    *("damaged/sync/folder/metadata.json/x.json",),
    # a copy of the lake inside the lake
    *("copy/sync_tracking_datasets/damaged/sync/run/good.99.parquet",),
    *("copy/of/the/metadata/damaged/destinations.parquet",),
)
FACTS_BESIDE_THE_LAYOUT = (
    *("top.parquet", "destinations.parquet", "damaged/others.parquet"),
    *("damaged/destinations.csv", "damaged/deep/destinations.parquet"),
    *("damaged/metadata/destinations.parquet", "damaged/Destinations.parquet"),
    *("damaged/destinations.PARQUET",),
)
# files that a listing of Spark hides by their names, and where they are listed: at the first
# hidden part of their path. Others with an underscore are not hidden.
BELOW_HIDDEN = {
    ".o/sync/run/b.1.parquet": ".o",
    ".o/sync/run/metadata.json": ".o",
    # these are listed, but no query returns them
    "damaged/sync/run/_metadata.json": "damaged/sync/run/_metadata.json",
    "damaged/_e=f/run/_common_metadata": "damaged/_e=f/run/_common_metadata",
    "damaged/_sync/run/b.1.parquet": "damaged/_sync",
    "damaged/sync/_1/b.1.parquet": "damaged/sync/_1",
    "damaged/sync/_1/_2/.b.2.parquet": "damaged/sync/_1",
    "damaged/sync/1._COPYING_/b.1.parquet": "damaged/sync/1._COPYING_",
    "damaged/sync/run/_temporary/0/b.1.parquet": "damaged/sync/run/_temporary",
    **{
        f"damaged/sync/run/{name}": f"damaged/sync/run/{name}"
        for name in (
            *("_records.0.parquet", ".r.0.parquet", "records.7.parquet._COPYING_"),
            "_metadata.d/.b.1.parquet",
            *(".metadata.json", "_ {x} [1] 100%25: \u00e9 +'.parquet", ".a=b.parquet"),
        )
    },
}
FACTS_BELOW_HIDDEN = {
    "_org/destinations.parquet": "_org",
    "damaged/_destinations.parquet": "damaged/_destinations.parquet",
    "damaged/.source_objects.parquet": "damaged/.source_objects.parquet",
}
# what no listing of Java has either: as bytes, and as the audit spells it
NOT_UTF_8 = (b"caf\xe9.8.parquet", "caf\\xe9.8.parquet")
LINK_TO_NOTHING = "link.9.parquet"
LEFT_BY_WRITERS = (
    *("damaged/sync/run/_SUCCESS", "damaged/sync/run/.b.1.parquet.crc"),
    *("damaged/sync/run/_started_12", "damaged/sync/run/_committed_12", "_delta_log/0.json"),
    "damaged/sync/run/.DS_Store",
)


def write_beside(lake: Path) -> None:
    """Write files that nothing reads, some of them valid."""
    good = pa.table({"identifier": ["beside"], "id": ["beside"], "status": ["succeeded"]})
    records = (*BESIDE_THE_LAYOUT, *BELOW_HIDDEN, *LEFT_BY_WRITERS)
    paths = [f"sync_tracking_datasets/{path}" for path in records]
    paths += [f"metadata/{path}" for path in (*FACTS_BESIDE_THE_LAYOUT, *FACTS_BELOW_HIDDEN)]
    for path in paths:
        (lake / path).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(good, lake / path)
    run = lake / "sync_tracking_datasets" / "damaged" / "sync" / "run"
    (Path(os.fsdecode(os.fsencode(run) + b"/" + NOT_UTF_8[0]))).write_bytes(b"PAR1")
    (run / LINK_TO_NOTHING).symlink_to(lake / "nowhere")
    (run / "_circle").symlink_to(run)
    (run / "_no_bytes").touch()
    (lake / "sync_tracking_datasets" / "no runs" / "no run").mkdir(parents=True)
    (lake / "elsewhere").mkdir()
    (lake / "elsewhere" / "b.1.parquet").touch()


def repair(file: Path, content: bytes) -> None:
    """Replace a damaged file, with a modification time that every listing sees as newer."""
    later = file.stat().st_mtime + 5
    file.write_bytes(content)
    os.utime(file, (later, later))
