"""Fake Java programs that report a version."""

from pathlib import Path


def java_of(folder: Path, version: str) -> str:
    """Write a JAVA_HOME whose java only reports that version."""
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    java.chmod(0o755)
    return str(folder)
