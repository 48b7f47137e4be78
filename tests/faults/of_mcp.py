"""Faults in the tools for machines."""

from faults.fault import Fault

TOOLS = "tests/viewer/test_mcp.py"
SERVERS = "tests/viewer/test_mcp_servers.py"
SERVER = "viewer/sync_logs_viewer/mcp_server"
FAULTS = (
    Fault(
        "a question has no tool",
        f"{SERVER}/tools.py",
        "for one in QUESTIONS]",
        "for one in QUESTIONS[1:]]",
        "Machines cannot ask what the pages and the terminal show.",
        f"{TOOLS}::test_each_question_is_a_page_a_command_and_a_tool",
    ),
    Fault(
        "a tool does not say that rows were left out",
        f"{SERVER}/calls.py",
        '"rows": most + 1})',
        '"rows": most})',
        "A machine takes the first 100 failures for all of them.",
        f"{TOOLS}::test_rows_are_limited",
    ),
    Fault(
        "tools show whole payloads",
        f"{SERVER}/calls.py",
        "self.payload_limit = payload_limit(answers)",
        "self.payload_limit = None",
        "100 records fill the memory of a machine.",
        f"{TOOLS}::test_rows_are_limited",
    ),
    Fault(
        "an unexpected error is told in full",
        f"{SERVER}/calls.py",
        "if isinstance(error, TOLD) else",
        "if error else",
        "The message of an error tells what a mask hides.",
        f"{TOOLS}::test_calls_are_logged_without_values",
    ),
    Fault(
        "a result mixes two builds",
        f"{SERVER}/calls.py",
        "if len({*machine.builds}) == 1:",
        "if machine.builds:",
        "The health of a sync is that before a build, its numbers are those after it.",
        f"{TOOLS}::test_a_result_is_as_of_one_build",
    ),
    Fault(
        "the SDK logs what callers send",
        f"{SERVER}/running.py",
        'logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)',
        "pass",
        "The log of a client has the name of a host, or a message with identifiers.",
        f"{SERVERS}::test_other_hosts_are_not_logged",
    ),
    Fault(
        "any page can call the tools",
        f"{SERVER}/running.py",
        'allowed_origins=[f"http://{host}:*" for host in LOOPBACK],',
        "enable_dns_rebinding_protection=False,",
        "A web site reads the records through the browser of an analyst.",
        f"{SERVERS}::test_other_hosts_and_origins_are_refused",
    ),
    Fault(
        "a null is a wrong argument",
        "viewer/sync_logs_viewer/arguments.py",
        "for name, value in given.items() if value is not None}",
        "for name, value in given.items()}",
        "Clients that send all arguments cannot call a tool.",
        f"{TOOLS}::test_an_argument_that_lacks_is_unknown_or_of_another_type",
    ),
)
