"""The Java that Spark runs on: which one it is, whether it fits, and where to find one that fits.

`make setup` runs this file before any package is installed, so it imports only the standard
library.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

# Spark 4.1 does not start on 23, whose `Subject.getSubject` refuses Hadoop; 17 and 21 are tested.
OLDEST_JAVA, NEWEST_JAVA = 17, 21
TESTED = (17, 21)
SECONDS_TO_TELL = 30
# Where package managers, version managers and editors install Java; `~` is the user's folder.
PLACES = (
    *("/usr/lib/jvm/*", "/usr/java/*", "/opt/java/*", "/opt/jdk*"),
    *("/Library/Java/JavaVirtualMachines/*", "~/Library/Java/JavaVirtualMachines/*"),
    *("/opt/homebrew/opt/openjdk@*", "/usr/local/opt/openjdk@*"),
    *("/home/linuxbrew/.linuxbrew/opt/openjdk@*", "~/.sdkman/candidates/java/*", "~/.jdks/*"),
    *("~/.asdf/installs/java/*", "~/.local/share/mise/installs/java/*"),
)
RANGE = f"Spark runs on Java {OLDEST_JAVA} to {NEWEST_JAVA}"
INSTALL = f"Install Java {' or '.join(map(str, TESTED))}, or point JAVA_HOME at one."


class JavaError(Exception):
    """There is no Java that Spark runs on; the message says which one was found, and what to do."""


def choose_java() -> str | None:
    """Make the Sparks of this process run on a Java that fits, and on this process's Python.

    A JAVA_HOME that is set is the user's choice. Without one, the first `java` on the path is used
    if it fits. Otherwise JAVA_HOME is set to a Java in one of the usual places, and a line to print
    is returned. Raises JavaError.
    """
    if os.environ.get("LC_ALL") in ("C", "POSIX"):
        # In these locales Java cannot find files with non-ASCII paths; Python can.
        os.environ["LC_ALL"] = "C.UTF-8"
    # Spark would run its Python workers with the path's `python3`, and refuse another version.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    given = os.environ.get("JAVA_HOME")
    java = java_command()
    version = None if java is None else version_of(java)
    if version is not None and OLDEST_JAVA <= version <= NEWEST_JAVA:
        return None
    found = _what_was_found(java, version)
    fitting = fitting_home()
    if fitting is None:
        raise JavaError(f"{found}. {RANGE}. {INSTALL}")
    if given:
        raise JavaError(f"{found}. {RANGE}: export JAVA_HOME={shlex.quote(str(fitting))}")
    os.environ["JAVA_HOME"] = str(fitting)
    return f"{found}. {RANGE}: using the one in {fitting}."


def java_command() -> str | None:
    """The Java that Spark runs on: that of JAVA_HOME, else the first on the path, else None."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else shutil.which("java")


def version_of(java: str) -> int | None:
    """The version that a Java reports, such as 17; None if it does not run or reports none."""
    try:
        told = subprocess.run(
            [java, "-version"],
            capture_output=True,
            text=True,
            errors="replace",
            check=True,
            timeout=SECONDS_TO_TELL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r'version "(?:1\.)?(\d+)', told.stderr + told.stdout)
    return int(version.group(1)) if version else None


def fitting_home() -> Path | None:
    """A fitting JAVA_HOME in one of the usual places; tested versions come first."""
    versions = {home: version_of(str(home / "bin" / "java")) for home in _homes()}
    fitting = [
        (version not in TESTED, version, str(home))
        for home, version in versions.items()
        if version is not None and OLDEST_JAVA <= version <= NEWEST_JAVA
    ]
    return Path(min(fitting)[2]) if fitting else None


def _homes() -> list[Path]:
    homes: dict[Path, Path] = {}
    for place in PLACES:
        pattern = Path(os.path.expanduser(place))
        for folder in sorted(pattern.parent.glob(pattern.name)):
            for home in (folder, folder / "Contents" / "Home"):
                java = home / "bin" / "java"
                if os.access(java, os.X_OK):
                    # several paths often lead to the same Java
                    homes.setdefault(java.resolve(), home)
    return list(homes.values())


def _what_was_found(java: str | None, version: int | None) -> str:
    if java is None:
        return "Java was not found"
    named = f"JAVA_HOME={os.environ['JAVA_HOME']}" if os.environ.get("JAVA_HOME") else "The PATH"
    if version is None:
        return f"{named} leads to {java}, which does not run"
    return f"{named} leads to Java {version} ({java})"


def main() -> int:
    """Print for `make setup` what keeps Spark from running; returns the exit code."""
    try:
        told = choose_java()
    except JavaError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    if told:
        print(f"setup: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
