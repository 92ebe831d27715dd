"""The addresses of the interface, and what answers each; `openapi` documents them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from exactcover.serving.asked import (
    FOR_EVER,
    NUMBER,
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
from exactcover.serving.events import events
from exactcover.serving.files import all_files
from exactcover.serving.openapi import document
from exactcover.serving.refusals import Refusal
from exactcover.serving.searches import Run
from exactcover.serving.sending import FAULTS, Pages, as_json, response
from exactcover.serving.service import AID, SLOW, Service

FORMATS = ("svg", "stl", "json", "txt")

SHELF = 60.0
"""Seconds that reading all shipped puzzles may take."""


AN_HOUR = "private, max-age=3600"

Handler = Callable[[Request], Awaitable[Response]]


class Listening(StreamingResponse):
    """A stream of events. Its place is taken when it is made, and free when it is sent, however
    that ends; so of many requests at once no more are accepted than there are places."""

    def __init__(self, service: Service, told: AsyncIterator[bytes]) -> None:
        if service.listeners >= service.limits.listeners:
            raise Refusal(503, f"{service.listeners} pages listen already: close some of them")
        super().__init__(told, media_type="text/event-stream")
        self._service = service
        service.listeners += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._service.listeners -= 1


def application(service: Service) -> Starlette:
    """The application: the interface and the files of the page."""
    api = Api(service)
    routes = [
        Route(f"/api{path}", handler, methods=[*methods]) for path, methods, handler in api.table()
    ]
    pages = Pages(all_files())
    routes.append(Route("/{path:path}", pages.file, methods=["GET"]))
    return Starlette(routes=routes, exception_handlers=FAULTS)


class Api:
    """The interface: a method for each address."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def table(self) -> list[tuple[str, tuple[str, ...], Handler]]:
        """Each address with its methods and what answers it."""
        get, post = ("GET",), ("POST",)
        return [
            ("/openapi.json", get, self.openapi),
            ("/limits", get, self.limits),
            ("/lattices", get, self.lattices),
            ("/shelf", get, self.shelf),
            ("/shelf/{lattice}/{name}", get, self.shelved),
            ("/shelf/{lattice}/{name}/picture.svg", get, self.thumbnail),
            ("/puzzles", post, self.read),
            ("/draft", post, self.draft),
            ("/puzzles/{puzzle}", get, self.of_puzzle("describe")),
            ("/puzzles/{puzzle}/check", get, self.of_puzzle("check", desk=SLOW)),
            ("/puzzles/{puzzle}/picture.svg", get, self.picture),
            ("/puzzles/{puzzle}/view.json", get, self.of_puzzle("view")),
            ("/puzzles/{puzzle}/estimate", get, self.estimate),
            ("/puzzles/{puzzle}/places", get, self.places),
            ("/strategies", get, self.strategies),
            ("/sets/{name}", get, self.set),
            ("/boards/{lattice}", get, self.board),
            ("/runs", ("GET", "POST"), self.runs),
            ("/runs/{run}", ("GET", "DELETE"), self.run),
            ("/runs/{run}/events", get, self.events),
            ("/runs/{run}/solutions", get, self.solutions),
            ("/runs/{run}/sheet.svg", get, self.sheet),
            ("/runs/{run}/solutions/{index}/picture.svg", get, self.solution("picture")),
            ("/runs/{run}/solutions/{index}/view.json", get, self.solution("view")),
            ("/runs/{run}/solutions/{index}/export", get, self.export),
            ("/aid", post, self.aided("aid")),
            ("/aid/hint", post, self.aided("hint")),
        ]

    # -- what there is --------------------------------------------------------------------------

    async def openapi(self, request: Request) -> Response:
        """The documentation of the interface."""
        return as_json(document(self._service.limits))

    async def limits(self, request: Request) -> Response:
        """The limits of this server."""
        return as_json(self._service.limits.public())

    async def lattices(self, request: Request) -> Response:
        """The lattices, with their boards and sets."""
        return response(await self._service.ask_once(request, "lattices", {}, "lattices", SHELF))

    async def shelf(self, request: Request) -> Response:
        """The shipped puzzles."""
        return response(await self._service.ask_once(request, "shelf", {}, "shelf", SHELF))

    async def shelved(self, request: Request) -> Response:
        """A shipped puzzle."""
        return response(await self._service.ask(request, "shelved", {"name": shelved(request)}))

    async def thumbnail(self, request: Request) -> Response:
        """The picture of a shipped puzzle."""
        given = {"name": shelved(request), "theme": theme(request)}
        answer = await self._service.ask(request, "thumbnail", given)
        return response(answer, AN_HOUR)

    async def strategies(self, request: Request) -> Response:
        """Strategies for a puzzle."""
        digest = request.query_params.get("puzzle", "")
        given = {"id": digest, "text": self._service.kept.text(digest)}
        return response(await self._service.ask(request, "strategies", given, desk=SLOW))

    async def set(self, request: Request) -> Response:
        """The pieces of a set."""
        name, lattice = request.path_params["name"], request.query_params.get("lattice")
        given = {"name": name[:80], "lattice": lattice and lattice[:40]}
        return response(await self._service.ask(request, "set", given))

    async def board(self, request: Request) -> Response:
        """Cells to draw on."""
        query = request.query_params
        given: dict[str, Any] = {"lattice": request.path_params["lattice"][:40]}
        if around := query.get("around"):
            given["around"] = {"id": around, "text": self._service.kept.text(around)}
            given["margin"] = whole(query.get("margin", "1"), "margin", 0, 20)
        else:
            given["shape"] = query.get("shape", "")[:80]
        return response(await self._service.ask(request, "board", given))

    # -- puzzles --------------------------------------------------------------------------------

    async def read(self, request: Request) -> Response:
        """Read a file with puzzles."""
        body = body_of(await request.body())
        name = checked(body.get("name", ""), "name", str, "the name of a file")[:200]
        given = {"name": name}
        if ("text" in body) == ("base64" in body):
            raise Refusal(400, "give the puzzle as text, or as base64 of the bytes of a file")
        key = "text" if "text" in body else "base64"
        given[key] = checked(body[key], key, str, "a text")
        return response(await self._service.ask(request, "read", given))

    async def draft(self, request: Request) -> Response:
        """Make a puzzle of what was drawn."""
        given = {"draft": body_of(await request.body())}
        return response(await self._service.ask(request, "draft", given))

    def of_puzzle(self, question: str, desk: str = "quick") -> Handler:
        """Something about a puzzle."""

        async def answer(request: Request) -> Response:
            given = await self._service.puzzle(request)
            return response(await self._service.ask(request, question, given, desk=desk))

        return answer

    async def picture(self, request: Request) -> Response:
        """The picture of a puzzle."""
        given = await self._service.puzzle(request) | {"theme": theme(request)}
        return response(await self._service.ask(request, "picture", given), AN_HOUR)

    async def estimate(self, request: Request) -> Response:
        """The size of a search."""
        query = request.query_params
        most = max(1.0, self._service.limits.question - 2.0)
        seconds = number(query.get("seconds", "2"), "seconds", 0.1, most)
        given = await self._service.puzzle(request)
        given |= {"seconds": seconds, "strategy": query.get("strategy") or None}
        return response(await self._service.ask(request, "estimate", given, desk=SLOW))

    async def places(self, request: Request) -> Response:
        """Where a piece can lie."""
        query, given = request.query_params, await self._service.puzzle(request)
        cell = query.get("cell")
        given["piece"] = query.get("piece", "")
        given["cell"] = None if cell is None else whole(cell, "cell", 0, FOR_EVER)
        return response(await self._service.ask(request, "places", given, desk=AID))

    def aided(self, question: str) -> Handler:
        """Aid for who solves a puzzle by hand."""

        async def answer(request: Request) -> Response:
            body = body_of(await request.body())
            digest = checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle")
            given = {"id": digest, "text": self._service.kept.text(digest)}
            seconds = checked(body.get("seconds", 1), "seconds", NUMBER, "a number")
            if not 0 <= seconds <= self._service.limits.question:
                raise Refusal(400, f"seconds: 0 to {self._service.limits.question:g} are allowed")
            seconds = min(float(seconds), self._service.limits.question - 1.0)
            given["asked"] = {"placed": body.get("placed", []), "seconds": seconds}
            return response(await self._service.ask(request, question, given, desk=AID))

        return answer

    # -- runs -----------------------------------------------------------------------------------

    def _run(self, request: Request) -> Run:
        return self._service.searches.run(request.path_params["run"])

    async def runs(self, request: Request) -> Response:
        """The runs; or a new one."""
        service = self._service
        if request.method != "POST":
            return as_json([run.said() for run in service.searches])
        body = body_of(await request.body())
        digest = checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle")
        text = service.kept.text(digest)
        task = run_task(body, service.limits)
        service.searches.check_room()
        given = {"id": digest, "text": text, "strategy": task["strategy"]}
        answer = await service.ask(request, "about", given)
        if answer.status != 200:
            return response(answer)
        return as_json(
            service.searches.begin(digest, text, json.loads(answer.body), task).said(), 202
        )

    async def run(self, request: Request) -> Response:
        """A run; DELETE stops it, and forgets one that has ended."""
        run = self._run(request)
        if request.method != "DELETE":
            return as_json(run.said())
        if run.over:
            self._service.searches.forget(run)
            return Response(status_code=204)
        await self._service.searches.stop(run)
        return as_json(run.said())

    async def events(self, request: Request) -> Response:
        """A run as it goes on."""
        last = request.headers.get("last-event-id", "0")
        seen = int(last) if last.isdecimal() and len(last) < 10 else 0
        return Listening(self._service, events(self._run(request), seen))

    async def solutions(self, request: Request) -> Response:
        """Solutions of a run, as many as are wanted."""
        found = chosen(self._run(request), request)
        start, many = window(request)
        return as_json(
            {"total": len(found), "solutions": [one.said() for one in found[start : start + many]]}
        )

    async def sheet(self, request: Request) -> Response:
        """Solutions of a run on one sheet."""
        run = self._run(request)
        start, many = window(request, most=200)
        found = chosen(run, request)[start : start + many]
        if not found:
            raise Refusal(404, "there is no solution to draw")
        given = self._found(run) | {
            "theme": theme(request),
            "options": [one.options.tolist() for one in found],
            "names": [str(one.index + 1) for one in found],
        }
        return response(await self._service.ask(request, "sheet", given, desk=SLOW))

    def solution(self, question: str) -> Handler:
        """A picture of a solution, or what turns it."""

        async def answer(request: Request) -> Response:
            given = self._one(request) | {"theme": theme(request)}
            return response(await self._service.ask(request, f"{question}_solution", given))

        return answer

    async def export(self, request: Request) -> Response:
        """A solution as a file."""
        form = request.query_params.get("format", "svg")
        if form not in FORMATS:
            raise Refusal(400, f"format={form[:20]!r}: it must be one of {', '.join(FORMATS)}")
        given = self._one(request) | {"format": form}
        return response(await self._service.ask(request, "export", given, desk=SLOW))

    def _found(self, run: Run) -> dict[str, Any]:
        """The puzzle of a run, for a child."""
        return {"id": run.puzzle, "text": run.text}

    def _one(self, request: Request) -> dict[str, Any]:
        """A solution of a run, for a child."""
        run = self._run(request)
        index = whole(request.path_params["index"], "the number of the solution", 0, FOR_EVER)
        found = run.solution(index)
        return self._found(run) | {"options": [found.options.tolist()], "index": index}
