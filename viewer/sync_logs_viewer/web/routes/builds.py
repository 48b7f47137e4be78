"""What the builds did, which files are faulty, and how fresh the data is."""

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.web.pages import Page, Route, cut
from sync_logs_viewer.web.parameters import Parameters

BUILDS = 50
FILES, SETTINGS = 200, 200


def questions() -> tuple[Query, ...]:
    """The queries of the page."""
    return (
        catalog.builds(BUILDS),
        catalog.file_issues(FILES + 1),
        catalog.settings_issues(SETTINGS + 1),
        catalog.syncs(),
    )


async def make(parameters: Parameters, answers: Answers) -> Page:
    """The page of builds."""
    build, (builds, files, settings, syncs) = await answers.all(*questions())
    return Page(
        "Builds",
        build,
        {
            "builds": builds,
            **cut("file_issues", files, FILES),
            **cut("settings_issues", settings, SETTINGS),
            "data_until_at": max(
                (one["data_until_at"] for one in syncs if one["data_until_at"]), default=None
            ),
        },
    )


ROUTE = Route("/builds", "builds.html", (), make)
