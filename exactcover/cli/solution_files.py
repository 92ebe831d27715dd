"""Solutions as they are found: drawn, or as JSON, on standard output or in a file.

An object for a puzzle has the solutions and the report, JSON lines have an object for each solution
and no report:

    {"puzzle": "somacube", "placements": [[...], [...]], "status": "complete", ...}
    {"puzzle": "somacube", "solution": 1, "placements": [...]}

The status and the totals are known only at the end, so they follow the solutions. Nothing is
written before the first solution, so a search that fails at once leaves no part of an object.
Memory does not grow with the number of solutions.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import partial
from typing import IO, TYPE_CHECKING, Any

import exactcover as ec
from exactcover.cli.options import drawn_text

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.show.palette import Wish

LINES = (".jsonl",)
"""The ending of files of solutions."""


class TextSink:
    """Solutions drawn on standard output, each below its number."""

    def __init__(self, color: Wish) -> None:
        self._color = color

    def add(self, solution: ec.Solution, number: int) -> None:
        """Draw a solution, with its cost if the problem has costs."""
        from exactcover.show.text import heading

        costs = solution.problem.costs is not None
        self.draw(heading(number), solution, f"\ncost {solution.cost:.15g}" if costs else "")

    def draw(self, heading: str, solution: ec.Solution, more: str = "") -> None:
        """Draw a solution, or a part of one, below a line of words."""
        sys.stdout.write(f"{heading}\n{drawn_text(solution, self._color)}{more}\n")


# -- JSON -----------------------------------------------------------------------------------------

KEPT = 1 << 17
"""The most texts of placements that are kept."""

as_json = partial(json.dumps, ensure_ascii=False)
"""A value as JSON in one line."""


def written(solution: ec.Solution) -> list[Any]:
    """A solution for JSON: pieces with their cells, or the items of each option."""
    if solution.model is not None:
        return [_placed(placement) for placement in solution.placements]
    return [solution.problem.words_of(option) for option in solution.options]


def _placed(placement: ec.Placement) -> dict[str, Any]:
    return {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}


class SolutionTexts:
    """The JSON texts of solutions of one problem; `text` has the value of `written`.

    A placement is in many solutions, so its text is made once and kept, which is several times
    faster than `json.dumps` of each solution.
    """

    def __init__(self) -> None:
        self._texts: dict[int, list[str]] = {}  # by option

    def text(self, solution: ec.Solution) -> str:
        """The solution as JSON."""
        model, texts = solution.model, self._texts
        # The name of one of several pieces of the same shape depends on the other pieces.
        if model is not None and any(len(group.members) > 1 for group in model.groups):
            return as_json(written(solution))
        if len(texts) > KEPT:
            texts.clear()
        for option in (-1, *solution.options):  # -1: of stationary pieces
            if option not in texts:
                texts[option] = self._made(solution, option)
        parts = (part for option in (-1, *solution.options) for part in texts[option])
        return f"[{', '.join(parts)}]"

    def _made(self, solution: ec.Solution, option: int) -> list[str]:
        """The text of an option, in any solution that has it; none of one that places no piece."""
        if solution.model is None:
            return [as_json(solution.problem.words_of(option))] if option >= 0 else []
        still = solution.model.placements(())
        placed = solution.model.placements((option,))[len(still) :] if option >= 0 else still
        return [as_json(_placed(one)) for one in placed]


class JsonObject:
    """The object of one puzzle on standard output, open until `close` writes the results."""

    def __init__(self, document: Document) -> None:
        key = "placements" if document.puzzle else "options"
        self._before = as_json({"puzzle": document.name, key: []}).removesuffix("]}")
        self._texts = SolutionTexts()
        self.begun = False

    def add(self, solution: ec.Solution, number: int) -> None:
        """Write a solution, and flush it."""
        self._write(self._texts.text(solution))
        self._before = ", "

    def close(self, record: Mapping[str, Any]) -> None:
        """Write the rest of the object: the results known at the end."""
        rest = as_json({key: value for key, value in record.items() if key != "puzzle"})
        self._before *= not self.begun
        self._write(f"], {rest.removeprefix('{')}\n")

    def _write(self, text: str) -> None:
        self.begun = True
        sys.stdout.write(self._before + text)
        sys.stdout.flush()


class JsonLines:
    """The solutions of one puzzle as lines of a file, with an object each."""

    def __init__(self, stream: IO[str], document: Document) -> None:
        self._stream = stream
        self._puzzle = as_json(document.name)
        self._key = "placements" if document.puzzle else "options"
        self._texts = SolutionTexts()

    def add(self, solution: ec.Solution, number: int) -> None:
        """Write a line, and flush it."""
        self._stream.write(
            f'{{"puzzle": {self._puzzle}, "solution": {number}, '
            f'"{self._key}": {self._texts.text(solution)}}}\n'
        )
        self._stream.flush()
