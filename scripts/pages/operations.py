"""The page on operations: what commands print after the first build of the demo."""

import re
from collections.abc import Mapping, Sequence

# sections of the doctor that say where the reader's files are, or list every setting
LEFT_OUT = ("Settings", "Lake", "Tables of sources")
# lines of a long output that are shown
MOST_LINES = 2
OUTPUT = re.compile(r"(?<=^```text\n).*?(?=\n```$)", re.MULTILINE | re.DOTALL)


def operations_page(page: str, outputs: Mapping[str, str]) -> str:
    """Put outputs into the page: each in the place of the one with the same first word."""

    def output_of(found: re.Match[str]) -> str:
        return outputs[found.group().split()[0]]

    return OUTPUT.sub(output_of, page)


def operation_outputs(page: str) -> dict[str, str]:
    """The outputs that are on the page, by their first word."""
    return {one.split()[0]: one for one in OUTPUT.findall(page)}


def doctor_output(said: Sequence[str]) -> str:
    """What the doctor printed, without the sections that are left out."""
    sections = "\n".join(said).strip("\n").split("\n\n")
    kept: list[str] = []
    for section in sections:
        if section.split("\n")[0] not in LEFT_OUT:
            kept.append(section)
        elif kept[-1][-4:] != "\n...":
            kept[-1] += "\n..."
    return "\n\n".join(kept).replace("\n...\n\n", "\n...\n")


def prune_output(said: Sequence[str]) -> str:
    """The first runs that would be pruned, and the last line."""
    return "\n".join([*said[:MOST_LINES], "...", said[-1]])
