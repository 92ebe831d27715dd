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
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import exactcover as ec
from exactcover.cli.files import opened_file
from exactcover.cli.options import drawn_text

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.show.palette import Wish

OUTPUTS = (".json", ".jsonl", ".txt")
"""The endings of files of solutions."""


class Sink(ABC):
    """Takes the solutions of one puzzle.

    begun  whether something was written that only `close` makes complete
    """

    begun = False

    @abstractmethod
    def add(self, solution: ec.Solution, number: int) -> None:
        """Write a solution with its number."""

    def close(self, record: Mapping[str, Any]) -> None:  # noqa: B027 -- most kinds need no end
        """Write what is known at the end of the search, in a kind of file that has it."""


SinkOf = Callable[["Document"], Sink]
"""An open file: it makes the sink for the solutions of the next puzzle."""


@contextmanager
def opened(path: Path, color: Wish = "never") -> Iterator[SinkOf]:
    """A file of solutions, complete when its `with` statement ends; its ending says of which
    kind."""
    ending = path.suffix.lower()
    with opened_file(path) as stream:
        if ending == ".txt":
            yield lambda document: TextSink(stream, color)
        elif ending == ".jsonl":
            yield lambda document: JsonLines(stream, document)
        else:  # one list of objects, valid however the run ends
            before = chain("[", repeat(", "))
            try:
                yield lambda document: JsonObject(stream, document, before=before, after="")
            finally:
                stream.write("[]\n" if next(before) == "[" else "]\n")


class TextSink(Sink):
    """Solutions drawn as text, each below its number."""

    def __init__(self, stream: IO[str], color: Wish = "never") -> None:
        self._stream, self._color = stream, color

    def add(self, solution: ec.Solution, number: int) -> None:
        """Draw a solution, with its cost if the problem has costs."""
        from exactcover.show.text import heading

        costs = solution.problem.costs is not None
        cost = f"\ncost {solution.cost:.15g}" if costs else ""
        self.draw(heading(number), solution, cost)

    def draw(self, heading: str, solution: ec.Solution, more: str = "") -> None:
        """Draw a solution, or a part of one, below a line of words."""
        drawn = drawn_text(solution, self._color, self._stream)
        self._stream.write(f"{heading}\n{drawn}{more}\n")


# -- JSON -----------------------------------------------------------------------------------------

KEPT = 1 << 17
"""The most texts of placements that are kept."""

as_json = partial(json.dumps, ensure_ascii=False)
"""A value as JSON in one line."""


def key_of(document: Document) -> str:
    """The key of the solutions of a puzzle in JSON."""
    return "placements" if document.puzzle else "options"


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


class JsonObject(Sink):
    """The object of one puzzle, open until `close` writes the results of the search.

    before  gives the text before the object, when its first part is written
    after   the text after it
    """

    def __init__(
        self,
        stream: IO[str],
        document: Document,
        *,
        before: Iterator[str] | None = None,
        after: str = "\n",
    ) -> None:
        self._stream, self._before, self._after = stream, before or repeat(""), after
        self._head = as_json({"puzzle": document.name, key_of(document): []}).removesuffix("]}")
        self._texts = SolutionTexts()

    def add(self, solution: ec.Solution, number: int) -> None:
        """Write a solution, and flush it."""
        self._write(", " if self.begun else "", self._texts.text(solution))

    def close(self, record: Mapping[str, Any]) -> None:
        """Write the rest of the object: the results known at the end."""
        rest = as_json({key: value for key, value in record.items() if key != "puzzle"})
        self._write(f"], {rest.removeprefix('{')}", self._after)

    def _write(self, *texts: str) -> None:
        if not self.begun:
            self._stream.write(next(self._before) + self._head)
            self.begun = True
        self._stream.write("".join(texts))
        self._stream.flush()


class JsonLines(Sink):
    """The solutions of one puzzle as lines with an object each, without the report."""

    def __init__(self, stream: IO[str], document: Document) -> None:
        self._stream = stream
        self._puzzle, self._key = as_json(document.name), as_json(key_of(document))
        self._texts = SolutionTexts()

    def add(self, solution: ec.Solution, number: int) -> None:
        """Write a line, and flush it."""
        self._stream.write(
            f'{{"puzzle": {self._puzzle}, "solution": {number}, '
            f"{self._key}: {self._texts.text(solution)}}}\n"
        )
        self._stream.flush()
