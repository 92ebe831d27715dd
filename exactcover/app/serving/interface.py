"""The JSON interface: what is read of each request, and a table of what answers it.

Most requests are a question to a child: `ask` makes the answer of those. The others are answered
by a function here.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from exactcover.app.serving import JSON, PNG, SVG, Answer, Bounds, Refusal
from exactcover.app.serving.children import QUICK, SLOW, Questions
from exactcover.app.serving.runs import KeptSolution, PageRun, Runs, events
from exactcover.base.values import Convention

AN_HOUR = "private, max-age=3600"

FORMATS = "svg", "stl", "json", "txt"
WHATS = "all", "first", "count", "sample"
COUNTED = get_args(Convention)

NUMBERS = int, float

MANY = 10**12
"""The largest limit of solutions."""

FOR_EVER = 1 << 31

MOST_LISTED, MOST_DRAWN = 500, 200
"""The most solutions of a run that one answer has, and one sheet."""

Given = dict[str, Any]


def number(text: str, name: str, low: float, high: float) -> float:
    """A number in the address of a request, within bounds."""
    try:
        value = float(text[:20])
    except ValueError:
        raise Refusal(400, f"{name}={text[:40]!r}: a number is needed") from None
    if not low <= value <= high:
        raise Refusal(400, f"{name}={text[:40]}: it must be {low:g} to {high:g}")
    return value


def whole(text: str, name: str, low: int, high: int) -> int:
    """A whole number in the address of a request, within bounds."""
    value = number(text, name, low, high)
    if value != int(value):
        raise Refusal(400, f"{name}={text[:40]}: a whole number is needed")
    return int(value)


def one_of(value: object, name: str, allowed: tuple[str, ...]) -> object:
    """A value, if it is one of these."""
    if value not in allowed:
        raise Refusal(400, f"{name}: it must be one of {', '.join(allowed)}")
    return value


# -- the query of an address ----------------------------------------------------------------------

Reading = Callable[[str | None, Questions], Any]
"""Checks a word in the query of an address, None if it is left out; its value."""


def _whole(name: str, usual: int | None, low: int = 0, high: int = FOR_EVER) -> Reading:
    return lambda said, _: usual if not said else whole(said, name, low, high)


def _words(usual: str | None = None, most: int = 100) -> Reading:
    """A text, which is cut at `most` characters."""
    return lambda said, _: usual if not said else said[:most]


def _seconds(said: str | None, questions: Questions) -> float:
    most = max(1.0, questions.limits.question - 2.0)
    return number("2" if said is None else said, "seconds", 0.1, most)


def _symmetric(said: str | None, _: Questions) -> bool | None:
    if said and said not in ("0", "1", "true", "false"):
        raise Refusal(400, f"symmetric={said[:20]!r}: it must be 0 or 1")
    return said in ("1", "true") if said else None


QUERY: dict[str, Reading] = {
    "dark": lambda said, _: {"1": "dark", "0": "light"}.get(said or "", "auto"),
    "seconds": _seconds,
    "strategy": _words(most=500),
    "lattice": _words(),
    "shape": _words(""),
    "margin": _whole("margin", 1, high=20),
    "format": lambda said, _: one_of("svg" if said is None else said, "format", FORMATS),
    "from": _whole("from", 0),
    "number": _whole("number", 50, 1),
    "symmetric": _symmetric,
    "piece": _words(most=200),
    "cell": _whole("cell", None),
}
"""The words in the query of an address, besides `puzzle` and `around`, ids of puzzles."""


# -- the body of a request ------------------------------------------------------------------------


def body_of(raw: bytes) -> dict[str, Any]:
    """The object that a request holds."""
    try:
        value = json.loads(raw or b"{}")
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"the request is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise Refusal(400, "the request must be an object of JSON")
    return value


def checked(value: object, name: str, kind: type | tuple[type, ...], wanted: str) -> Any:
    """A value of a request, if it is of this kind."""
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Refusal(400, f"{name}: {wanted} is needed, not {json.dumps(value)[:60]}")
    return value


def draft_of(body: dict[str, Any], _: Questions) -> dict[str, Any]:
    """The draft that a client sends; the child checks it."""
    return {"draft": body}


def file_of(body: dict[str, Any], _: Questions) -> dict[str, Any]:
    """The file that a client sends: its name, and its text or its bytes."""
    if ("text" in body) == ("base64" in body):
        raise Refusal(400, "give the puzzle as text, or as base64 of the bytes of a file")
    key = "text" if "text" in body else "base64"
    name = checked(body.get("name", ""), "name", str, "the name of a file")[:200]
    return {"name": name, key: checked(body[key], key, str, "a text")}


def puzzle_in(body: dict[str, Any], questions: Questions) -> dict[str, Any]:
    """The puzzle that a client names by its id."""
    return questions.kept.given(checked(body.get("puzzle"), "puzzle", str, "the id of a puzzle"))


def optional_whole(body: dict[str, Any], name: str, low: int, high: int) -> int | None:
    """A whole number within bounds that a request may leave out."""
    value: int | None = body.get(name)
    if value is not None and not low <= checked(value, name, int, "a whole number") <= high:
        raise Refusal(400, f"{name}: a whole number from {low} to {high} is needed")
    return value


def run_task(body: dict[str, Any], limits: Bounds) -> dict[str, Any]:
    """The task of a new run."""
    strategy = body.get("strategy") or None
    if strategy is not None:
        strategy = checked(strategy, "strategy", str, "the text of a strategy")[:500]
    seconds = body.get("seconds")
    if seconds is None:
        seconds = limits.seconds
    if not 0 < checked(seconds, "seconds", NUMBERS, "a number") <= limits.seconds:
        raise Refusal(400, f"seconds: it must be more than 0, and at most {limits.seconds:g}")
    return {
        "what": one_of(body.get("what", "all"), "what", WHATS),
        "unique": one_of(body.get("unique", "rotations"), "unique", COUNTED),
        "strategy": strategy,
        "limit": optional_whole(body, "limit", 1, MANY),
        "seconds": float(seconds),
        "seed": optional_whole(body, "seed", 0, FOR_EVER - 1),
        "keep": limits.solutions,
        "bytes": limits.found,
        "mib": limits.mib,
    }


# -- what answers ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Api:
    """The state behind the requests; `files`: those of the page by their addresses."""

    questions: Questions
    runs: Runs
    files: Mapping[str, bytes]

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
                index = whole(path["index"], "the number of the solution", 0, FOR_EVER)
                given |= _of_solutions(run, [run.solution(index)]) | {"index": index}
        for name in query.split():
            said = request.query_params.get(name)
            if name in QUERY:
                given[name] = QUERY[name](said, self.questions)
            elif said or name == "puzzle":
                given |= kept.given(said or "")
        return given


Answering = Callable[[Api, Request, Given], Awaitable[Response]]


def ask(
    question: str,
    desk: str = QUICK,
    cached: str = "",
    body: Callable[[Given, Questions], Given] | None = None,
) -> Answering:
    """Let a child answer a question.

    question  one of `worker.questions`
    cached    how long a browser may keep the answer
    body      what is sent to the child of the body of the request
    """

    async def answer(api: Api, request: Request, given: Given) -> Response:
        sent = {name: value for name, value in given.items() if name != "run"}
        if body is not None:
            sent |= body(body_of(await request.body()), api.questions)
        return response(await api.questions.ask(request, question, sent, desk=desk), cached)

    return answer


async def shelf(api: Api, request: Request, given: Given) -> Response:
    return Response(api.files["/shelf.json"], media_type=JSON)


async def shelf_picture(api: Api, request: Request, given: Given) -> Response:
    """The picture of a shipped puzzle; a coarse one, where there is one, is of a solution."""
    name = f"{given['lattice']}/{given['name']}"
    theme = "dark" if given["dark"] == "dark" else "light"
    ending = request.url.path.rpartition(".")[2]
    file = api.files.get(f"/pictures/{name}-{theme}.{ending}")
    if file is None:
        raise Refusal(404, f"no shipped puzzle called {name!r} has a picture of this kind")
    return Response(
        file, headers={"Cache-Control": AN_HOUR}, media_type=PNG if ending == "png" else SVG
    )


async def limits(api: Api, request: Request, given: Given) -> Response:
    return response(Answer.of(api.limits.public()))


# -- runs -----------------------------------------------------------------------------------------


async def all_runs(api: Api, request: Request, given: Given) -> Response:
    return response(Answer.of([run.record() for run in api.runs]))


async def start(api: Api, request: Request, given: Given) -> Response:
    body = body_of(await request.body())
    puzzle = puzzle_in(body, api.questions)
    task = run_task(body, api.limits)
    api.runs.check_room()
    about = {**puzzle, "strategy": task["strategy"]}
    answer = await api.questions.ask(request, "about", about)
    if answer.status != 200:
        return response(answer)
    run = api.runs.begin(puzzle["id"], puzzle["text"], json.loads(answer.body), task)
    return response(Answer.of(run.record(), status=202))


async def one_run(api: Api, request: Request, given: Given) -> Response:
    return response(Answer.of(given["run"].record()))


async def stop(api: Api, request: Request, given: Given) -> Response:
    run: PageRun = given["run"]
    if run.over:
        api.runs.forget(run)
        return Response(status_code=204)
    await api.runs.stop(run)
    return response(Answer.of(run.record()))


async def pause(api: Api, request: Request, given: Given) -> Response:
    run: PageRun = given["run"]
    body = body_of(await request.body())
    if not isinstance(body.get("paused"), bool):
        raise Refusal(400, "paused: true or false is needed")
    await api.runs.pause(run, paused=body["paused"])
    return response(Answer.of(run.record()))


async def listen(api: Api, request: Request, given: Given) -> Response:
    last = request.headers.get("last-event-id", "0")
    seen = int(last) if last.isdecimal() and len(last) < 10 else 0
    return Listening(api, events(given["run"], seen))


async def solutions(api: Api, request: Request, given: Given) -> Response:
    total, shown = _chosen(given, MOST_LISTED)
    return response(Answer.of({"total": total, "solutions": [one.record() for one in shown]}))


async def sheet(api: Api, request: Request, given: Given) -> Response:
    _, shown = _chosen(given, MOST_DRAWN)
    if not shown:
        raise Refusal(404, "there is no solution to draw")
    sent = _of_solutions(given["run"], shown) | {"dark": given["dark"]}
    return response(await api.questions.ask(request, "sheet", sent, desk=SLOW))


def _chosen(given: Given, most: int) -> tuple[int, list[KeptSolution]]:
    """The number of solutions that a request filters, and those in its window."""
    if given["number"] > most:
        raise Refusal(400, f"number={given['number']}: it must be 1 to {most}")
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
    "GET /limits": (limits, ""),
    "GET /lattices": (ask("lattices"), ""),
    "GET /shelf": (shelf, ""),
    "GET /shelf/{lattice}/{name}": (ask("shelved"), ""),
    "GET /shelf/{lattice}/{name}/picture.svg": (shelf_picture, "dark"),
    "GET /shelf/{lattice}/{name}/picture.png": (shelf_picture, "dark"),
    "POST /puzzles": (ask("file", body=file_of), ""),
    "POST /draft": (ask("draft", body=draft_of), ""),
    "POST /draft/view.json": (ask("region in space", body=draft_of), ""),
    "GET /puzzles/{puzzle}": (ask("puzzle"), ""),
    "GET /puzzles/{puzzle}/check": (ask("check", SLOW), ""),
    "GET /puzzles/{puzzle}/picture.svg": (ask("picture", cached=AN_HOUR), "dark"),
    "GET /puzzles/{puzzle}/view.json": (ask("puzzle in space"), ""),
    "GET /puzzles/{puzzle}/board.json": (ask("board in space"), ""),
    "GET /puzzles/{puzzle}/aid.json": (ask("solutions to play", SLOW), ""),
    "GET /puzzles/{puzzle}/play.html": (ask("play file", SLOW), ""),
    "GET /puzzles/{puzzle}/estimate": (ask("estimate", SLOW), "seconds strategy"),
    "GET /strategies": (ask("strategies", SLOW), "puzzle"),
    "GET /sets/{name}": (ask("set"), "lattice"),
    "GET /sets/{name}/picture.svg": (ask("picture of set", SLOW, AN_HOUR), "lattice dark"),
    "GET /boards/{lattice}": (ask("cells to draw on"), "shape around margin"),
    "GET /runs": (all_runs, ""),
    "POST /runs": (start, ""),
    "GET /runs/{run}": (one_run, ""),
    "DELETE /runs/{run}": (stop, ""),
    "POST /runs/{run}/pause": (pause, ""),
    "GET /runs/{run}/events": (listen, ""),
    "GET /runs/{run}/solutions": (solutions, WINDOW),
    "GET /runs/{run}/sheet.svg": (sheet, f"{WINDOW} dark"),
    "GET /runs/{run}/solutions/{index}/picture.svg": (ask("picture of solution"), "dark"),
    "GET /runs/{run}/solutions/{index}/view.json": (ask("solution in space"), ""),
    "GET /runs/{run}/solutions/{index}/export": (ask("solution as file", SLOW), "format"),
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
            return await answering(api, request, api.given(query, request))

        method, path = request.split()
        return Route(f"/api{path}", answer, methods=[method])

    return [route(request, *rest) for request, rest in REQUESTS.items()]
