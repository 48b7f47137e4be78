"""The pages in a real browser: Debian's Chromium, driven by Playwright (`make test-browser`).

No page may send a request to another host or write to the console.
"""

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers import viewer_lake as lake
from helpers.project import free_port
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.masks import Mask
from sync_logs_viewer.serving import server
from sync_logs_viewer.warehouse import SessionWarehouse
from sync_logs_viewer.web.app import application
from sync_logs_viewer.web.formats import fits

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
playwright = pytest.importorskip(
    "playwright.sync_api", reason="the packages of requirements-browser.lock are not installed"
)
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=f"none is installed: {', '.join(NAMES)}")

AS_OF = f'{{"sync_logs_as_of": "{lake.NOW.isoformat()}"}}'
SYNC = {"organization_id": "o", "sync_id": "s"}
FIRST, SECOND, THIRD = ({**SYNC, "sync_run_id": number} for number in ("1", "2", "3"))
PAGES = {
    "syncs": "/",
    "sync": f"/sync?{urlencode(SYNC)}",
    "examples": f"/sync?{urlencode({**SYNC, 'examples': 'true'})}",
    "periods": f"/periods?{urlencode(SYNC)}",
    "run": f"/run?{urlencode(FIRST)}",
    "run in progress": f"/run?{urlencode(THIRD)}",
    "record": f"/record?{urlencode({'organization_id': 'o', 'identifier': '007'})}",
    "audience": f"/audience?{urlencode(SYNC)}",
    "alerts": "/alerts",
    "all alerts": "/alerts?status=all",
    "errors": "/errors",
    "all errors": "/errors?status=all&sort=last_seen",
    "reasons": f"/errors?{urlencode({'failure_pattern': 'email <email> is not known'})}",
    "failures": "/failures",
    "builds": "/builds",
    "found": f"/find?{urlencode({'identifier': '007'})}",
    "not found": "/nowhere",
}


@pytest.fixture(scope="module")
def built(module_warehouse: Warehouse) -> Warehouse:
    lake.write_lake(module_warehouse.lake, lake.LAKE)
    assert module_warehouse.builds(AS_OF), module_warehouse.failures()
    return module_warehouse


@pytest.fixture(scope="module")
def origin(built: Warehouse) -> Iterator[str]:
    """The viewer, on a free port of this machine."""
    warehouse = SessionWarehouse(
        lambda: SparkSession.builder.getOrCreate().newSession(), built.schema, "this process"
    )
    port = free_port()
    pages = server(application(Answers(warehouse, Mask())), "127.0.0.1", port)
    thread = threading.Thread(target=pages.run)
    thread.start()
    while not pages.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    pages.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=["light"])
