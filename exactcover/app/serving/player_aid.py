"""The aid for players as JSON: solutions left in a position, hints, and the places of pieces.

A cell is a number here: its place among the cells of the puzzle's space, the order in which the
page has the cells of a board.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from exactcover.app.aid import Aid
from exactcover.app.serving import json_types
from exactcover.app.serving.children import Answer
from exactcover.app.serving.client_puzzles import posed
from exactcover.base.values.arguments import check_seconds
from exactcover.errors import ExactCoverError, PuzzleError
from exactcover.puzzle import Cell, Placement, Puzzle

PUZZLES = 4
"""The most puzzles whose aids are kept."""

MEMORY = 32
"""MiB of solutions that the aid of each puzzle keeps."""

SECONDS = 0.08
"""How long an answer waits for an exact number, unless the question says otherwise."""

HINT_SECONDS = 2.0

MOST_HINT = 3.0
"""A hint searches at most this long for each of a solution, a reason and pieces to take back."""

MOST_SECONDS = 5.0
"""No answer waits longer than this."""

Json = dict[str, Any]


class Aids:
    """The aids of the puzzles of recent requests."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, Aid] = OrderedDict()

    def answer(self, key: str, puzzle: Puzzle, question: Mapping[str, Any]) -> json_types.AidJson:
        """The solutions left in a position: the answer to `POST /aid`.

        key       identifies the puzzle, for the next question about it
        question  `placed`, a list of `{"piece": name, "cells": numbers}`, and `seconds`
        """
        began = perf_counter()
        aid = self._arranged(key, puzzle, question)
        found = aid.prospect(_seconds(question, SECONDS))
        return {
            "left": found.left,
            "exact": found.exact,
            "text": str(found),
            "forced": [_placed(puzzle, one) for one in found.forced],
            "dead": _numbers(puzzle, found.dead),
            "stuck": list(found.stuck),
            "why": found.why,
            "different": None if aid.placed or not found.exact else aid.different(),
            "seconds": round(perf_counter() - began, 6),
        }

    def hint(self, key: str, puzzle: Puzzle, question: Mapping[str, Any]) -> json_types.HintJson:
        """A next step: the answer to `POST /aid/hint`; the question is that of `answer`."""
        aid = self._arranged(key, puzzle, question)
        hint = aid.hint(min(_seconds(question, HINT_SECONDS), MOST_HINT))
        if hint.place is not None:
            placed = _placed(puzzle, hint.place)
            return {
                "piece": placed["piece"],
                "cells": placed["cells"],
                "look": _numbers(puzzle, hint.look),
                "first": hint.first,
                "why": hint.why,
            }
        undo = [_placed(puzzle, one) for one in hint.undo]
        return {"undo": undo, "why": hint.why, "searching": not hint.known}

    def finish(
        self, key: str, puzzle: Puzzle, question: Mapping[str, Any]
    ) -> json_types.FinishJson:
        """The rest of a solution: the answer to `POST /aid/finish`."""
        aid = self._arranged(key, puzzle, question)
        rest = aid.finish(min(_seconds(question, HINT_SECONDS), MOST_HINT))
        if rest is not None:
            return {"rest": [_placed(puzzle, one) for one in rest], "searching": False}
        found = aid.prospect()
        return {"rest": None, "searching": not found.exact}

    def places(self, key: str, puzzle: Puzzle, piece: str, cell: int | None) -> list[list[int]]:
        """The places of a piece on the empty board, those over one cell unless it is None."""
        aid = self._aid(key, puzzle)
        cells = None if cell is None else _cells(puzzle, [cell])[0]
        return [_numbers(puzzle, place) for place in aid.places(piece, cells)]

    def close(self) -> None:
        """End all searches."""
        while self.kept:
            self.kept.popitem()[1].close()

    def _arranged(self, key: str, puzzle: Puzzle, question: Mapping[str, Any]) -> Aid:
        aid = self._aid(key, puzzle)
        aid.arrange(_placements(puzzle, question.get("placed", [])))
        return aid

    def _aid(self, key: str, puzzle: Puzzle) -> Aid:
        if key not in self.kept:
            self.kept[key] = Aid(puzzle, seconds=SECONDS, memory=MEMORY)
        self.kept.move_to_end(key)
        for other in list(self.kept)[:-1]:
            self.kept[other].rest()
        while len(self.kept) > PUZZLES:
            self.kept.popitem(last=False)[1].close()
        return self.kept[key]


def _seconds(question: Mapping[str, Any], usual: float) -> float:
    seconds = question.get("seconds", usual)
    check_seconds("seconds", seconds, optional=False)
    return min(float(seconds), MOST_SECONDS)


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


# -- questions ------------------------------------------------------------------------------------

_aids = Aids()
"""The aids of this child."""


def left(given: Mapping[str, Any]) -> Answer:
    """The solutions left in a position."""
    return Answer.of(_aids.answer(given["id"], posed(given).puzzle, given["asked"]))


def hint(given: Mapping[str, Any]) -> Answer:
    """A next step."""
    return Answer.of(_aids.hint(given["id"], posed(given).puzzle, given["asked"]))


def finish(given: Mapping[str, Any]) -> Answer:
    """The rest of a solution."""
    return Answer.of(_aids.finish(given["id"], posed(given).puzzle, given["asked"]))


def places(given: Mapping[str, Any]) -> Answer:
    """Where a piece can lie."""
    puzzle = posed(given).puzzle
    return Answer.of(_aids.places(given["id"], puzzle, given["piece"], given["cell"]))
