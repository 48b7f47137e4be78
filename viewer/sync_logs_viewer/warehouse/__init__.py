"""Where queries run: a Spark behind Spark Connect or the Thrift server."""

from .connections import (
    Rows,
    SessionWarehouse,
    ThriftWarehouse,
    Warehouse,
    WarehouseError,
    connect_warehouse,
)
from .targets import TargetError, warehouse_of_target

__all__ = [
    "Rows",
    "SessionWarehouse",
    "TargetError",
    "ThriftWarehouse",
    "Warehouse",
    "WarehouseError",
    "connect_warehouse",
    "warehouse_of_target",
]
