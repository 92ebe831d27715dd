"""The JSON interface: a table of its requests, each with its documentation and what answers it.

Most requests are a question to a child: `ask` makes the answer of those. The others are answered
by a function here.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from exactcover.app.serving import JSON, PNG, SVG, Answer, Bounds, Refusal, json_types
from exactcover.app.serving.children import AID, QUICK, SLOW, Questions
from exactcover.app.serving.parameters import (
    AROUND,
    CELL,
    DARK,
    FOR_EVER,
    FORMAT,
    LATTICE,
    MARGIN,
    PIECE,
    PUZZLE,
    SECONDS,
    SHAPE,
    STRATEGY,
    Documented,
    body_of,
    document,
    draft_of,
    file_of,
    position_of,
    puzzle_in,
    run_task,
    whole,
    window,
)
from exactcover.app.serving.runs import KeptSolution, PageRun, Runs, events

AN_HOUR = "private, max-age=3600"

STREAM, FILE = "text/event-stream", "application/octet-stream"

Given = dict[str, Any]


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

    def given(self, documented: Documented, request: Request) -> Given:
        """The parameters of an address: a puzzle with its text, a run, and the rest as it is."""
        path = request.path_params
        given: Given = {name: path[name][:100] for name in ("lattice", "name") if name in path}
        if "puzzle" in path:
            given |= self.questions.kept.given(path["puzzle"])
        if "run" in path:
            run = self.runs.run(path["run"])
            given |= {"run": run}
            if "index" in path:
                index = whole(path["index"], "the number of the solution", 0, FOR_EVER)
                given |= _of_solutions(run, [run.solution(index)]) | {"index": index}
        for one in documented.query:
            given |= one.read(request.query_params.get(one.name), self.questions)
        return given


Answering = Callable[[Api, Request, Given], Awaitable[Response]]


def ask(
    question: str,
    desk: str = QUICK,
    cached: str = "",
    body: Callable[[Given, Questions], Given] | None = None,
) -> Answering:
    """Let a child answer a question.

    question  the module and the function that do so, see `worker`
    cached    how long a browser may keep the answer
    body      what is sent to the child of the body of the request
    """

    async def answer(api: Api, request: Request, given: Given) -> Response:
        sent = {name: value for name, value in given.items() if name != "run"}
        if body is not None:
            sent |= body(body_of(await request.body()), api.questions)
        return response(await api.questions.ask(request, question, sent, desk=desk), cached)

    return answer


# -- what there is --------------------------------------------------------------------------------


async def openapi(api: Api, request: Request, given: Given) -> Response:
    return response(Answer.of(document(REQUESTS, api.limits)))


async def shelf(api: Api, request: Request, given: Given) -> Response:
    return Response(api.files["/shelf.json"], media_type=JSON)


async def shelf_picture(api: Api, request: Request, given: Given) -> Response:
    """The picture of a shipped puzzle; a coarse one, where there is one, is of a solution."""
    name = f"{given['lattice']}/{given['name']}"
    theme = "dark" if given["theme"] == "dark" else "light"
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
    answer = await api.questions.ask(request, "page_boards.about", about)
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
    total, shown = _chosen(given)
    return response(Answer.of({"total": total, "solutions": [one.record() for one in shown]}))


async def sheet(api: Api, request: Request, given: Given) -> Response:
    _, shown = _chosen(given)
    if not shown:
        raise Refusal(404, "there is no solution to draw")
    sent = _of_solutions(given["run"], shown) | {"theme": given["theme"]}
    return response(await api.questions.ask(request, "page_boards.sheet", sent, desk=SLOW))


def _chosen(given: Given) -> tuple[int, list[KeptSolution]]:
    """The number of solutions that a request filters, and those in its window."""
    found = given["run"].chosen(given["symmetric"], given["piece"], given["cell"])
    start = given["from"]
    return len(found), found[start : start + given["number"]]


def _of_solutions(run: PageRun, found: list[KeptSolution]) -> Given:
    """Solutions of a run, for a child."""
    return {"id": run.puzzle, "text": run.text, "options": [one.options.tolist() for one in found]}


# -- the table ------------------------------------------------------------------------------------

REQUESTS = (
    Documented("GET", "/openapi.json", "This document.", dict, openapi),
    Documented("GET", "/limits", "The limits of the server.", json_types.LimitsJson, limits),
    Documented("GET", "/lattices", "The lattices, with boards and sets.",
               list[json_types.LatticeJson], ask("catalogue.all_lattices")),
    Documented("GET", "/shelf", "The shipped puzzles.", list[json_types.Shelved],
               shelf),
    Documented("GET", "/shelf/{lattice}/{name}", "A shipped puzzle.", json_types.PuzzleJson,
               ask("catalogue.shelved")),
    Documented("GET", "/shelf/{lattice}/{name}/picture.svg",
               "A small picture of a shipped puzzle.", SVG, shelf_picture,
               query=(DARK,)),
    Documented("GET", "/shelf/{lattice}/{name}/picture.png",
               "A coarse picture of a solution.", PNG, shelf_picture, query=(DARK,)),
    Documented("POST", "/puzzles", "Read a file of any format.", json_types.Read,
               ask("page_boards.read_file", body=file_of), json_types.File),
    Documented("POST", "/draft", "Make a puzzle of cells and pieces.", json_types.PuzzleJson,
               ask("page_boards.draw", body=draft_of), json_types.Draft),
    Documented("POST", "/draft/view.json", "The data of its region that the modules of `view` "
               "read.", dict, ask("page_boards.view_of_region", body=draft_of), json_types.Draft),
    Documented("GET", "/puzzles/{puzzle}", "A puzzle.", json_types.PuzzleJson,
               ask("page_boards.describe")),
    Documented("GET", "/puzzles/{puzzle}/check",
               "Its sizes, and a simple proof that it has no solution.", json_types.Check,
               ask("advice.check", SLOW)),
    Documented("GET", "/puzzles/{puzzle}/picture.svg", "Its picture.", SVG,
               ask("page_boards.picture_of_puzzle", cached=AN_HOUR), query=(DARK,)),
    Documented("GET", "/puzzles/{puzzle}/view.json", "The data that the modules of `view` read.",
               dict, ask("page_boards.view_of_puzzle")),
    Documented("GET", "/puzzles/{puzzle}/board.json",
               "The data of its board alone that the modules of `view` read.", dict,
               ask("page_boards.turning_board")),
    Documented("GET", "/puzzles/{puzzle}/play.html",
               "A page that plays it without a server, as a file.", FILE,
               ask("page_boards.play_file", SLOW)),
    Documented("GET", "/puzzles/{puzzle}/estimate", "How large a search is.",
               json_types.EstimateJson, ask("advice.estimate", SLOW), query=(SECONDS, STRATEGY)),
    Documented("GET", "/puzzles/{puzzle}/places", "Where a piece can lie.", list[list[int]],
               ask("advice.places", AID), query=(PIECE, CELL)),
    Documented("GET", "/strategies", "Strategies for a puzzle, the automatic choice first.",
               list[json_types.StrategyJson], ask("advice.strategies", SLOW), query=(PUZZLE,)),
    Documented("GET", "/sets/{name}", "The pieces of a set.", list[json_types.ShapeJson],
               ask("catalogue.pieces_of_set"), query=(LATTICE,)),
    Documented("GET", "/sets/{name}/picture.svg", "A small picture of the pieces of a set.", SVG,
               ask("catalogue.picture_of_set", SLOW, cached=AN_HOUR), query=(LATTICE, DARK)),
    Documented("GET", "/boards/{lattice}", "Cells to draw on.", json_types.BoardJson,
               ask("catalogue.cells_to_draw_on"), query=(SHAPE, AROUND, MARGIN)),
    Documented("GET", "/runs", "All runs.", list[json_types.RunJson], all_runs),
    Documented("POST", "/runs", "Start a run.", json_types.RunJson, start,
               json_types.NewRun, status=202),
    Documented("GET", "/runs/{run}", "A run.", json_types.RunJson, one_run),
    Documented("DELETE", "/runs/{run}", "Stop a run; forget one that has ended (204).",
               json_types.RunJson, stop),
    Documented("POST", "/runs/{run}/pause", "Pause a run, or let it go on.", json_types.RunJson,
               pause, json_types.Pausing),
    Documented("GET", "/runs/{run}/events",
               "The run as server-sent events: progress (a Progress), solution (a Solution), end "
               "(a Progress).", STREAM, listen),
    Documented("GET", "/runs/{run}/solutions", "Solutions that are kept.", json_types.Solutions,
               solutions, query=window(500)),
    Documented("GET", "/runs/{run}/sheet.svg", "Solutions on one sheet.", SVG, sheet,
               query=(*window(200), DARK)),
    Documented("GET", "/runs/{run}/solutions/{index}/picture.svg", "A solution.", SVG,
               ask("page_boards.picture_of_solution"), query=(DARK,)),
    Documented("GET", "/runs/{run}/solutions/{index}/view.json",
               "The data of a solution that the modules of `view` read.", dict,
               ask("page_boards.view_of_solution")),
    Documented("GET", "/runs/{run}/solutions/{index}/export", "A solution as a file.", FILE,
               ask("page_boards.exported", SLOW), query=(FORMAT,)),
    Documented("POST", "/aid", "How many solutions are left with some pieces placed.",
               json_types.AidJson, ask("advice.left", AID, body=position_of),
               json_types.PositionJson),
    Documented("POST", "/aid/hint", "A next step: a placement to add or to take back.",
               json_types.HintJson, ask("advice.hint", AID, body=position_of),
               json_types.PositionJson),
    Documented("POST", "/aid/finish", "The placements that complete a position to a solution.",
               json_types.FinishJson, ask("advice.finish", AID, body=position_of),
               json_types.PositionJson),
)  # fmt: skip
"""Every request, in the order of the documentation."""


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
        super().__init__(stream, media_type=STREAM)
        self._runs = runs
        runs.listeners += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._runs.listeners -= 1


def api_routes(api: Api) -> list[Route]:
    """The routes of all requests."""

    def route(one: Documented) -> Route:
        async def answer(request: Request) -> Response:
            made: Response = await one.answer(api, request, api.given(one, request))
            return made

        return Route(f"/api{one.path}", answer, methods=[one.method])

    return [*map(route, REQUESTS)]
