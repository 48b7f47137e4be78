"""The page of errors, without Spark: its filters, its order and its pages."""

import html
import re
from typing import Any

from markupsafe import escape

from sync_logs_viewer.web.parameters import address, key_of
from viewer.fake_warehouse import PATTERN, TellingWarehouse
from viewer.reading import opened


def counted(category: str, failing: int, every: int) -> dict[str, Any]:
    """How many patterns of a category fail now, and how many there are."""
    return {"category": category, "failing_pattern_count": failing, "pattern_count": every}


def pills(text: str, label: str) -> list[tuple[str, str, bool]]:
    """The words, address and state of each link in a list of filters."""
    part = text[text.index(f'<ul class="filters" aria-label="{label}">') :]
    found = re.findall(
        r'<a href="([^"]*)"( aria-current="true")?>(.*?)</a>', part[: part.index("</ul>")]
    )
    return [
        (re.sub("<[^>]*>", "", words), html.unescape(link), bool(on)) for link, on, words in found
    ]


def test_errors_are_those_that_fail_now_unless_there_are_none() -> None:
    counts = [counted("refused", 2, 5), counted("limit", 0, 4)]
    warehouse = TellingWarehouse(pattern_counts=counts)
    page = opened("/errors", warehouse).text
    asked = warehouse.last("error_patterns")
    assert (asked["status"], asked["sort"], asked["after_place"]) == (None, "open", 0)
    assert pills(page, "Patterns") == [
        ("Failing now 2", "/errors?status=failing", True),
        ("All 9", "/errors?status=all", False),
    ]
    # what the data says is what the page shows
    data = opened("/errors.json", warehouse).json()
    assert (data["status"], data["pattern_count"]) == ("failing", 2)
    assert data["status_counts"] == {"failing": 2, "all": 9}
    repaired = TellingWarehouse(pattern_counts=[counted("refused", 0, 5)])
    assert pills(opened("/errors", repaired).text, "Patterns") == [
        ("Failing now 0", "/errors?status=failing", False),
        ("All 5", "/errors?status=all", True),
    ]
    assert opened("/errors.json", repaired).json()["pattern_count"] == 5
    # the pill that was chosen stays chosen, even if no pattern fails now
    failing = opened("/errors", repaired, status="Failing").text
    assert repaired.last("error_patterns")["status"] == "failing"
    assert pills(failing, "Patterns")[0][2] is True
    # of a chosen pattern, all syncs
    opened("/errors", warehouse, failure_pattern="<id> is refused")
    assert warehouse.last("error_patterns")["status"] == "all"
    assert opened("/errors", warehouse, status="open").status_code == 400


def test_errors_are_filtered_by_category() -> None:
    counts = [counted("refused", 2, 5), counted("limit", 0, 4)]
    warehouse = TellingWarehouse(pattern_counts=counts)
    # a category of which nothing fails is not offered among those that do
    assert pills(opened("/errors", warehouse).text, "Category") == [
        ("All categories", "/errors", True),
        ("refused 2", "/errors?category=refused", False),
    ]
    page = opened("/errors", warehouse, status="all", category="limit", sort="records").text
    asked = warehouse.last("error_patterns")
    assert (asked["category"], asked["sort"]) == ("limit", "records")
    # the numbers of the categories do not depend on the chosen one
    assert "category" not in warehouse.last("pattern_counts")
    assert pills(page, "Category") == [
        ("All categories", "/errors?status=all&sort=records", False),
        ("refused 5", "/errors?status=all&category=refused&sort=records", False),
        ("limit 4", "/errors?status=all&category=limit&sort=records", True),
    ]
    assert pills(page, "Patterns")[1][0] == "All 4"
    unknown = opened("/errors", warehouse, category="nothing").text
    assert ("nothing 0", "/errors?category=nothing", True) in pills(unknown, "Category")
    one = opened("/errors", TellingWarehouse()).text
    assert 'aria-label="Category"' not in one


def test_errors_are_sorted_by_the_heads_of_their_columns() -> None:
    warehouse = TellingWarehouse()
    heads = {"open": "Open", "records": "Records", "last_seen": "Last seen"}
    heads["first_seen"] = "First seen"
    for chosen in heads:
        page = opened("/errors", warehouse, status="all", sort=chosen).text
        assert warehouse.last("error_patterns")["sort"] == chosen
        assert page.count("aria-sort") == 1
        for name, words in heads.items():
            sorted_by = ' aria-sort="descending"' if name == chosen else ""
            link = escape(address("/errors", {"status": "all", "sort": name}))
            assert f'{sorted_by}><a href="{link}">{words}</a></th>' in page
    assert (
        'aria-sort="descending"><a href="/errors?sort=open">' in opened("/errors", warehouse).text
    )
    assert opened("/errors", warehouse, sort="name").status_code == 400


def test_errors_have_pages() -> None:
    counts = [counted("refused", 30, 40), counted("limit", 10, 17)]
    warehouse = TellingWarehouse(error_patterns=[PATTERN] * 25, pattern_counts=counts)
    page = opened("/errors", warehouse, sort="records").text
    assert warehouse.last("error_patterns")["row_limit"] == 25
    assert "These are 1 to 25 of 40 patterns." in page
    after = opened("/errors.json", warehouse, sort="records").json()["after"]
    assert after == key_of("load", 25)
    link = escape(address("/errors", {"sort": "records", "after": after}))
    assert f'<a rel="next" href="{link}">Next rows</a>' in page
    # a pattern, a filter and another order begin at the first page
    assert page.count("after=") == 1
    last = TellingWarehouse(error_patterns=[PATTERN] * 15, pattern_counts=counts)
    page = opened("/errors", last, sort="records", after=after).text
    assert last.last("error_patterns")["after_place"] == 25
    assert "These are 26 to 40 of 40 patterns." in page
    assert '<a href="/errors?sort=records">First rows</a>' in page
    assert "Next rows" not in page
    assert "A build has committed" not in page
    # only the same page as JSON
    assert page.count("after=") == 1
    # causes are on the first page
    assert "error_clusters" not in {one.name for one in last.asked}
    assert opened("/errors.json", last, after=after).json()["after"] is None
    newer = opened("/errors", last, after=key_of("another", 25)).text
    assert "A build has committed since the previous page" in newer
    assert opened("/errors", last, after="x").status_code == 400
    beyond = TellingWarehouse(error_patterns=[], pattern_counts=counts)
    assert "There are no more patterns." in opened("/errors", beyond, after=after).text
