"""Faults in the loader, which writes logs into a lake."""

from faults.fault import Fault

TESTS = "python_loaders/tests"
FAULTS = (
    Fault(
        "a vendor's name goes before a mapping",
        "python_loaders/sync_logs_loader/columns.py",
        "    if canonical in config.columns:\n        return config.columns[canonical]\n"
        "    if canonical in columns:\n        return canonical\n",
        "    if canonical in columns:\n        return canonical\n"
        "    if canonical in config.columns:\n        return config.columns[canonical]\n",
        "The option --column has no effect.",
        f"{TESTS}/test_columns.py::test_mapping_goes_before_every_name",
    ),
    Fault(
        "the last of the vendors' names is read",
        "python_loaders/sync_logs_loader/columns.py",
        "    return names[0] if names else None\n",
        "    return names[-1] if names else None\n",
        "A message comes from the wrong column.",
        f"{TESTS}/test_columns.py::test_names_of_the_vendors_are_read",
    ),
    Fault(
        "ids of runs are in a flat payload",
        "python_loaders/sync_logs_loader/columns.py",
        "if name not in {*found.values(), *_IDS}]",
        "if name not in {*found.values()}]",
        "Each run seems to change a field of each record.",
        f"{TESTS}/test_columns.py::test_what_is_not_in_a_flat_payload_is_told",
    ),
    Fault(
        "a batch size of none is accepted",
        "python_loaders/sync_logs_loader/config.py",
        "if not 1 <= self.batch_size <= MAX_BATCH_SIZE:",
        "if not 0 <= self.batch_size <= MAX_BATCH_SIZE:",
        "A load ends in an error of Spark.",
        f"{TESTS}/test_failures.py::test_config_is_checked_when_made",
    ),
    Fault(
        "a time before 1970 is later than it was",
        "python_loaders/sync_logs_loader/parquet_times.py",
        'F.call_function("div", nanoseconds, thousand) - is_cut)',
        'F.call_function("div", nanoseconds, thousand))',
        "Nanoseconds before 1970 are rounded to a later microsecond.",
        f"{TESTS}/test_parquet_times.py::test_what_pandas_writes",
    ),
    Fault(
        "a failed load leaves no run",
        "python_loaders/sync_logs_loader/writer.py",
        "        if is_replacing:\n            files.move(replaced, folder)\n"
        "        if isinstance(error, Exception)",
        "        if isinstance(error, Exception)",
        "If a rename fails, the run that was there before is gone.",
        f"{TESTS}/test_failures.py::test_failing_rename_leaves_the_old_run",
    ),
    Fault(
        "a run of a log with many runs is written by several tasks",
        "python_loaders/sync_logs_loader/writer.py",
        "rows = indexed.repartition(RUN_INDEX)",
        "rows = indexed.repartition(3)",
        "Of two attempts in a log of many runs, the wrong one is the last.",
        f"{TESTS}/test_load.py::test_one_log_holds_many_runs",
    ),
    Fault(
        "a status that is missing is accepted",
        "python_loaders/sync_logs_loader/records.py",
        'lost_status = F.col("status").isNull() & F.col("identifier").isNotNull()',
        "lost_status = F.lit(False)",
        "A wrong column for the status makes every record unknown.",
        f"{TESTS}/test_failures.py::test_bad_rows_are_counted",
    ),
    Fault(
        "an earlier value of the same key is cut out",
        "python_loaders/sync_logs_loader/json_text.py",
        'rf"(?s)^\\s*+\\{{(?:{_SPACE}(?!{name}{_SPACE}:){MEMBER}{_SPACE},)*+{_SPACE}"',
        'rf"(?s)^\\s*+\\{{(?:{_SPACE}{MEMBER}{_SPACE},)*+{_SPACE}"',
        "The payload of a line is empty unless it is the last key.",
        f"{TESTS}/test_payloads.py::test_objects_and_texts_keep_every_character",
    ),
)
