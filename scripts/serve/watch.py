"""Builds automatically when the lake has new files: one dbt process, one parse, on a warm Spark.

Spark lists the files, so this works for any lake that a build can read.
"""

import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from dbt_sync_logs.command_line import BAD_INPUT, NAME
from dbt_sync_logs.runner import PROJECT, first_failure
from dbt_sync_logs.runner import schema as schema_of_clone
from sync_logs_viewer.notifying import has_channel
from sync_logs_viewer.settings import SettingError

VARIABLE = "SYNC_LOGS_WATCH_SECONDS"
DEFAULT_SECONDS = 10.0
# changes when any file is added, removed or rewritten
LISTING = """
select count(*) as file_count, bit_xor(xxhash64(file_path, file_size, changed_at)) as files
from (
    select _metadata.file_path, _metadata.file_size, _metadata.file_modification_time as changed_at
    from {schema}.files
    union all
    select _metadata.file_path, _metadata.file_size, _metadata.file_modification_time as changed_at
    from {schema}.fact_files
)
"""
# runs become settled without new files
SECONDS_AT_MOST = 3600.0
# so that a broken build is not retried all the time
SECONDS_AFTER_A_FAILURE = 60.0
# more than the channels take if none of them answers (see `Limits`); the next call sends the rest
SECONDS_TO_NOTIFY = 900.0


def main() -> int:
    """Watch until the process is ended."""
    from dbt.cli.main import dbtRunner

    seconds, notifying = watch_seconds(), _Notifying()
    manifest, known, built_at = None, None, float("-inf")
    while True:
        found = _listing()
        is_due = time.monotonic() - built_at > SECONDS_AT_MOST
        # there is no listing if there is no lake table yet, or if Spark does not answer
        if found != known or is_due:
            if manifest is None:
                # parsed once for all builds
                parsed = dbtRunner().invoke(["parse", *_common()])
                if not parsed.success:
                    _say(f"the project cannot be parsed: {first_failure(parsed)}")
                    return 1
                manifest = parsed.result
            if _build(manifest):
                # the listing from before the build: later files are for the next build
                known, built_at = found, time.monotonic()
                notifying.call()
            else:
                time.sleep(SECONDS_AFTER_A_FAILURE)
        notifying.call_again()
        time.sleep(seconds)


def watch_seconds() -> float:
    """Seconds between two checks of the lake. Raises SettingError."""
    given = os.environ.get(VARIABLE) or str(DEFAULT_SECONDS)
    try:
        if (seconds := float(given)) > 0:
            return seconds
    except ValueError:
        pass
    raise SettingError(f"{VARIABLE} is {given!r}; expected a number of seconds above 0.")


def _build(manifest: Any) -> bool:
    from dbt.cli.main import dbtRunner

    _say("building ...")
    begun = time.monotonic()
    outcome = dbtRunner(manifest).invoke(["build", "--no-write-json", *_common()])
    if outcome.success:
        _say(f"built in {time.monotonic() - begun:.0f} s.")
    else:
        _say(f"the build failed: {first_failure(outcome)} See logs/dbt.log.")
    # a failing test is reported once; the tables are built
    return outcome.exception is None


class _Notifying:
    """Calls the notifier, and again if something was not sent, even if there is no build."""

    def __init__(self) -> None:
        self._again_at: float | None = None
        self._pause = SECONDS_AFTER_A_FAILURE

    def call(self) -> None:
        """Send what is new, now; until all is sent, the pauses get longer."""
        if _notify():
            self._again_at, self._pause = None, SECONDS_AFTER_A_FAILURE
        else:
            self._again_at = time.monotonic() + self._pause
            self._pause = min(2 * self._pause, SECONDS_AT_MOST)

    def call_again(self) -> None:
        """Send what was not sent, if it is time."""
        if self._again_at is not None and time.monotonic() >= self._again_at:
            self.call()


def _notify() -> bool:
    """Send what is new of alerts, if a channel is set. Whether another call would do nothing."""
    if not has_channel(os.environ):
        return True
    program = Path(sys.executable).with_name(NAME)
    command = [str(program), "notify", "--project-dir", str(PROJECT)]
    try:
        # a process of its own, which says itself what was sent and what failed
        ended = subprocess.run(command, cwd=PROJECT, timeout=SECONDS_TO_NOTIFY, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        _say(f"nobody was notified ({type(error).__name__}).")
        return False
    # wrong settings stay wrong until the watch is started again
    return ended.returncode in (0, BAD_INPUT)


def _common() -> list[str]:
    return ["--log-level", "none", "--project-dir", str(PROJECT)]


def _listing() -> Any:
    """A value that changes if a file is added, removed or changed; None before the first build."""
    from pyspark.sql import SparkSession

    schema = f"`{schema_of_clone()}_lake`"
    try:
        session = SparkSession.builder.remote(os.environ["SPARK_REMOTE"]).getOrCreate()
        for table in ("files", "fact_files"):
            session.sql(f"refresh table {schema}.{table}").collect()
        return session.sql(LISTING.format(schema=schema)).collect()[0]
    except Exception:
        return None


def _say(words: str) -> None:
    print(f"watch {datetime.now():%H:%M:%S}: {words}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
