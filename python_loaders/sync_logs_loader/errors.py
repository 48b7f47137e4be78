"""The exceptions of the loaders: each message says what was expected and given, and what to do."""


class SyncLogsLoaderError(Exception):
    """Base of every error that a user of the loaders can cause or fix."""


class ConfigError(SyncLogsLoaderError):
    """An option, an id or a metadata value is not what the lake allows."""


class SourceError(SyncLogsLoaderError):
    """The input cannot be opened or read."""


class MissingColumnError(SyncLogsLoaderError):
    """The input lacks a column that the lake needs."""


class InvalidRecordsError(SyncLogsLoaderError):
    """The input is empty, or some of its rows cannot be rows of a sync log."""


class WriteError(SyncLogsLoaderError):
    """The lake could not be written; runs that were not reported as written are unchanged."""


class DemoLakeError(SyncLogsLoaderError):
    """The folder given for the demo lake holds something else."""
