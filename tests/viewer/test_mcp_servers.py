"""`sync-logs mcp` as a process: over stdin and stdout, and over HTTP on this machine."""

import asyncio
import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from dbt_sync_logs import command_line
from helpers.project import PROJECT
from sync_logs_viewer import commands
from sync_logs_viewer.masks import VARIABLE, hashed
from sync_logs_viewer.named import BY_COMMAND
from viewer.mcp_process import command, environment
from viewer.reading import ABOUT

SECONDS = 60
STARTED = re.compile(r"mcp: (http://127\.0\.0\.1:\d+/mcp)\n")


def process(**variables: str) -> StdioServerParameters:
    program, *arguments = command()
    return StdioServerParameters(command=program, args=arguments, env={**environment(**variables)})


def test_a_process_answers_over_stdin_and_stdout() -> None:
    async def talk() -> tuple[list[str], Any, Any]:
        async with Client(process(**{VARIABLE: "identifiers:hashed"})) as client:
            tools = (await client.list_tools()).tools
            # 10 MB in one argument
            long = await client.call_tool("record", {**ABOUT, "identifier": "x" * 10**7})
            found = await client.call_tool("members", ABOUT)
            return [one.name for one in tools], long, found

    names, long, found = asyncio.run(talk())
    assert names == list(BY_COMMAND)
    assert long.content[0].text == (
        "unrecognized arguments: sync_id. There are: organization_id, identifier, rows."
    )
    assert [one["row_id"] for one in found.structured_content["rows"]] == [hashed("ann")]


def test_stdout_has_the_protocol_only_and_stderr_no_values() -> None:
    secret = "ann@example.com"
    first = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a client", "version": "1"},
    }
    calls = [
        ("record", {"organization_id": secret, "identifier": secret}),
        ("record", {"organization_id": secret, "identifier": "x" * 10**7}),
        ("runs", {secret: secret}),
        (secret, {}),
    ]
    messages: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": first},
        {"method": "notifications/initialized"},
        *(
            {"id": number, "method": "tools/call", "params": {"name": name, "arguments": given}}
            for number, (name, given) in enumerate(calls, 1)
        ),
        {"id": 9, "method": secret, "params": {secret: 1}},
    ]
    lines = [json.dumps({"jsonrpc": "2.0", **one}) for one in messages]
    with started() as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("\n".join([*lines, f"not JSON {secret}", ""]))
        running.stdin.flush()
        answers = [json.loads(running.stdout.readline()) for _ in range(6)]
        out, log = running.communicate(timeout=SECONDS)
    assert out == ""
    assert running.returncode == 0
    assert {one["jsonrpc"] for one in answers} == {"2.0"}
    by_id = {one["id"]: one for one in answers}
    assert sorted(by_id) == [0, 1, 2, 3, 4, 9]
    assert by_id[0]["result"]["serverInfo"]["name"] == "sync-logs"
    for number in (1, 2):
        assert by_id[number]["result"]["structuredContent"]["rows"][0]["identifier"] == "ann"
    assert by_id[3]["result"]["isError"] is True
    assert "There is no such tool" in by_id[4]["error"]["message"]
    assert "a library has printed this" in log
    assert re.search(r"^mcp: record: 1 rows, \d+\.\d\d s$", log, re.MULTILINE)
    assert re.search(r"^mcp: runs: GivenError, 0\.00 s$", log, re.MULTILINE)
    assert secret not in log
    assert len(log) < 2_000


@contextmanager
def started(*options: str, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    """A process, ended afterwards."""
    running = subprocess.Popen(
        command(*options),
        env={**os.environ, **environment(**variables)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with started("--http", "0") as running:
        assert running.stderr is not None
        line = running.stderr.readline()
        found = STARTED.fullmatch(line)
        assert found, line + running.stderr.read()
        yield found[1]


def test_two_clients_over_http(address: str) -> None:
    async def talk() -> list[Any]:
        async with Client(address) as one, Client(address, mode="legacy") as other:
            return await asyncio.gather(
                *(client.call_tool("runs", ABOUT) for client in (one, other)),
                one.call_tool("runs", {}),
            )

    *found, wrong = asyncio.run(talk())
    for one in found:
        assert one.structured_content["rows"][0]["sync_run_id"] == "7"
    assert wrong.is_error


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://localhost:8080"}, 200),
        ({"Host": "logs.example"}, 421),
        ({"Host": "logs.example:80"}, 421),
        ({"Host": "127.0.0.1.logs.example:80"}, 421),
        ({"Origin": "https://logs.example"}, 403),
        ({"Origin": "null"}, 403),
        # a form of another page cannot send JSON
        ({"Content-Type": "text/plain"}, 400),
    ],
)
def test_other_hosts_and_origins_are_refused(
    address: str, headers: dict[str, str], status: int
) -> None:
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.netloc, timeout=SECONDS)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", where.path, json.dumps(body), {**sent, **headers})
    answer = connection.getresponse()
    text = answer.read().decode()
    assert (answer.status, "readOnlyHint" in text) == (status, status == 200), text


def test_other_hosts_are_not_logged() -> None:
    with started("--http", "0") as running:
        assert running.stderr is not None
        (found,) = STARTED.findall(running.stderr.readline())
        where = urlsplit(found)
        connection = http.client.HTTPConnection(where.netloc, timeout=SECONDS)
        for host in ("ann.example", where.netloc):
            headers = {"Host": host, "Content-Type": "application/json", "Accept": "*/*"}
            connection.request("POST", where.path, '{"ann": ', headers)
            assert connection.getresponse().read()
        running.terminate()
        _, log = running.communicate(timeout=SECONDS)
    assert "ann" not in log


def test_only_this_machine_can_connect(address: str) -> None:
    port = urlsplit(address).port
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    if not tables[0].is_file():
        pytest.skip("only Linux lists its sockets here")
    lines = [line.split() for one in tables if one.is_file() for line in one.open()]
    listening = [one[1] for one in lines if one[1].endswith(f":{port:04X}") and one[3] == "0A"]
    # 127.0.0.1, with its bytes in the order of this machine
    assert listening == [f"0100007F:{port:04X}"]


def test_a_wrong_mask_ends_the_process() -> None:
    with started(**{VARIABLE: "identifiers"}) as running:
        out, log = running.communicate(timeout=SECONDS)
    assert (running.returncode, out) == (1, "")
    assert log.startswith(f"sync-logs: {VARIABLE} has 'identifiers'")


def test_without_its_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == "mcp" or name.startswith("sync_logs_viewer.mcp_server"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    # the real one ends this process
    monkeypatch.setattr("sync_logs_viewer.serving.end_process", int)
    assert command_line.main(["mcp"]) == 2
    assert capsys.readouterr().err == (
        "sync-logs: mcp needs mcp, which is not installed. Install dbt-sync-logs with its extra "
        '`mcp`: pip install "<clone>[mcp]".\n'
    )


def test_the_page_says_how_a_client_starts_it_and_names_each_tool() -> None:
    section = (PROJECT / "docs" / "viewer.md").read_text().partition("### For machines\n")[2]
    section = section.partition("\n### ")[0]
    (block,) = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    server = json.loads(block)["mcpServers"]["sync-logs"]
    assert server["command"].endswith("/.venv/bin/sync-logs")
    given = commands.parser().parse_args(server["args"])
    assert (given.http, given.project_dir) == (None, Path("<clone>"))
    (tools,) = re.findall(r"^- Tools: (.*?)\. Arguments", section, re.DOTALL | re.MULTILINE)
    assert re.findall(r"`(\w+)`", tools) == list(BY_COMMAND)
