"""The pages, one file each."""

from sync_logs_viewer.web.pages import Route

from . import alerts, audience, builds, errors, failures, record, run, sync, syncs

ROUTES: tuple[Route, ...] = (
    syncs.ROUTE,
    sync.ROUTE,
    run.ROUTE,
    record.ROUTE,
    audience.ROUTE,
    alerts.ROUTE,
    errors.ROUTE,
    failures.ROUTE,
    builds.ROUTE,
)
