"""The JSON interface: what is read of each request, and a table of what answers it.

Most requests are a question to a child: `ask` makes the answer of those. The others are answered
by a function here.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict, dataclass
from inspect import isawaitable
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from exactcover.app.serving import PNG, SVG, Answer, Bounds, Refusal
from exactcover.app.serving.children import Questions
from exactcover.app.serving.runs import KeptSolution, PageRun, Runs, events
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_choice, check_kind, is_whole, wrong

AN_HOUR = "private, max-age=3600"

FORMATS = "svg", "json", "txt"
WHATS = "all", "first", "count", "sample"
COUNTED = get_args(Convention)

MANY = 10**12
"""The largest limit of solutions."""

FOR_EVER = 1 << 31

MOST_LISTED, MOST_DRAWN = 500, 200
"""The most solutions of a run that one answer has, and one sheet."""

Given = dict[str, Any]


def check_number(name: str, value: object, low: float, high: float) -> None:
    """A number within bounds, or None; whole where the bounds are."""
    whole = is_whole(high)
    known = is_whole(value) or (isinstance(value, float) and not whole)
    if value is not None and not (known and low <= float(value) <= high):  # type: ignore[arg-type]
        raise wrong(name, value, f"a {'whole ' * whole}number from {low:,} to {high:,}")


def number(name: str, usual: float | None, low: float, high: float) -> Reading:
    """Reads a number in the query of an address."""

    def read(said: str | None) -> float | None:
        value: object = usual
        if said:
            try:
                value = int(said[:20]) if is_whole(high) else float(said[:20])
            except ValueError:
                value = said
        check_number(name, value, low, high)
        return value  # type: ignore[return-value]

    return read


# -- the query of an address ----------------------------------------------------------------------

Reading = Callable[[str | None], Any]
"""Checks a word in the query of an address, None if it is left out; its value."""


def _words(usual: str | None = None, most: int = 100) -> Reading:
    """A text, which is cut at `most` characters."""
    return lambda said: said[:most] if said else usual


def _format(said: str | None) -> str:
    check_choice("format", said, FORMATS)
    return said or "svg"


QUERY: dict[str, Reading] = {
    "dark": lambda said: {"1": "dark", "0": "light"}.get(said or "", "auto"),
    "seconds": number("seconds", 2.0, 0.1, 8.0),
    "strategy": _words(most=500),
    "lattice": _words(),
    "shape": _words(""),
    "margin": number("margin", 1, 0, 20),
    "format": _format,
    "from": number("from", 0, 0, FOR_EVER),
    "number": number("number", 50, 1, MOST_LISTED),
    "symmetric": lambda said: {"1": True, "0": False}.get(said or ""),
    "piece": _words(most=200),
    "cell": number("cell", None, 0, FOR_EVER),
}
"""The words in the query of an address, besides `puzzle` and `around`, ids of puzzles."""


# -- the body of a request ------------------------------------------------------------------------


async def body_of(request: Request) -> dict[str, Any]:
    """The object that a request holds."""
    try:
        value = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the request is not JSON: {error}") from None
    check_kind("the request", value, dict, "an object of JSON")
    return dict(value)


def file_of(body: dict[str, Any]) -> dict[str, Any]:
    """The file that a client sends: its name, and its text or its bytes."""
    given = {"name": "", **{key: body[key] for key in ("name", "text", "base64") if key in body}}
    if len(given) != 2:
        raise Refusal(400, "give the puzzle as text, or as base64 of the bytes of a file")
    for key, value in given.items():
        check_kind(key, value, str, "a text")
    return given | {"name": given["name"][:200]}


@dataclass(frozen=True)
class RunTask:
    """The task of a new run, as a client wishes it; None: as the server chooses."""

    what: str = "all"
    unique: str = "rotations"
    strategy: str | None = None
    limit: int | None = None
    seconds: float | None = None
    seed: int | None = None

    @classmethod
    def of(cls, body: dict[str, Any], limits: Bounds) -> dict[str, Any]:
        """The task for a child, with the limits of the server."""
        task = cls(**{name: body[name] for name in cls.__dataclass_fields__ if name in body})
        check_choice("what", task.what, WHATS, optional=False)
        check_choice("unique", task.unique, COUNTED, optional=False)
        check_kind("strategy", task.strategy or "", str, "the text of a strategy")
        check_number("limit", task.limit, 1, MANY)
        check_number("seconds", task.seconds, 0.001, float(limits.seconds))
        check_number("seed", task.seed, 0, FOR_EVER - 1)
        return asdict(task) | {
            "strategy": (task.strategy or "")[:500] or None,
            "seconds": float(task.seconds or limits.seconds),
            "keep": limits.solutions,
            "bytes": limits.found,
            "mib": limits.mib,
        }


# -- what answers ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Api:
    """The state behind the requests, the shipped puzzles, and their pictures by names."""

    questions: Questions
    runs: Runs
    shelf: list[dict[str, Any]]
    pictures: Mapping[str, bytes]

    @property
    def limits(self) -> Bounds:
        """The limits of the server."""
        return self.questions.limits

    def given(self, query: str, request: Request) -> Given:
        """The parameters of an address: a puzzle with its text, a run, and the rest as it is."""
        path, kept = request.path_params, self.questions.kept
        given: Given = {name: path[name][:100] for name in ("lattice", "name") if name in path}
        if "puzzle" in path:
            given |= kept.given(path["puzzle"])
        if "run" in path:
            run = self.runs.run(path["run"])
            given |= {"run": run}
            if "index" in path:
                index = path["index"]
                given |= _of_solutions(run, [run.solution(index)]) | {"index": index}
        for name in query.split():
            said = request.query_params.get(name)
            if name in QUERY:
                given[name] = QUERY[name](said)
            elif said or name == "puzzle":
                given |= kept.given(said or "")
        return given


Answering = Callable[[Api, Request, Given], Any]
"""The answer to a request, or what is awaited: a response, an `Answer` or a value for JSON."""


def ask(question: str, cached: str = "", body: str = "") -> Answering:
    """Let a child answer a question.

    question  the function that answers it: a module and a name in it
    cached    how long a browser may keep the answer
    body      what is sent to the child of the body of the request: "file", or all as this parameter
    """

    async def answer(api: Api, request: Request, given: Given) -> Response:
        sent = {name: value for name, value in given.items() if name != "run"}
        if body:
            said = await body_of(request)
            sent |= file_of(said) if body == "file" else {body: said}
        return response(await api.questions.ask(request, question, sent), cached)

    return answer


def shelf_picture(api: Api, request: Request, given: Given) -> Response:
    """The picture of a shipped puzzle; a coarse one, where there is one, is of a solution."""
    name = f"{given['lattice']}/{given['name']}"
    theme = "dark" if given["dark"] == "dark" else "light"
    ending = request.url.path.rpartition(".")[2]
    file = api.pictures.get(f"{name}-{theme}.{ending}")
    if file is None:
        raise Refusal(404, f"no shipped puzzle called {name!r} has a picture of this kind")
    return Response(
        file, headers={"Cache-Control": AN_HOUR}, media_type=PNG if ending == "png" else SVG
    )


# -- runs -----------------------------------------------------------------------------------------


async def start(api: Api, request: Request, given: Given) -> Answer:
    body = await body_of(request)
    check_kind("puzzle", body.get("puzzle"), str, "the id of a puzzle")
    puzzle = api.questions.kept.given(body["puzzle"])
    task = RunTask.of(body, api.limits)
    api.runs.check_room()
    about = {**puzzle, "strategy": task["strategy"]}
    answer = await api.questions.ask(request, "page_boards.about", about)
    if answer.status != 200:
        return answer
    run = api.runs.begin(puzzle["id"], puzzle["text"], json.loads(answer.body), task)
    return Answer.of(run.record(), status=202)


async def stop(api: Api, request: Request, given: Given) -> object:
    run: PageRun = given["run"]
    if run.over:
        api.runs.forget(run)
        return Response(status_code=204)
    await api.runs.stop(run)
    return run.record()


def listen(api: Api, request: Request, given: Given) -> Response:
    last = request.headers.get("last-event-id", "0")
    seen = int(last) if last.isdecimal() and len(last) < 10 else 0
    return Listening(api, events(given["run"], seen))


def solutions(api: Api, request: Request, given: Given) -> object:
    total, shown = _chosen(given, MOST_LISTED)
    return {"total": total, "solutions": [one.record() for one in shown]}


async def sheet(api: Api, request: Request, given: Given) -> Answer:
    _, shown = _chosen(given, MOST_DRAWN)
    if not shown:
        raise Refusal(404, "there is no solution to draw")
    sent = _of_solutions(given["run"], shown) | {"dark": given["dark"]}
    return await api.questions.ask(request, "page_boards.sheet", sent)


def _chosen(given: Given, most: int) -> tuple[int, list[KeptSolution]]:
    """The number of solutions that a request filters, and those in its window."""
    check_number("number", given["number"], 1, most)
    found = given["run"].chosen(given["symmetric"], given["piece"], given["cell"])
    start = given["from"]
    return len(found), found[start : start + given["number"]]


def _of_solutions(run: PageRun, found: list[KeptSolution]) -> Given:
    """Solutions of a run, for a child."""
    return {"id": run.puzzle, "text": run.text, "options": [one.options.tolist() for one in found]}


# -- the table ------------------------------------------------------------------------------------

WINDOW = "from number symmetric piece cell"
"""The query that chooses solutions: the first, how many, and which of them."""

REQUESTS: dict[str, tuple[Answering, str]] = {
    "GET /limits": (lambda api, *_: api.limits.public(), ""),
    "GET /lattices": (ask("catalogue.all_lattices"), ""),
    "GET /shelf": (lambda api, *_: api.shelf, ""),
    "GET /shelf/{lattice}/{name}": (ask("catalogue.shelved"), ""),
    "GET /shelf/{lattice}/{name}/picture.svg": (shelf_picture, "dark"),
    "GET /shelf/{lattice}/{name}/picture.png": (shelf_picture, "dark"),
    "POST /puzzles": (ask("page_boards.read_file", body="file"), ""),
    "POST /draft": (ask("page_boards.describe_draft", body="draft"), ""),
    "POST /draft/view.json": (ask("page_boards.view_of_region", body="draft"), ""),
    "GET /puzzles/{puzzle}": (ask("page_boards.describe"), ""),
    "GET /puzzles/{puzzle}/check": (ask("advice.check"), ""),
    "GET /puzzles/{puzzle}/view.json": (ask("page_boards.view_of_puzzle"), ""),
    "GET /puzzles/{puzzle}/board.json": (ask("page_boards.view_of_board"), ""),
    "GET /puzzles/{puzzle}/aid.json": (ask("page_boards.solutions_to_play"), ""),
    "GET /puzzles/{puzzle}/play.html": (ask("page_boards.play_file"), ""),
    "GET /puzzles/{puzzle}/estimate": (ask("advice.estimate"), "seconds strategy"),
    "GET /strategies": (ask("advice.strategies"), "puzzle"),
    "GET /sets/{name}": (ask("catalogue.pieces_of_set"), "lattice"),
    "GET /sets/{name}/picture.svg": (ask("catalogue.picture_of_set", AN_HOUR), "lattice dark"),
    "GET /boards/{lattice}": (ask("catalogue.cells_to_draw_on"), "shape around margin"),
    "GET /runs": (lambda api, *_: [run.record() for run in api.runs], ""),
    "POST /runs": (start, ""),
    "GET /runs/{run}": (lambda *given: given[-1]["run"].record(), ""),
    "DELETE /runs/{run}": (stop, ""),
    "GET /runs/{run}/events": (listen, ""),
    "GET /runs/{run}/solutions": (solutions, WINDOW),
    "GET /runs/{run}/sheet.svg": (sheet, f"{WINDOW} dark"),
    "GET /runs/{run}/solutions/{index:int}/picture.svg": (
        ask("page_boards.picture_of_solution"),
        "dark",
    ),
    "GET /runs/{run}/solutions/{index:int}/view.json": (ask("page_boards.view_of_solution"), ""),
    "GET /runs/{run}/solutions/{index:int}/export": (ask("page_boards.exported"), "format"),
}
"""Every request: what answers it, and the words of its query."""


# -- answers --------------------------------------------------------------------------------------


def response(answer: Answer, cached: str = "") -> Response:
    """The answer of a child; `cached`: how long a browser may keep it."""
    headers = {"Cache-Control": cached} if cached and answer.status == 200 else {}
    if answer.name:
        headers["Content-Disposition"] = f'attachment; filename="{answer.name}"'
    return Response(answer.body, answer.status, headers, answer.kind)


class Listening(StreamingResponse):
    """A stream of events. Its place is taken when it is made, and free when it is sent, however
    that ends; so of many requests at once no more are accepted than there are places."""

    def __init__(self, api: Api, stream: AsyncIterator[bytes]) -> None:
        runs = api.runs
        if runs.listeners >= api.limits.listeners:
            raise Refusal(503, f"{runs.listeners} pages listen already: close some of them")
        super().__init__(stream, media_type="text/event-stream")
        self._runs = runs
        runs.listeners += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._runs.listeners -= 1


def api_routes(api: Api) -> list[Route]:
    """The routes of all requests."""

    def route(request: str, answering: Answering, query: str) -> Route:
        async def answer(request: Request) -> Response:
            made = answering(api, request, api.given(query, request))
            made = await made if isawaitable(made) else made
            if isinstance(made, Response):
                return made
            return response(made if isinstance(made, Answer) else Answer.of(made))

        method, path = request.split()
        return Route(f"/api{path}", answer, methods=[method])

    return [route(request, *rest) for request, rest in REQUESTS.items()]
