"""`make screenshots`: the pictures in the documents, taken from the demo that `make serve` shows.

Needs Chromium and the packages of requirements-browser.lock.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from sync_logs_viewer import settings

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SUPERSET = "http://127.0.0.1:8088"
SIZE = {"width": 1200, "height": 760}


def main() -> int:
    """Write all pictures; returns the exit code."""
    from playwright.sync_api import sync_playwright

    origin = f"http://127.0.0.1:{settings.port()}"
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(120_000)
        for name, address in _addresses(origin).items():
            page.goto(origin + address)
            page.screenshot(path=FOLDER / f"{name}.png")
            print(f"screenshots: {name}.png is {address}", flush=True)
        if _answers(SUPERSET):
            _take_chart(page)
        browser.close()
    return 0


def _take_chart(page: Any) -> None:
    """A chart of the Superset that `scripts/bi/superset.sh` has filled."""
    page.goto(f"{SUPERSET}/login/")
    page.locator("input[name=username], #username").first.fill("admin")
    page.locator("input[name=password], #password").first.fill("admin")
    page.keyboard.press("Enter")
    page.wait_for_url("**/welcome/")
    page.goto(f"{SUPERSET}/explore/?slice_id=3&standalone=1")
    page.locator("canvas").first.wait_for()
    # the chart is animated
    page.wait_for_timeout(3000)
    page.screenshot(path=FOLDER / "superset.png")
    print("screenshots: superset.png is its chart 3", flush=True)


def _answers(origin: str) -> bool:
    try:
        urlopen(origin, timeout=10).close()
    except OSError:
        return False
    return True


def _addresses(origin: str) -> dict[str, str]:
    """The pages to show: a sync with members and the most open errors, and its worst run."""
    syncs = _data(origin, "/index.json")["syncs"]
    shown = max(syncs, key=lambda one: (one["member_count"] > 0, one["open_record_count"]))
    sync = {name: shown[name] for name in ("organization_id", "sync_id")}
    runs = _data(origin, f"/sync.json?{urlencode(sync)}")["runs"]
    worst = max(runs, key=lambda run: sum(run[f"num_failed_{one}"] or 0 for one in OP_TYPES))
    run = {**sync, "sync_run_id": worst["sync_run_id"]}
    return {
        "syncs": "/",
        "sync": f"/sync?{urlencode(sync)}",
        "run": f"/run?{urlencode({**run, 'status': 'Rejected'})}",
        "audience": f"/audience?{urlencode(sync)}",
        "errors": "/errors",
    }


OP_TYPES = ("add", "change", "remove")


def _data(origin: str, address: str) -> Any:
    with urlopen(origin + address) as answer:
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main())
