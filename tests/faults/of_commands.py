"""Faults in the command `sync-logs`."""

from faults.fault import Fault

COMMANDS = "tests/start/test_command_line.py"
FAULTS = (
    Fault(
        "a module of ours that lacks looks like a missing extra",
        "dbt_sync_logs/command_line.py",
        "if command.extra is None or package in OUR_PACKAGES:",
        "if command.extra is None:",
        "A broken installation tells its user to install what is there.",
        f"{COMMANDS}::test_a_module_of_ours_that_lacks_is_no_missing_extra",
    ),
    Fault(
        "the doctor takes an option of dbt for its own",
        "dbt_sync_logs/doctor.py",
        "allow_abbrev=False",
        "allow_abbrev=True",
        "`--profile` is read as `--profiles-dir`.",
        f"{COMMANDS}::test_the_doctor_is_an_operation_of_dbt",
    ),
    Fault(
        "the folder of the project beats DBT_PROFILES_DIR",
        "dbt_sync_logs/runner.py",
        'given is None and "DBT_PROFILES_DIR" not in os.environ and own.is_dir()',
        "given is None and own.is_dir()",
        "The viewer reads another profile than dbt does.",
        "tests/viewer/test_viewer_commands.py::test_where_profiles_are",
    ),
)
