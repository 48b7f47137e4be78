"""File operations on a lake through Hadoop's FileSystem: for local folders and any Hadoop URL."""

from typing import Any

# Its authors ship no types.
from py4j.java_gateway import is_instance_of
from pyspark.sql import SparkSession

from sync_logs_loader.errors import WriteError


class LakeFiles:
    """The files below one root. Paths are relative to it, with '/' between the parts.

    Raises `WriteError` if the root cannot be resolved or a file cannot be moved.
    """

    def __init__(self, spark: SparkSession, root: str) -> None:
        jvm = spark._jvm
        self._path_class = jvm.org.apache.hadoop.fs.Path
        try:
            path = self._path_class(root)
            file_system = path.getFileSystem(spark._jsc.hadoopConfiguration())
            self.root = str(file_system.makeQualified(path).toString()).rstrip("/")
        except Exception as error:
            raise WriteError(
                f"Expected a folder or a Hadoop URL whose file system Spark knows, but got "
                f"{root!r}. Check the URL and the jars of its file system."
            ) from error
        # The checksumming wrapper of the local file system would move hidden .crc files too.
        if is_instance_of(
            spark.sparkContext._gateway, file_system, "org.apache.hadoop.fs.ChecksumFileSystem"
        ):
            file_system = file_system.getRawFileSystem()
        self._file_system = file_system

    def url(self, relative: str = "") -> str:
        """The full address of a path, for Spark readers and writers."""
        return f"{self.root}/{relative}" if relative else self.root

    def _path(self, relative: str) -> Any:
        return self._path_class(self.url(relative))

    def exists(self, relative: str = "") -> bool:
        """Whether there is a file or folder."""
        return bool(self._file_system.exists(self._path(relative)))

    def names(self, relative: str = "") -> list[str]:
        """Names in a folder, sorted; empty if there is no such folder."""
        if not self.exists(relative):
            return []
        statuses = self._file_system.listStatus(self._path(relative))
        return sorted(str(status.getPath().getName()) for status in statuses)

    def make_folder(self, relative: str) -> None:
        """Create a folder and its parents; no error if it exists."""
        self._file_system.mkdirs(self._path(relative))

    def delete(self, relative: str) -> None:
        """Delete a file, or a folder and its contents; no error if it does not exist."""
        self._file_system.delete(self._path(relative), True)

    def move(self, source: str, target: str) -> None:
        """Rename a file or folder. The target must not exist; its parent is created if needed."""
        self.make_folder(target.rpartition("/")[0])
        if not self._file_system.rename(self._path(source), self._path(target)):
            raise WriteError(
                f"Expected to rename {self.url(source)} to {self.url(target)}, but the file system "
                "refused. Check that the lake is writable and no other load writes the same run."
            )

    def replace(self, source: str, target: str) -> None:
        """Rename a file over an older one; readers see the old, briefly none, then the new one."""
        self.delete(target)
        self.move(source, target)

    def write_text(self, relative: str, text: str) -> None:
        """Write a UTF-8 file, replacing an older one. Not atomic: write hidden, then move."""
        stream = self._file_system.create(self._path(relative), True)
        try:
            stream.write(bytearray(text.encode("utf-8")))
        finally:
            stream.close()
