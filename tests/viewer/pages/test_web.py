"""What holds on each page: bad requests are refused, headers restrict, and masks hide."""

import json

import pytest
from starlette.testclient import TestClient

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.masks import HIDDEN, hashed, mask_of
from sync_logs_viewer.warehouse import SessionWarehouse
from viewer.pages.conftest import FIRST, SYNC, data
from viewer.reading import browser


def masked(warehouse: SessionWarehouse, setting: str) -> TestClient:
    return browser(Answers(warehouse, mask_of(setting)))


@pytest.mark.parametrize(
    ("page", "parameters", "status", "words"),
    [
        ("/run", FIRST | {"colour": "red"}, 400, "does not know the parameter 'colour'"),
        ("/run", FIRST | {"status": "Refused"}, 400, "expected one of: Success, Rejected"),
        ("/run", FIRST | {"after": "zz"}, 400, "is not from a link of this page"),
        ("/run", SYNC, 400, "needs the parameter 'sync_run_id'"),
        ("/run", FIRST | {"sync_run_id": "9"}, 404, "There is no run '9'"),
        ("/sync", SYNC | {"sync_id": "zz"}, 404, "There is no sync 'zz'"),
        ("/audience", SYNC | {"at": "noon"}, 400, "expected a time such as"),
        ("/audience", SYNC | {"at": ""}, 400, "expected a time such as"),
        ("/record", {"organization_id": "o", "identifier": "zz"}, 404, "No record of"),
        ("/", {"status": "zz"}, 400, "expected one of: succeeded"),
        ("/alerts", {"status": "zz"}, 400, "expected one of: open, all"),
        ("/builds", {"x": "1"}, 400, "It takes: none"),
        ("/nowhere", {}, 404, "There is no page '/nowhere'"),
        ("/run/records.csv", FIRST | {"sync_run_id": "9"}, 404, "There is no run '9'"),
        ("/run/records.csv", FIRST | {"after": "x"}, 400, "does not know the parameter 'after'"),
    ],
)
def test_bad_requests_get_a_clear_message(
    shown: TestClient, page: str, parameters: dict[str, str], status: int, words: str
) -> None:
    response = shown.get(page, params=parameters)
    assert response.status_code == status
    assert words.replace(
        "'", "&#39;" if "text/html" in response.headers["content-type"] else "'"
    ) in (response.text)


def test_a_parameter_given_twice_is_refused(shown: TestClient) -> None:
    response = shown.get("/?text=a&text=b")
    assert response.status_code == 400


def test_pages_send_restrictive_headers(shown: TestClient) -> None:
    for page in (
        "/",
        "/alerts",
        "/errors",
        "/failures",
        "/builds",
        "/nowhere",
        "/static/style.css",
    ):
        headers = shown.get(page).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
    assert shown.get("/", headers={"host": "evil.example"}).status_code == 400
    assert shown.post("/").status_code == 405


def test_hashed_identifiers_never_appear_in_clear(warehouse: SessionWarehouse) -> None:
    with masked(warehouse, "identifiers:hashed,payload:email") as client:
        page = client.get("/run", params={**FIRST, "status": "Rejected"}).text
        whole = client.get("/run", params=FIRST).text
        assert "Errors of this run" in whole
        for secret in ("worse", "bad@x"):
            assert secret not in page
            assert secret not in whole
        asked = client.get("/run", params={**FIRST, "identifier": "worse"})
        assert asked.status_code == 303
        assert "worse" not in asked.headers["location"]
        found = data(client, "/run", **FIRST, identifier=hashed("worse"))["records"]
        assert [one["identifier"] for one in found] == [hashed("worse")]
        assert json.loads(found[0]["record_payload"]) == {"email": HIDDEN}
        assert found[0]["failure_reason"] == f"email {HIDDEN} is not known"
        record = data(client, "/record", organization_id="o", identifier=hashed("007"))
        assert len(record["records"]) == 3
        for kind in ("csv", "jsonl"):
            text = client.get(f"/run/records.{kind}", params=FIRST).text
            assert "worse" not in text
            assert hashed("worse") in text
        for page in ("/", "/alerts?status=all", "/errors", "/errors?status=all", "/failures"):
            assert "worse" not in client.get(page).text
        assert (
            "only here" not in client.get("/audience", params=SYNC | {"organization_id": "p"}).text
        )
        prefix = client.get("/run", params={**FIRST, "identifier_prefix": "wo"})
        assert prefix.status_code == 400


def test_hidden_identifiers_cannot_be_queried(warehouse: SessionWarehouse) -> None:
    with masked(warehouse, "identifiers:hidden") as client:
        rows = data(client, "/run", **FIRST)["records"]
        assert {one["identifier"] for one in rows} == {HIDDEN, None}
        assert client.get("/run", params={**FIRST, "identifier": "bad"}).status_code == 400