def page(chromium: Any, origin: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page that fails the test if it sends a request elsewhere or writes to the console."""
    options = {"light": {}, "dark": {"color_scheme": "dark"}, "no script": {}}[request.param]
    context = chromium.new_context(base_url=origin, accept_downloads=True, **options)
    page = context.new_page()
    page.set_default_timeout(60_000)
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda sent: asked.append(sent.url))
    yield page
    elsewhere = [url for url in asked if not url.startswith((origin, "data:"))]
    context.close()
    assert elsewhere == []
    # the browser itself logs this for a page with the status 404
    assert [line for line in said if "404 (Not Found)" not in line] == []


def shown_identifiers(page: Any) -> list[str]:
    return [one.strip() for one in page.locator("tbody th.id").all_inner_texts()]


def test_filter_search_back_and_forward(page: Any) -> None:
    page.goto("/")
    page.get_by_role("region", name="Syncs").get_by_role("link", name="Customers").click()
    page.get_by_role("region", name="Runs").get_by_role("link", name="1", exact=True).click()
    everything = shown_identifiers(page)
    assert len(everything) == len(lake.FIRST_RUN)
    page.get_by_role("link", name="Rejected 3").click()
    assert shown_identifiers(page) == ["bad", "worse", "silent"]
    page.get_by_label("Identifier", exact=True).fill("worse")
    page.locator("main").get_by_role("button", name="Find").click()
    assert shown_identifiers(page) == ["worse"]
    shared = page.url
    assert parse_qs(urlsplit(shared).query)["status"] == ["Rejected"]
    page.go_back()
    assert shown_identifiers(page) == ["bad", "worse", "silent"]
    assert page.get_by_label("Identifier", exact=True).input_value() == ""
    page.go_back()
    assert shown_identifiers(page) == everything
    page.go_forward()
    page.go_forward()
    assert shown_identifiers(page) == ["worse"]
    page.reload()
    assert (page.url, shown_identifiers(page)) == (shared, ["worse"])
    page.get_by_role("link", name="Clear Identifier").click()
    assert shown_identifiers(page) == ["bad", "worse", "silent"]


def test_pages_and_downloads(page: Any, tmp_path: Path) -> None:
    page.goto(f"/run?{urlencode(SECOND)}")
    found = shown_identifiers(page)
    while page.get_by_role("link", name="Next rows").count():
        page.get_by_role("link", name="Next rows").click()
        found += shown_identifiers(page)
    assert found == [one["identifier"] for one in lake.SECOND_RUN]
    with page.expect_download() as begun:
        page.get_by_role("link", name="jsonl").click()
    begun.value.save_as(tmp_path / "rows")
    assert len((tmp_path / "rows").read_text().splitlines()) == len(lake.SECOND_RUN)
    assert begun.value.suggested_filename.startswith("sync-s_run-2_load-")


# a very long one has no link (test_viewer_alerts.py)
@pytest.mark.parametrize("identifier", [one for one in lake.HOSTILE if one.strip() and fits(one)])
def test_a_hostile_identifier_is_followed_by_its_link(page: Any, identifier: str) -> None:
    page.goto(f"/run?{urlencode({**FIRST, 'identifier': identifier})}")
    page.locator("tbody th.id a").click()
    assert parse_qs(urlsplit(page.url).query, keep_blank_values=True)["identifier"] == [identifier]
    assert page.get_by_role("heading", name="Current state").is_visible()


def test_time_travel(page: Any) -> None:
    page.goto(f"/audience?{urlencode(SYNC)}")
    page.get_by_label("At (UTC)").fill("2026-03-01T06:00:59Z")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_text("0 members").is_visible()
    page.get_by_label("At (UTC)").fill("2026-03-01T06:01:00Z")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_text(f"{len(lake.HOSTILE) + 1} members").is_visible()
    page.go_back()
    assert page.get_by_text("0 members").is_visible()


@pytest.mark.parametrize("page", ["light", "dark"], indirect=True)
@pytest.mark.parametrize("name", list(PAGES))
def test_axe_finds_nothing(page: Any, name: str) -> None:
    page.goto(PAGES[name])
    # axe needs its script in the page, and the policy of the pages does not allow scripts
    context = page.context.browser.new_context(bypass_csp=True)
    looked = context.new_page()
    looked.emulate_media(color_scheme=(page.evaluate(DARK) and "dark") or "light")
    looked.goto(page.url)
    results = axe.Axe().run(looked)
    context.close()
    assert results.violations_count == 0, results.generate_report()


DARK = "matchMedia('(prefers-color-scheme: dark)').matches"


@pytest.mark.parametrize("name", list(PAGES))
def test_320_pixels_are_wide_enough(page: Any, name: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(PAGES[name])
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_keyboard_is_enough(page: Any) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    # five tiles; no alert is open, so one link to earlier ones is before the search
    for _ in range(7):
        page.keyboard.press("Tab")
    page.keyboard.type("cust")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?text=cust**")
    assert page.get_by_text("1 of 2 syncs").is_visible()


def test_a_run_in_progress_grows(page: Any, built: Warehouse) -> None:
    page.goto(f"/run?{urlencode({**THIRD, 'status': 'Success'})}")
    assert shown_identifiers(page) == ["now", "007"]
    assert page.get_by_text("This run is in progress").is_visible()
    lake.write_lake(built.lake, lake.LATER)
    assert built.builds(AS_OF), built.failures()
    time.sleep(1.1)
    page.reload()
    assert shown_identifiers(page) == ["now", "007", "now 2"]
