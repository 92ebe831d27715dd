"""The addresses of the interface, and what answers each; `openapi` documents them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from exactcover.serving.events import events
from exactcover.serving.files import File, all_files
from exactcover.serving.messages import JSON, Answer
from exactcover.serving.openapi import document
from exactcover.serving.refusals import Refusal, told
from exactcover.serving.searches import Run
from exactcover.serving.service import AID, SLOW, Service, body_of, checked, number, whole

WHATS = ("all", "first", "count", "sample")
COUNTED = ("rotations", "reflections", "all")
FORMATS = ("svg", "stl", "json", "txt")

SHELF = 60.0
"""Seconds that reading all shipped puzzles may take."""

NUMBER = int, float

FOR_EVER, AN_HOUR = 1 << 31, "private, max-age=3600"

Handler = Callable[[Request], Awaitable[Response]]


def application(service: Service) -> Starlette:
    """The application: the interface and the files of the page."""
    api = Api(service)
    routes = [
        Route(f"/api{path}", handler, methods=[*methods]) for path, methods, handler in api.table()
    ]
    pages = Pages(all_files())
    routes.append(Route("/{path:path}", pages.file, methods=["GET"]))
    return Starlette(routes=routes, exception_handlers={Refusal: _refused, HTTPException: _unknown})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    wait = {"Retry-After": "5"} if error.status in (429, 503) else {}
    return Response(told(error.message), error.status, wait, JSON)


async def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path[:80]
    message = f"there is nothing at {path!r}; /api/openapi.json says what there is"
    if error.status_code == 405:
        message = f"{request.method} is not for {path!r}; /api/openapi.json says what is"
    return Response(told(message), error.status_code, error.headers, JSON)


class Pages:
    """The files of the page."""

    def __init__(self, files: dict[str, File]) -> None:
        self._files = files

    async def file(self, request: Request) -> Response:
        """A file by its address."""
        file = self._files.get(request.url.path)
        if file is None:
            raise HTTPException(404)
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        if file.policy:
            headers["Content-Security-Policy"] = file.policy
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.body, headers=headers, media_type=file.kind)


def _response(answer: Answer, cached: str = "") -> Response:
    headers = {"Cache-Control": cached} if cached and answer.status == 200 else {}
    if answer.name:
        headers["Content-Disposition"] = f'attachment; filename="{answer.name}"'
    return Response(answer.body, answer.status, headers, answer.kind)


def _json(value: object, status: int = 200) -> Response:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode(), status, media_type=JSON)


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
        return _json(document(self._service.limits))

    async def limits(self, request: Request) -> Response:
        """The limits of this server."""
        return _json(self._service.limits.public())

    async def lattices(self, request: Request) -> Response:
        """The lattices, with their boards and sets."""
        return _response(await self._service.ask_once(request, "lattices", {}, "lattices", SHELF))

    async def shelf(self, request: Request) -> Response:
        """The shipped puzzles."""
        return _response(await self._service.ask_once(request, "shelf", {}, "shelf", SHELF))

    async def shelved(self, request: Request) -> Response:
        """A shipped puzzle."""
        return _response(await self._service.ask(request, "shelved", {"name": _shelved(request)}))

    async def thumbnail(self, request: Request) -> Response:
        """The picture of a shipped puzzle."""
        given = {"name": _shelved(request), "theme": _theme(request)}
        answer = await self._service.ask(request, "thumbnail", given)
        return _response(answer, AN_HOUR)

    async def strategies(self, request: Request) -> Response:
        """Strategies for a puzzle."""
        digest = request.query_params.get("puzzle", "")
        given = {"id": digest, "text": self._service.kept.text(digest)}
        return _response(await self._service.ask(request, "strategies", given, desk=SLOW))

    async def set(self, request: Request) -> Response:
        """The pieces of a set."""
        name, lattice = request.path_params["name"], request.query_params.get("lattice")
        given = {"name": name[:80], "lattice": lattice and lattice[:40]}
        return _response(await self._service.ask(request, "set", given))

    async def board(self, request: Request) -> Response:
        """Cells to draw on."""
        query = request.query_params
        given: dict[str, Any] = {"lattice": request.path_params["lattice"][:40]}
        if around := query.get("around"):
            given["around"] = {"id": around, "text": self._service.kept.text(around)}
            given["margin"] = whole(query.get("margin", "1"), "margin", 0, 20)
        else:
            given["shape"] = query.get("shape", "")[:80]
        return _response(await self._service.ask(request, "board", given))

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
        return _response(await self._service.ask(request, "read", given))

    async def draft(self, request: Request) -> Response:
        """Make a puzzle of what was drawn."""
        given = {"draft": body_of(await request.body())}
        return _response(await self._service.ask(request, "draft", given))

    def of_puzzle(self, question: str, desk: str = "quick") -> Handler:
        """Something about a puzzle."""

        async def answer(request: Request) -> Response:
            given = await self._service.puzzle(request)
            return _response(await self._service.ask(request, question, given, desk=desk))

        return answer

    async def picture(self, request: Request) -> Response:
        """The picture of a puzzle."""
        given = await self._service.puzzle(request) | {"theme": _theme(request)}
        return _response(await self._service.ask(request, "picture", given), AN_HOUR)

    async def estimate(self, request: Request) -> Response:
        """The size of a search."""
        query = request.query_params
        most = max(1.0, self._service.limits.question - 2.0)
        seconds = number(query.get("seconds", "2"), "seconds", 0.1, most)
        given = await self._service.puzzle(request)
        given |= {"seconds": seconds, "strategy": query.get("strategy") or None}
        return _response(await self._service.ask(request, "estimate", given, desk=SLOW))

    async def places(self, request: Request) -> Response:
        """Where a piece can lie."""
        query, given = request.query_params, await self._service.puzzle(request)
        cell = query.get("cell")
        given["piece"] = query.get("piece", "")
        given["cell"] = None if cell is None else whole(cell, "cell", 0, FOR_EVER)
        return _response(await self._service.ask(request, "places", given, desk=AID))

    def aided(self, question: str) -> Handler:
        """Aid for who solves a puzzle by hand."""

        async def answer(request: Request) -> Response:
            body = body_of(await request.body())
            digest = checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle")
            given = {"id": digest, "text": self._service.kept.text(digest)}
            seconds = checked(body.get("seconds", 1), "seconds", NUMBER, "a number")
            seconds = min(max(float(seconds), 0.0), self._service.limits.question - 1.0)
            given["asked"] = {"placed": body.get("placed", []), "seconds": seconds}
            return _response(await self._service.ask(request, question, given, desk=AID))

        return answer

    # -- runs -----------------------------------------------------------------------------------

    def _run(self, request: Request) -> Run:
        return self._service.searches.run(request.path_params["run"])

    async def runs(self, request: Request) -> Response:
        """The runs; or a new one."""
        service = self._service
        if request.method != "POST":
            return _json([run.said() for run in service.searches])
        body = body_of(await request.body())
        digest = checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle")
        text = service.kept.text(digest)
        task = _task(body, service)
        service.searches.check_room()
        given = {"id": digest, "text": text, "strategy": task["strategy"]}
        answer = await service.ask(request, "about", given)
        if answer.status != 200:
            return _response(answer)
        return _json(
            service.searches.begin(digest, text, json.loads(answer.body), task).said(), 202
        )

    async def run(self, request: Request) -> Response:
        """A run; DELETE stops it, and forgets one that has ended."""
        run = self._run(request)
        if request.method != "DELETE":
            return _json(run.said())
        if run.over:
            self._service.searches.forget(run)
            return Response(status_code=204)
        await self._service.searches.stop(run)
        return _json(run.said())

    async def events(self, request: Request) -> Response:
        """A run as it goes on."""
        run, service = self._run(request), self._service
        if service.listeners >= service.limits.listeners:
            raise Refusal(503, f"{service.listeners} pages listen already: close some of them")
        last = request.headers.get("last-event-id", "0")
        seen = int(last) if last.isdecimal() and len(last) < 10 else 0

        async def listened() -> AsyncIterator[bytes]:
            service.listeners += 1
            try:
                async for event in events(run, seen):
                    yield event
            finally:
                service.listeners -= 1

        return StreamingResponse(listened(), media_type="text/event-stream")

    async def solutions(self, request: Request) -> Response:
        """Solutions of a run, as many as are wanted."""
        found = _chosen(self._run(request), request)
        start, many = _window(request)
        return _json(
            {"total": len(found), "solutions": [one.said() for one in found[start : start + many]]}
        )

    async def sheet(self, request: Request) -> Response:
        """Solutions of a run on one sheet."""
        run = self._run(request)
        start, many = _window(request, most=200)
        found = _chosen(run, request)[start : start + many]
        if not found:
            raise Refusal(404, "there is no solution to draw")
        given = self._found(run) | {
            "theme": _theme(request),
            "options": [one.options.tolist() for one in found],
            "names": [str(one.index + 1) for one in found],
        }
        return _response(await self._service.ask(request, "sheet", given, desk=SLOW))

    def solution(self, question: str) -> Handler:
        """A picture of a solution, or what turns it."""

        async def answer(request: Request) -> Response:
            given = self._one(request) | {"theme": _theme(request)}
            return _response(await self._service.ask(request, f"{question}_solution", given))

        return answer

    async def export(self, request: Request) -> Response:
        """A solution as a file."""
        form = request.query_params.get("format", "svg")
        if form not in FORMATS:
            raise Refusal(400, f"format={form[:20]!r}: it must be one of {', '.join(FORMATS)}")
        given = self._one(request) | {"format": form}
        return _response(await self._service.ask(request, "export", given, desk=SLOW))

    def _found(self, run: Run) -> dict[str, Any]:
        """The puzzle of a run, for a child."""
        return {"id": run.puzzle, "text": self._service.kept.text(run.puzzle)}

    def _one(self, request: Request) -> dict[str, Any]:
        """A solution of a run, for a child."""
        run = self._run(request)
        index = whole(request.path_params["index"], "the number of the solution", 0, FOR_EVER)
        found = run.solution(index)
        return self._found(run) | {"options": [found.options.tolist()], "index": index}


def _shelved(request: Request) -> str:
    return f"{request.path_params['lattice'][:60]}/{request.path_params['name'][:100]}"


def _theme(request: Request) -> str:
    return {"1": "dark", "0": "light"}.get(request.query_params.get("dark", ""), "auto")


def _window(request: Request, most: int = 500) -> tuple[int, int]:
    query = request.query_params
    start = whole(query.get("from", "0"), "from", 0, FOR_EVER)
    return start, whole(query.get("number", "50"), "number", 1, most)


def _chosen(run: Run, request: Request) -> list[Any]:
    query = request.query_params
    wish, cell = query.get("symmetric", ""), query.get("cell") or None
    if wish not in ("", "0", "1", "true", "false"):
        raise Refusal(400, f"symmetric={wish[:20]!r}: it must be 0 or 1")
    symmetric = None if wish == "" else wish in ("1", "true")
    at = None if cell is None else whole(cell, "cell", 0, FOR_EVER)
    return run.chosen(symmetric, query.get("piece") or None, at)


def _task(body: dict[str, Any], service: Service) -> dict[str, Any]:
    """What a new run is to do, checked."""
    limits = service.limits
    what, unique = body.get("what", "all"), body.get("unique", "rotations")
    if what not in WHATS:
        raise Refusal(400, f"what: it must be one of {', '.join(WHATS)}")
    if unique not in COUNTED:
        raise Refusal(400, f"unique: it must be one of {', '.join(COUNTED)}")
    strategy = body.get("strategy") or None
    if strategy is not None:
        strategy = checked(strategy, "strategy", str, "the text of a strategy")[:500]
    limit = body.get("limit")
    if limit is not None and checked(limit, "limit", int, "a whole number") < 1:
        raise Refusal(400, f"limit: {limit} is less than 1")
    seconds = body.get("seconds")
    seconds = limits.seconds if seconds is None else checked(seconds, "seconds", NUMBER, "a number")
    if not 0 < seconds <= limits.seconds:
        raise Refusal(400, f"seconds: it must be more than 0, and at most {limits.seconds:g}")
    seed = body.get("seed")
    if seed is not None and not 0 <= checked(seed, "seed", int, "a whole number") < 1 << 31:
        raise Refusal(400, f"seed: {seed} is not a whole number from 0 to 2^31 - 1")
    return {
        "what": what,
        "unique": unique,
        "strategy": strategy,
        "limit": limit,
        "seconds": float(seconds),
        "seed": seed,
        "keep": limits.solutions,
        "bytes": limits.found,
        "mib": limits.mib,
    }
