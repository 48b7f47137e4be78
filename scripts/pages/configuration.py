"""The page of settings, from the vars of `dbt_project.yml` and the comments above them."""

import re
from dataclasses import dataclass

from .rendering import filled

RANGE = re.compile(r"\s*Range: (.+?)\.(?=\s|$)")


@dataclass(frozen=True)
class Setting:
    """A declared var."""

    name: str
    default: str
    group: str
    reason: str
    range: str


def settings_of(project_file: str) -> list[Setting]:
    """All declared vars; a comment `-- Group --` begins a group, other comments are the reason."""
    section = re.split(r"^\S.*$", project_file.split("\nvars:\n", 1)[1], flags=re.MULTILINE)[0]
    settings = []
    group = ""
    comment: list[str] = []
    for line in map(str.strip, section.splitlines()):
        if heading := re.fullmatch(r"# -- (.+) --", line):
            group, comment = heading.group(1), []
        elif line.startswith("#"):
            comment.append(line.removeprefix("#").strip())
        elif declared := re.fullmatch(r"(sync_logs_\w+): (.+)", line):
            settings.append(_setting(declared[1], declared[2], group, " ".join(comment)))
            comment = []
    return settings


def _setting(name: str, default: str, group: str, comment: str) -> Setting:
    allowed = RANGE.search(comment)
    reason = RANGE.sub("", comment)
    return Setting(name, default.strip('"'), group, reason, allowed.group(1) if allowed else "")


def configuration_page(settings: list[Setting]) -> str:
    """The page of all settings."""
    parts = [
        "# Settings",
        filled("""
            Settings are dbt vars. Set them below `vars: sync_logs:` in `dbt_project.yml`: in a
            clone that of the clone, otherwise that of your project. For one command, use `--vars
            'sync_logs_settle_minutes: 30'`. The doctor (`dbt run-operation sync_logs_doctor`)
            shows the values in use. A value out of range stops the build before anything is read.
        """),
    ]
    group = ""
    for setting in settings:
        if setting.group != group:
            group = setting.group
            parts.append(f"## {group}")
        parts += [f"### `{setting.name}`", f"Default: `{setting.default}`", filled(setting.reason)]
        parts += [filled(f"Range: {setting.range}.")] if setting.range else []
    return "\n\n".join(parts) + "\n"
