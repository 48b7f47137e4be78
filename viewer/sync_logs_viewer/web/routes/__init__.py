"""The pages, one file each."""

from sync_logs_viewer.web.pages import Route

from . import (
    alerts,
    audience,
    builds,
    compare,
    errors,
    failures,
    find,
    periods,
    record,
    run,
    sync,
    syncs,
)

ROUTES: tuple[Route, ...] = (
    syncs.ROUTE,
    sync.ROUTE,
    run.ROUTE,
    compare.ROUTE,
    periods.ROUTE,
    record.ROUTE,
    find.ROUTE,
    audience.ROUTE,
    alerts.ROUTE,
    errors.ROUTE,
    failures.ROUTE,
    builds.ROUTE,
)
