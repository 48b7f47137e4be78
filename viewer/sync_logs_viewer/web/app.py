"""The application: addresses, the documents that they return, and refusals."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount
from starlette.routing import Route as Address
from starlette.staticfiles import StaticFiles

from sync_logs_viewer.answers import Answers, Build
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.warehouse import WarehouseError

from . import downloads, formats
from .clock import clock_of, zones
from .pages import Page, Route
from .parameters import AddressError, HashedInstead, Parameters, address
from .routes import ROUTES
from .safety import SafeHeaders
from .templating import templates
from .warming import keep_warm

FOLDER = Path(__file__).parent
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
SECONDS_BETWEEN_LOOKS = 0.5
# status that web servers log for a request that its client has closed
CLOSED = 499
# the parameter by which a reader chooses a time zone; each page takes it
TIME_ZONE = "time_zone"
COOKIE = "sync_logs_time_zone"
SECONDS_OF_COOKIE = 365 * 86_400
Handler = Callable[[Request], Awaitable[Response]]


def application(
    answers: Answers, hosts: tuple[str, ...] = LOOPBACK, is_kept_warm: bool = False
) -> Starlette:
    """The viewer for a warehouse. `hosts` are the host names that requests may use.

    If it is kept warm, the queries of the pages without parameters run before a user opens them.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.ensure_future(keep_warm(answers))
        yield
        warming.cancel()

    routes: list[Any] = []
    for route in ROUTES:
        routes.append(Address(route.path, _page(route, answers)))
        data_path = "/index.json" if route.path == "/" else f"{route.path}.json"
        routes.append(Address(data_path, _data(route, answers)))
    for kind in downloads.KINDS:
        routes.append(Address(f"/run/records.{kind}", _download(kind, answers)))
    routes.append(Mount("/static", StaticFiles(directory=FOLDER / "static")))
    app = Starlette(
        lifespan=lifespan if is_kept_warm else None,
        routes=routes,
        middleware=[
            Middleware(SafeHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
        ],
        exception_handlers={HTTPException: _not_there},
    )
    app.state.has_search = answers.mask.identifiers != "hidden"
    return app


def _page(route: Route, answers: Answers) -> Handler:
    async def show(request: Request) -> Response:
        if TIME_ZONE in request.query_params:
            return _with_time_zone(request)
        parameters = Parameters(request.query_params, route.parameters, answers.mask)
        page = await route.make(parameters, answers)
        if page.leads_to is not None:
            return RedirectResponse(page.leads_to, 303)
        log_until = await _data_until(answers, page.build)
        return HTMLResponse(_rendered(request, route, page, parameters, log_until))

    return _guarded(show)


async def _data_until(answers: Answers, build: Build) -> datetime | None:
    """The end of the data in the log, as of the build of a page; None if it is not known."""
    if not build.load_id:
        return None
    try:
        of_build, (rows,) = await answers.all(catalog.data_until())
    except WarehouseError:
        # the folder `activity` can be disabled
        return None
    return rows[0]["data_until_at"] if of_build == build else None


def _with_time_zone(request: Request) -> Response:
    """The same page, with a cookie for the chosen time zone: addresses to share do not have it."""
    chosen = request.query_params.getlist(TIME_ZONE)
    if len(chosen) > 1 or chosen[0] not in zones():
        raise AddressError(
            f"{TIME_ZONE!r} is {', '.join(chosen)!r}; expected one time zone such as Europe/Berlin."
        )
    given = [(name, one) for name, one in request.query_params.multi_items() if name != TIME_ZONE]
    response = RedirectResponse(f"{request.url.path}?{urlencode(given)}".rstrip("?"), 303)
    response.set_cookie(COOKIE, chosen[0], max_age=SECONDS_OF_COOKIE, httponly=True, samesite="lax")
    return response


def _data(route: Route, answers: Answers) -> Handler:
    async def give(request: Request) -> Response:
        parameters = Parameters(request.query_params, route.parameters, answers.mask)
        page = await route.make(parameters, answers)
        data = {"load_id": page.build.load_id, "as_of": page.build.as_of, **page.data}
        text = json.dumps(formats.as_data(data), ensure_ascii=False)
        return Response(text, media_type="application/json")

    return _guarded(give)


def _download(kind: str, answers: Answers) -> Handler:
    async def give(request: Request) -> Response:
        parameters = Parameters(request.query_params, downloads.PARAMETERS, answers.mask)
        return await downloads.download(kind, parameters, answers)

    return _guarded(give)


def _guarded(handle: Handler) -> Handler:
    """Turn errors into messages."""

    async def answer(request: Request) -> Response:
        try:
            return await _while_open(handle, request)
        except HashedInstead as instead:
            return RedirectResponse(address(request.url.path, {**instead.parameters}), 303)
        except AddressError as error:
            return _words(request, error.status, str(error))
        except WarehouseError as error:
            return _words(request, 503, str(error))

    return answer


async def _while_open(handle: Handler, request: Request) -> Response:
    """Answer a request; drop its queries that Spark does not have yet if the page is closed."""
    task = asyncio.ensure_future(handle(request))
    while not task.done():
        await asyncio.wait({task}, timeout=SECONDS_BETWEEN_LOOKS)
        if not task.done() and await request.is_disconnected():
            task.cancel()
            return Response(status_code=CLOSED)
    return task.result()


def _not_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    is_missing = error.status_code == 404
    words = f"There is no page {request.url.path!r}." if is_missing else error.detail
    return _words(request, error.status_code, words)


def _words(request: Request, status: int, words: str) -> Response:
    path = request.url.path
    if path.endswith(".json"):
        text = json.dumps({"error": words}, ensure_ascii=False)
        return Response(text, status, media_type="application/json")
    if path.rpartition(".")[2] in downloads.KINDS:
        return Response(f"{words}\n", status, media_type="text/plain; charset=utf-8")
    titles = {400: "Not understood", 404: "Not found", 503: "No answer"}
    title = titles.get(status, "Not possible")
    return HTMLResponse(
        _filled(request, "message.html", title=title, words=words, build=None, path="", given={}),
        status,
    )


def _rendered(
    request: Request,
    route: Route,
    page: Page,
    parameters: Parameters,
    log_until: datetime | None,
) -> str:
    return _filled(
        request,
        route.template,
        title=page.title,
        build=page.build,
        path=route.path,
        given=parameters.given,
        log_until=log_until,
        **page.data | page.shown,
    )


def _filled(request: Request, template: str, **values: Any) -> str:
    clock, has_search = clock_of(request.cookies.get(COOKIE)), request.app.state.has_search
    filled = templates().get_template(template)
    return filled.render(clock=clock, has_search=has_search, **values)
