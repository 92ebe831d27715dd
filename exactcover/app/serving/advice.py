"""Advice: before a search sizes, a proof that there is no solution, strategies and estimates; for a
player the solutions left in a position, hints, and the places of pieces.

A cell is a number here: its place among the cells of the puzzle's space, the order in which the
page has the cells of a board.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from time import perf_counter
from typing import Any

import numpy as np

from exactcover.app.aid import Aid
from exactcover.app.serving import Answer, Refusal, json_types
from exactcover.app.serving.client_puzzles import ClientPuzzle
from exactcover.backends import get_backend
from exactcover.base.patience import within
from exactcover.errors import ExactCoverError, PuzzleError
from exactcover.puzzle import Cell, Model, Placement, Puzzle
from exactcover.puzzle.rectangles import keeps_rectangles
from exactcover.search.automatic import candidates
from exactcover.search.estimates import Estimating, Interval
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.trust.proofs import explain, find_proof

PLAIN = (
    ("dlx:s", "dancing links: the cell or piece with the fewest options"),
    ("dlx:f", "dancing links: the first cell in order"),
    ("fila:f", "bit patterns of cells, in order"),
    ("bsx", "sets of options as bits"),
    ("memo", "counts by remembering states"),
    ("cpsat", "CP-SAT of OR-Tools"),
)
"""Strategies of one engine that most puzzles can be searched by."""

SECONDS = 4.0
"""The time limit for a proof."""

UNKNOWN = "No contradiction found yet; a search decides."


def check(one: ClientPuzzle) -> Answer:
    """The sizes of a puzzle, and a proof that it has no solution if there is a simple one."""
    began, puzzle = perf_counter(), one.puzzle
    low = sum(piece.low * len(piece.cells) for piece in puzzle.pieces)
    high = sum(
        len(puzzle.space) if piece.high is None else piece.high * len(piece.cells)
        for piece in puzzle.pieces
    )
    room = len(puzzle.space)
    least, most = puzzle.region.empty or (0, len(puzzle.region.optional))
    wanted = room - min(most, len(puzzle.region.optional)), room - least
    record: dict[str, Any] = {
        "cells": room,
        "wanted": list(wanted),
        "volume": [low, high],
        "fits": low <= wanted[1] and wanted[0] <= high,
        "symmetries": None,
        "images": [],
        "verdict": "unknown",
        "why": UNKNOWN,
        "explained": "",
        "colours": None,
    }
    with within(SECONDS):
        model = puzzle.model
        record["symmetries"] = len(model.symmetries)
        record["images"] = _images(model)
    if model.reason:
        record |= {"verdict": "impossible", "why": model.reason}
    elif not keeps_rectangles(model):
        record |= proved(model, SECONDS)
    record["seconds"] = round(perf_counter() - began, 3)
    return Answer.of(record)


def _images(model: Model) -> list[json_types.Images]:
    """The number of places of each piece."""
    return [
        {"piece": piece.name, "number": number}
        for group, number in zip(model.groups, model.images, strict=True)
        for piece in group.members
    ]


def proved(model: Model, seconds: float) -> dict[str, Any]:
    """A proof that there is no solution, as a colouring of the cells; empty: none was found."""
    proof = find_proof(model, seconds=seconds)
    if proof is None:
        return {}
    places = model.puzzle.space.find(model.free.cells).tolist()
    values = proof.cell_values(model.layout).tolist()
    colours = [{"cell": at, "class": value} for at, value in zip(places, values, strict=True)]
    colouring = "black and white" if proof.modulus == 2 else f"{proof.modulus} classes"
    why = (
        f"a colouring in {colouring} (weights modulo {proof.modulus}) shows that no choice of "
        "places covers each class as often as it must be"
    )
    explained = explain(model.problem, proof, model.layout)
    return {"verdict": "impossible", "why": why, "explained": explained, "colours": colours}


def strategies(one: ClientPuzzle) -> Answer:
    """Strategies for a puzzle, the automatic choice first."""
    subject = Subject.of(one.puzzle, "rotations")
    found: dict[str, str] = {}
    if not subject.reason:
        for candidate in candidates(subject):
            found.setdefault(str(candidate), candidate.words)
    for text, title in PLAIN:
        if _takes(text, subject):
            found.setdefault(text, title)
    return Answer.of([{"name": name, "title": title} for name, title in found.items()])


def _takes(text: str, subject: Subject) -> bool:
    """Whether the engine of a strategy can take a puzzle."""
    try:
        strategy = Strategy.parse(text)
        backend = get_backend(strategy.stages[0].backend)
    except ExactCoverError:
        return False
    return not backend.capabilities.missing(subject.problem)


def allowed(text: str) -> Strategy:
    """The strategy that a client names; raises `Refusal` if it names a folder, or takes memory."""
    strategy = Strategy.parse(text)
    for stage in strategy.stages:
        settings = get_backend(stage.backend).capabilities.settings
        for name, _ in stage.settings:
            if not settings[name].public:
                raise Refusal(
                    400,
                    f"strategy: {stage.backend} has the setting {name!r} on the command line only: "
                    "the server bounds the memory of its searches, and gives them no folder",
                )
    return strategy


def estimate(one: ClientPuzzle, strategy: str | None, seconds: float) -> Answer:
    """The size of a search, with bounds."""
    chosen = None if strategy is None else allowed(strategy)
    found = Estimating(one.puzzle, strategy=chosen, time_limit=seconds).run()
    return Answer.of(
        {
            "nodes": _interval(found.nodes),
            "solutions": _interval(found.solutions),
            "seconds": _interval(found.seconds),
            "profile": [
                {"left": left, "nodes": _interval(nodes)}
                for left, nodes in found.nodes_by_remaining.items()
            ],
            "strategy": found.strategy,
            "counted": found.counted,
            "confidence": found.confidence,
            "status": found.status,
            "why": found.reason,
        }
    )


def _interval(value: Interval) -> json_types.IntervalJson:
    """An interval; without an upper bound the value is unknown, and both are null."""
    if value.high == float("inf"):
        return {"value": None, "low": value.low, "high": None}
    return {"value": value.value, "low": value.low, "high": value.high}


# -- aid for players ------------------------------------------------------------------------------

PUZZLES = 4
"""The most puzzles whose aids are kept."""

MEMORY = 32
"""MiB of solutions that the aid of each puzzle keeps."""

MOST_LEFT, MOST_HINT = 5.0, 3.0
"""Seconds that an answer waits at most for an exact number, and that a hint searches at most for
each of a solution, a reason and pieces to take back."""

aids: OrderedDict[str, Aid] = OrderedDict()
"""The aids of the puzzles of recent questions, by the ids of the puzzles."""


def left(one: ClientPuzzle, placed: object, seconds: float) -> Answer:
    """The solutions left in a position.

    placed  a list of `{"piece": name, "cells": numbers}`
    """
    began, puzzle = perf_counter(), one.puzzle
    aid = _arranged(one, placed)
    found = aid.prospect(min(seconds, MOST_LEFT))
    answer: json_types.AidJson = {
        "left": found.left,
        "exact": found.exact,
        "text": str(found),
        "forced": [_placed(puzzle, place) for place in found.forced],
        "dead": _numbers(puzzle, found.dead),
        "stuck": list(found.stuck),
        "why": found.why,
        "different": None if aid.placed or not found.exact else aid.different(),
        "seconds": round(perf_counter() - began, 6),
    }
    return Answer.of(answer)


def hint(one: ClientPuzzle, placed: object, seconds: float) -> Answer:
    """A next step; the question is that of `left`."""
    puzzle = one.puzzle
    found = _arranged(one, placed).hint(min(seconds, MOST_HINT))
    answer: json_types.HintJson
    if found.place is None:
        undo = [_placed(puzzle, gone) for gone in found.undo]
        answer = {"undo": undo, "why": found.why, "searching": not found.known}
    else:
        place = _placed(puzzle, found.place)
        answer = {
            "piece": place["piece"],
            "cells": place["cells"],
            "look": _numbers(puzzle, found.look),
            "first": found.first,
            "why": found.why,
        }
    return Answer.of(answer)


def finish(one: ClientPuzzle, placed: object, seconds: float) -> Answer:
    """The rest of a solution; the question is that of `left`."""
    aid = _arranged(one, placed)
    rest = aid.finish(min(seconds, MOST_HINT))
    answer: json_types.FinishJson = {
        "rest": None if rest is None else [_placed(one.puzzle, place) for place in rest],
        "searching": rest is None and not aid.prospect().exact,
    }
    return Answer.of(answer)


def places(one: ClientPuzzle, piece: str, cell: int | None) -> Answer:
    """The places of a piece on the empty board, those over one cell unless it is None."""
    over = None if cell is None else _cells(one.puzzle, [cell])[0]
    return Answer.of([_numbers(one.puzzle, place) for place in _aid(one).places(piece, over)])


def _arranged(one: ClientPuzzle, placed: object) -> Aid:
    """The aid with the pieces of a question placed."""
    aid = _aid(one)
    aid.arrange(_placements(one.puzzle, placed))
    return aid


def _aid(one: ClientPuzzle) -> Aid:
    """The aid of a puzzle; the searches of others rest."""
    if one.id not in aids:
        aids[one.id] = Aid(one.puzzle, memory=MEMORY)
    aids.move_to_end(one.id)
    for other in list(aids)[:-1]:
        aids[other].rest()
    while len(aids) > PUZZLES:
        aids.popitem(last=False)[1].close()
    return aids[one.id]


def _placements(puzzle: Puzzle, placed: object) -> Iterable[Placement]:
    if not isinstance(placed, list):
        raise ExactCoverError('placed: a list of {"piece": name, "cells": numbers} is needed')
    for number, one in enumerate(placed):
        where = f"placed[{number}]"
        if not (isinstance(one, dict) and isinstance(one.get("piece"), str)):
            raise ExactCoverError(f'{where}: {{"piece": name, "cells": numbers}} is needed')
        yield Placement(one["piece"], tuple(_cells(puzzle, one.get("cells"), where)))


def _cells(puzzle: Puzzle, numbers: object, where: str = "cell") -> list[Cell]:
    """The cells with these numbers."""
    most = len(puzzle.space)
    if not (isinstance(numbers, list) and numbers):
        raise ExactCoverError(f"{where}: cells: a list of cell numbers is needed")
    for number in numbers:
        if type(number) is not int or not 0 <= number < most:
            raise PuzzleError(f"{where}: cells are numbered from 0 to {most - 1}, not {number!r}")
    return [tuple(cell) for cell in puzzle.space.cells[numbers].tolist()]


def _numbers(puzzle: Puzzle, cells: Iterable[Cell]) -> list[int]:
    """The numbers of cells."""
    listed = list(cells)
    if not listed:
        return []
    return [int(one) for one in puzzle.space.find(np.array(listed, np.int64))]


def _placed(puzzle: Puzzle, placement: Placement) -> json_types.PlacedJson:
    return {"piece": placement.piece, "cells": _numbers(puzzle, placement.cells)}
