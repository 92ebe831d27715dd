"""The JSON interface: a method for each request, with its address and its documentation."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from logging import getLogger
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from exactcover.app.serving.bounds import Refusal
from exactcover.app.serving.children import JSON, SVG, Answer
from exactcover.app.serving.files import Pages
from exactcover.app.serving.openapi import (
    BODIES,
    NUMBER,
    TEXT,
    WHOLE,
    Documented,
    Query,
    Schema,
    document,
    many,
    ref,
)
from exactcover.app.serving.parameters import (
    FOR_EVER,
    body_of,
    checked,
    chosen,
    number,
    run_task,
    shelved,
    theme,
    whole,
    window,
)
from exactcover.app.serving.runs import Run, events
from exactcover.app.serving.service import AID, QUICK, SLOW, Service

FORMATS = ("svg", "stl", "json", "txt")

SHELF = 60.0
"""Seconds that reading all shipped puzzles may take."""

AN_HOUR = "private, max-age=3600"

STREAM, FILE = "text/event-stream", "application/octet-stream"

ANYTHING: Schema = {"type": "object"}
DARK = ("dark", WHOLE, "1: for a dark ground; 0: for a light one")
FROM = ("from", WHOLE, "the first of these solutions, from 0")
FILTERS = (
    ("symmetric", WHOLE, "1: only those that a symmetry takes to themselves; 0: only others"),
    ("piece", TEXT, "the name of a piece, with `cell`"),
    ("cell", WHOLE, "the number of a cell: only solutions in which the piece covers it"),
)
NUMBER_OF = "of solutions, up to {}. Default: 50"

MethodT = TypeVar("MethodT", bound=Callable[..., Awaitable[Response]])


def request(
    method: str,
    path: str,
    answers: Schema | str,
    *,
    body: str = "",
    query: tuple[Query, ...] = (),
    status: int = 200,
) -> Callable[[MethodT], MethodT]:
    """Let a method answer these requests; its docstring is their documentation.

    body  the name of its schema in `BODIES`
    """

    def noted(answer: MethodT) -> MethodT:
        summary = " ".join((answer.__doc__ or "").split())
        sent = BODIES[body] if body else None
        vars(answer)["request"] = Documented(method, path, summary, answers, sent, query, status)
        return answer

    return noted


class Api:
    """The interface."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @classmethod
    def documented(cls) -> list[Documented]:
        """Every request, in the order of the documentation."""
        return [vars(one)["request"] for one in vars(cls).values() if _is_request(one)]

    def routes(self) -> list[Route]:
        """Every request with the method that answers it."""
        return [
            Route(f"/api{asked.path}", partial(one, self), methods=[asked.method])
            for one in vars(type(self)).values()
            if _is_request(one)
            for asked in [vars(one)["request"]]
        ]

    async def _ask(
        self,
        request: Request,
        question: str,
        given: dict[str, Any],
        *,
        desk: str = QUICK,
        cached: str = "",
    ) -> Response:
        return response(await self._service.ask(request, question, given, desk=desk), cached)

    def _puzzle(self, request: Request) -> dict[str, Any]:
        """The puzzle in the address, for a child."""
        return self._service.kept.given(request.path_params["puzzle"])

    # -- what there is --------------------------------------------------------------------------

    @request("GET", "/openapi.json", ANYTHING)
    async def openapi(self, request: Request) -> Response:
        """This document."""
        return as_json(document(self.documented(), self._service.limits))

    @request("GET", "/limits", ref("Limits"))
    async def limits(self, request: Request) -> Response:
        """The limits of the server."""
        return as_json(self._service.limits.public())

    @request("GET", "/lattices", many(ref("Lattice")))
    async def lattices(self, request: Request) -> Response:
        """The lattices, with boards and sets."""
        return response(await self._service.ask_once(request, "lattices", SHELF))

    @request("GET", "/shelf", many(ref("Shelved")))
    async def shelf(self, request: Request) -> Response:
        """The shipped puzzles."""
        return response(await self._service.ask_once(request, "shelf", SHELF))

    @request("GET", "/shelf/{lattice}/{name}", ref("Puzzle"))
    async def shelved(self, request: Request) -> Response:
        """A shipped puzzle."""
        return await self._ask(request, "shelved", {"name": shelved(request)})

    @request("GET", "/shelf/{lattice}/{name}/picture.svg", SVG, query=(DARK,))
    async def thumbnail(self, request: Request) -> Response:
        """A small picture of a shipped puzzle."""
        given = {"name": shelved(request), "theme": theme(request)}
        return await self._ask(request, "thumbnail", given, cached=AN_HOUR)

    # -- puzzles --------------------------------------------------------------------------------

    @request("POST", "/puzzles", ref("Read"), body="file")
    async def read(self, request: Request) -> Response:
        """Read a file of any format."""
        body = body_of(await request.body())
        name = checked(body.get("name", ""), "name", str, "the name of a file")[:200]
        given = {"name": name}
        if ("text" in body) == ("base64" in body):
            raise Refusal(400, "give the puzzle as text, or as base64 of the bytes of a file")
        key = "text" if "text" in body else "base64"
        given[key] = checked(body[key], key, str, "a text")
        return await self._ask(request, "read", given)

    @request("POST", "/draft", ref("Puzzle"), body="draft")
    async def draft(self, request: Request) -> Response:
        """Make a puzzle of cells and pieces."""
        return await self._ask(request, "draft", {"draft": body_of(await request.body())})

    @request("GET", "/puzzles/{puzzle}", ref("Puzzle"))
    async def describe(self, request: Request) -> Response:
        """A puzzle."""
        return await self._ask(request, "describe", self._puzzle(request))

    @request("GET", "/puzzles/{puzzle}/check", ref("Check"))
    async def check(self, request: Request) -> Response:
        """Its sizes, and a simple proof that it has no solution."""
        return await self._ask(request, "check", self._puzzle(request), desk=SLOW)

    @request("GET", "/puzzles/{puzzle}/picture.svg", SVG, query=(DARK,))
    async def picture(self, request: Request) -> Response:
        """Its picture."""
        given = self._puzzle(request) | {"theme": theme(request)}
        return await self._ask(request, "picture", given, cached=AN_HOUR)

    @request("GET", "/puzzles/{puzzle}/view.json", ANYTHING)
    async def view(self, request: Request) -> Response:
        """The data that the modules of `view` read."""
        return await self._ask(request, "view", self._puzzle(request))

    @request(
        "GET", "/puzzles/{puzzle}/estimate", ref("Estimate"),
        query=(("seconds", NUMBER, "that it may take. Default: 2"),
               ("strategy", TEXT, "of the search. Default: chosen for the puzzle")),
    )  # fmt: skip
    async def estimate(self, request: Request) -> Response:
        """How large a search is."""
        query = request.query_params
        most = max(1.0, self._service.limits.question - 2.0)
        seconds = number(query.get("seconds", "2"), "seconds", 0.1, most)
        given = {"seconds": seconds, "strategy": query.get("strategy") or None}
        return await self._ask(request, "estimate", self._puzzle(request) | given, desk=SLOW)

    @request(
        "GET", "/puzzles/{puzzle}/places", many(many(WHOLE)),
        query=(("piece", TEXT, "the name of the piece"),
               ("cell", WHOLE, "only places that cover this cell. Default: all places")),
    )  # fmt: skip
    async def places(self, request: Request) -> Response:
        """Where a piece can lie."""
        query, given = request.query_params, self._puzzle(request)
        cell = query.get("cell")
        given["piece"] = query.get("piece", "")
        given["cell"] = None if cell is None else whole(cell, "cell", 0, FOR_EVER)
        return await self._ask(request, "places", given, desk=AID)

    @request(
        "GET", "/strategies", many(ref("Strategy")), query=(("puzzle", TEXT, "its id"),)
    )  # fmt: skip
    async def strategies(self, request: Request) -> Response:
        """Strategies for a puzzle, the automatic choice first."""
        given = self._service.kept.given(request.query_params.get("puzzle", ""))
        return await self._ask(request, "strategies", given, desk=SLOW)

    @request(
        "GET", "/sets/{name}", many(ref("Shape")),
        query=(("lattice", TEXT, "of the pieces. Default: the usual one"),),
    )  # fmt: skip
    async def set(self, request: Request) -> Response:
        """The pieces of a set."""
        name, lattice = request.path_params["name"], request.query_params.get("lattice")
        given = {"name": name[:80], "lattice": lattice and lattice[:40]}
        return await self._ask(request, "set", given)

    @request(
        "GET", "/boards/{lattice}", ref("Board"),
        query=(("shape", TEXT, "a region in words, such as 10x6 or hexagon 3"),
               ("around", TEXT, "the id of a puzzle: the box around its cells instead"),
               ("margin", WHOLE, "cells around that box. Default: 1")),
    )  # fmt: skip
    async def board(self, request: Request) -> Response:
        """Cells to draw on."""
        query = request.query_params
        given: dict[str, Any] = {"lattice": request.path_params["lattice"][:40]}
        if around := query.get("around"):
            given["around"] = self._service.kept.given(around)
            given["margin"] = whole(query.get("margin", "1"), "margin", 0, 20)
        else:
            given["shape"] = query.get("shape", "")[:80]
        return await self._ask(request, "board", given)

    # -- runs -----------------------------------------------------------------------------------

    def _run(self, request: Request) -> Run:
        return self._service.runs.run(request.path_params["run"])

    @request("GET", "/runs", many(ref("Run")))
    async def runs(self, request: Request) -> Response:
        """All runs."""
        return as_json([run.record() for run in self._service.runs])

    @request("POST", "/runs", ref("Run"), body="run", status=202)
    async def start(self, request: Request) -> Response:
        """Start a run."""
        service = self._service
        body = body_of(await request.body())
        given = service.kept.given(checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle"))
        task = run_task(body, service.limits)
        service.runs.check_room()
        about = {**given, "strategy": task["strategy"]}
        answer = await service.ask(request, "about", about)
        if answer.status != 200:
            return response(answer)
        run = service.runs.begin(given["id"], given["text"], json.loads(answer.body), task)
        return as_json(run.record(), 202)

    @request("GET", "/runs/{run}", ref("Run"))
    async def run(self, request: Request) -> Response:
        """A run."""
        return as_json(self._run(request).record())

    @request("DELETE", "/runs/{run}", ref("Run"))
    async def stop(self, request: Request) -> Response:
        """Stop a run; forget one that has ended (204)."""
        run = self._run(request)
        if run.over:
            self._service.runs.forget(run)
            return Response(status_code=204)
        await self._service.runs.stop(run)
        return as_json(run.record())

    @request("GET", "/runs/{run}/events", STREAM)
    async def events(self, request: Request) -> Response:
        """The run as server-sent events: progress (a Progress), solution (a Solution), end (a
        Progress)."""
        last = request.headers.get("last-event-id", "0")
        seen = int(last) if last.isdecimal() and len(last) < 10 else 0
        return Listening(self._service, events(self._run(request), seen))

    @request(
        "GET", "/runs/{run}/solutions", ref("Solutions"),
        query=(FROM, ("number", WHOLE, NUMBER_OF.format(500)), *FILTERS),
    )  # fmt: skip
    async def solutions(self, request: Request) -> Response:
        """Solutions that are kept."""
        found = chosen(self._run(request), request)
        start, count = window(request)
        shown = [one.record() for one in found[start : start + count]]
        return as_json({"total": len(found), "solutions": shown})

    @request(
        "GET", "/runs/{run}/sheet.svg", SVG,
        query=(FROM, ("number", WHOLE, NUMBER_OF.format(200)), *FILTERS, DARK),
    )  # fmt: skip
    async def sheet(self, request: Request) -> Response:
        """Solutions on one sheet."""
        run = self._run(request)
        start, count = window(request, most=200)
        found = chosen(run, request)[start : start + count]
        if not found:
            raise Refusal(404, "there is no solution to draw")
        given = {
            "id": run.puzzle,
            "text": run.text,
            "theme": theme(request),
            "options": [one.options.tolist() for one in found],
        }
        return await self._ask(request, "sheet", given, desk=SLOW)

    @request("GET", "/runs/{run}/solutions/{index}/picture.svg", SVG, query=(DARK,))
    async def picture_of_solution(self, request: Request) -> Response:
        """A solution."""
        given = self._solution(request) | {"theme": theme(request)}
        return await self._ask(request, "picture_solution", given)

    @request("GET", "/runs/{run}/solutions/{index}/view.json", ANYTHING)
    async def view_of_solution(self, request: Request) -> Response:
        """The data of a solution that the modules of `view` read."""
        return await self._ask(request, "view_solution", self._solution(request))

    @request(
        "GET", "/runs/{run}/solutions/{index}/export", FILE,
        query=(("format", {"enum": [*FORMATS]}, "Default: svg"),),
    )  # fmt: skip
    async def export(self, request: Request) -> Response:
        """A solution as a file."""
        form = request.query_params.get("format", "svg")
        if form not in FORMATS:
            raise Refusal(400, f"format={form[:20]!r}: it must be one of {', '.join(FORMATS)}")
        given = self._solution(request) | {"format": form}
        return await self._ask(request, "export", given, desk=SLOW)

    def _solution(self, request: Request) -> dict[str, Any]:
        """A solution of a run, for a child."""
        run = self._run(request)
        index = whole(request.path_params["index"], "the number of the solution", 0, FOR_EVER)
        options = [run.solution(index).options.tolist()]
        return {"id": run.puzzle, "text": run.text, "options": options, "index": index}

    # -- play -----------------------------------------------------------------------------------

    @request("POST", "/aid", ref("Aid"), body="aid")
    async def aid(self, request: Request) -> Response:
        """How many solutions are left with some pieces placed."""
        return await self._aided(request, "aid")

    @request("POST", "/aid/hint", ref("Hint"), body="aid")
    async def hint(self, request: Request) -> Response:
        """A next step: a placement to add or to take back."""
        return await self._aided(request, "hint")

    async def _aided(self, request: Request, question: str) -> Response:
        body, most = body_of(await request.body()), self._service.limits.question
        given = self._service.kept.given(
            checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle")
        )
        seconds = checked(body.get("seconds", 1), "seconds", (int, float), "a number")
        if not 0 <= seconds <= most:
            raise Refusal(400, f"seconds: 0 to {most:g} are allowed")
        seconds = min(float(seconds), most - 1.0)
        given["asked"] = {"placed": body.get("placed", []), "seconds": seconds}
        return await self._ask(request, question, given, desk=AID)


def _is_request(member: object) -> bool:
    return callable(member) and "request" in getattr(member, "__dict__", {})


# -- answers --------------------------------------------------------------------------------------


def response(answer: Answer, cached: str = "") -> Response:
    """The answer of a child; `cached`: how long a browser may keep it."""
    headers = {"Cache-Control": cached} if cached and answer.status == 200 else {}
    if answer.name:
        headers["Content-Disposition"] = f'attachment; filename="{answer.name}"'
    return Response(answer.body, answer.status, headers, answer.kind)


def as_json(value: object, status: int = 200) -> Response:
    """A value as JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode(), status, media_type=JSON)


class Listening(StreamingResponse):
    """A stream of events. Its place is taken when it is made, and free when it is sent, however
    that ends; so of many requests at once no more are accepted than there are places."""

    def __init__(self, service: Service, stream: AsyncIterator[bytes]) -> None:
        if service.listeners >= service.limits.listeners:
            raise Refusal(503, f"{service.listeners} pages listen already: close some of them")
        super().__init__(stream, media_type=STREAM)
        self._service = service
        service.listeners += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._service.listeners -= 1


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    wait = {"Retry-After": "5"} if error.status in (429, 503) else {}
    return Response(error.body, error.status, wait, JSON)


async def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path[:80]
    message = f"there is nothing at {path!r}; /api/openapi.json says what there is"
    if error.status_code == 405:
        message = f"{request.method} is not for {path!r}; /api/openapi.json says what is"
    body = Refusal(error.status_code, message).body
    return Response(body, error.status_code, error.headers, JSON)


async def _mistaken(request: Request, error: Exception) -> Response:
    getLogger(__name__).error("a mistake in the server", exc_info=error)
    refusal = Refusal(500, "the server has made a mistake; its terminal says which")
    return Response(refusal.body, 500, None, JSON)


def application(service: Service) -> Starlette:
    """The application: the interface and the files of the page."""
    routes = [*Api(service).routes(), Route("/{path:path}", Pages().file, methods=["GET"])]
    faults = {Refusal: _refused, HTTPException: _unknown, Exception: _mistaken}
    return Starlette(routes=routes, exception_handlers=faults)
