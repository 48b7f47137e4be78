"""Iceberg's own REST server, in a Java of its own on the loopback address.

It has the servlet and the adapter of Iceberg's tests (`iceberg-core`, classifier `tests`) before a
catalog in a database in memory, and writes the metadata of tables to a folder.
`make jars FORMAT=iceberg-rest` downloads it; Hadoop and the logger are those of PySpark.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyspark
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

from dbt_sync_logs.java import java_command
from helpers.project import free_port
from long.s3_server import jars_in

NEEDED = ("iceberg", "iceberg-rest")
OPTIONS = ("-Xmx512m", "-XX:+UseSerialGC")


@dataclass(frozen=True)
class IcebergRestServer:
    """A running server."""

    port: int

    @property
    def url(self) -> str:
        """The URL of the catalog."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def running_server(folder: Path) -> Iterator[IcebergRestServer]:
    """Start a server on a free port, with an empty catalog whose tables are below a folder."""
    folder.mkdir()
    places = (jars_in("iceberg-rest"), Path(pyspark.__file__).parent / "jars")
    server = IcebergRestServer(free_port())
    # a thread of this process writes it until the server ends
    with (folder / "server.log").open("w") as log:
        port, token, process = launch_gateway(
            classpath=":".join(f"{place}/*" for place in places),
            javaopts=list(OPTIONS),
            java_path=java_command() or "java",
            die_on_exit=True,
            redirect_stdout=log,
            redirect_stderr=log,
            enable_auth=True,
            return_proc=True,
        )
        parameters = GatewayParameters(port=port, auth_token=token, auto_convert=True)
        gateway = JavaGateway(gateway_parameters=parameters)
        try:
            _start(gateway.jvm, server.port, (folder / "warehouse").as_uri())
            yield server
        finally:
            gateway.shutdown()
            process.terminate()
            process.wait()


def _start(java: Any, port: int, warehouse: str) -> None:
    iceberg, jetty = java.org.apache.iceberg, java.org.eclipse.jetty
    # not Iceberg's catalog in memory, which also keeps the metadata of tables there, where no
    # other process can read it
    properties = {
        **{"uri": "jdbc:sqlite::memory:", "jdbc.schema-version": "V1", "warehouse": warehouse},
        # each connection would have a database of its own
        "clients": "1",
    }
    catalog = iceberg.CatalogUtil.loadCatalog(
        "org.apache.iceberg.jdbc.JdbcCatalog",
        "server",
        properties,
        java.org.apache.hadoop.conf.Configuration(),
    )
    servlet = iceberg.rest.RESTCatalogServlet(iceberg.rest.RESTCatalogAdapter(catalog))
    context = jetty.ee10.servlet.ServletContextHandler()
    context.addServlet(jetty.ee10.servlet.ServletHolder(servlet), "/*")
    server = jetty.server.Server(java.java.net.InetSocketAddress("127.0.0.1", port))
    server.setHandler(context)
    server.start()
