"""The file of `solve --output`: its format by its ending, and the writer for it.

JSON is written while solutions are found. A placement is in many solutions, so its text is made
once and kept, which is several times faster than `json.dumps` of each solution. An object for a
puzzle has the solutions and the report:

    {"puzzle": "somacube", "placements": [[...], [...]], "status": "complete", ...}

The status and the totals are known only at the end, so they follow the solutions. Nothing is
written before the first solution, so a search that fails at once leaves no part of an object.

JSON lines have an object for each solution, and no report:

    {"puzzle": "somacube", "solution": 1, "placements": [...]}

Every kind of file takes solutions as they are found, so memory does not grow with their number.
An open file makes a sink for each puzzle. `close` of a sink takes the report of the search, and the
end of the `with` statement of a file makes the file complete, however the search ended.
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

from exactcover.cli.files import opened_file, replacing
from exactcover.cli.options import drawn_text

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.puzzle import Placement
    from exactcover.search.result import Solution
    from exactcover.show.palette import Wish


class Sink(ABC):
    """Takes the solutions of one puzzle.

    begun  whether something was written that only `close` makes complete
    """

    begun = False

    @abstractmethod
    def add(self, solution: Solution, number: int) -> None:
        """Write a solution with its number."""

    def close(self, record: Mapping[str, Any]) -> None:  # noqa: B027 -- most kinds need no end
        """Write what is known at the end of the search, in a kind of file that has it."""


SinkOf = Callable[["Document"], Sink]
"""An open file: it makes the sink for the solutions of the next puzzle."""


class TextSink(Sink):
    """Solutions drawn as text, each below its number."""

    def __init__(self, stream: IO[str], color: Wish = "never") -> None:
        self._stream, self._color = stream, color

    def add(self, solution: Solution, number: int) -> None:
        """Draw a solution, with its cost if the problem has costs."""
        from exactcover.show.text import heading

        drawn = drawn_text(solution, self._color, self._stream)
        self._stream.write(f"{heading(number)}\n{drawn}{cost_line(solution)}\n")

    def add_partial(self, packing: Solution, words: str) -> None:
        """Draw a partial packing below a line of words."""
        self._stream.write(f"{words}\n{drawn_text(packing, self._color, self._stream)}\n")


def cost_line(solution: Solution) -> str:
    """The cost of a solution, as a further line; empty if the problem has no costs."""
    return "" if solution.problem.costs is None else f"\ncost {solution.cost:.15g}"


OUTPUTS = (".json", ".jsonl", ".txt")
"""The endings of files of solutions."""


@contextmanager
def opened(path: Path, color: Wish = "never") -> Iterator[SinkOf]:
    """A file of solutions, complete when its `with` statement ends; its ending says of which
    kind."""
    ending, path = path.suffix.lower(), replacing(path)
    with opened_file(path) as stream:
        if ending == ".txt":
            yield lambda document: TextSink(stream, color)
        elif ending == ".jsonl":
            yield lambda document: JsonLines(stream, document)
        else:
            with json_list(stream) as sink:
                yield sink


def key_of(document: Document) -> str:
    """The key of the solutions of a puzzle in JSON."""
    return "placements" if document.puzzle else "options"


# -- JSON -----------------------------------------------------------------------------------------

KEPT = 1 << 17
"""The most texts of placements that are kept."""


as_json = partial(json.dumps, ensure_ascii=False)
"""A value as JSON in one line."""


def written(solution: Solution) -> list[Any]:
    """A solution for JSON: pieces with their cells, or the items of each option."""
    if solution.model is not None:
        return [_placed(placement) for placement in solution.placements]
    return [solution.problem.words_of(option) for option in solution.options]


class SolutionTexts:
    """The JSON texts of solutions of one problem; `text` has the value of `written`."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}  # by option; empty for one that places no piece
        self._before: list[str] = []  # of stationary pieces
        self._by_option: bool | None = None  # None: no solution was written yet

    def text(self, solution: Solution) -> str:
        """The solution as JSON."""
        if self._by_option is None:
            self._begin(solution)
        if not self._by_option:
            return as_json(written(solution))
        texts = self._texts
        parts = [*self._before]
        for option in solution.options:
            text = texts.get(option)
            if text is None:
                if len(texts) >= KEPT:
                    texts.clear()
                text = texts[option] = self._text(solution, option)
            if text:
                parts.append(text)
        return f"[{', '.join(parts)}]"

    def _begin(self, solution: Solution) -> None:
        model = solution.model
        # The name of one of several pieces of the same shape depends on the other pieces.
        self._by_option = model is None or all(len(group.members) == 1 for group in model.groups)
        if model is not None:
            self._before = [as_json(_placed(one)) for one in model.placements(())]

    def _text(self, solution: Solution, option: int) -> str:
        """The text of an option, in any solution that has it."""
        if solution.model is None:
            return as_json(solution.problem.words_of(option))
        placed = solution.model.placements((option,))[len(self._before) :]
        return "".join(as_json(_placed(one)) for one in placed)


def _placed(placement: Placement) -> dict[str, Any]:
    return {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}


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
        self._stream, self._after = stream, after
        self._before = before or repeat("")
        empty = as_json({"puzzle": document.name, key_of(document): []})
        self._head = empty.removesuffix("]}")
        self._texts = SolutionTexts()

    def add(self, solution: Solution, number: int) -> None:
        """Write a solution, and flush it."""
        start = ", " if self.begun else self._start()
        self._stream.write(start + self._texts.text(solution))
        self._stream.flush()

    def close(self, record: Mapping[str, Any]) -> None:
        """Write the rest of the object: the results known at the end."""
        rest = as_json({key: value for key, value in record.items() if key != "puzzle"})
        start = "" if self.begun else self._start()
        self._stream.write(f"{start}], {rest.removeprefix('{')}{self._after}")
        self._stream.flush()

    def _start(self) -> str:
        self.begun = True
        return next(self._before) + self._head


@contextmanager
def json_list(stream: IO[str]) -> Iterator[SinkOf]:
    """A stream that is one list of these objects, valid however the run ends."""
    before = chain("[", repeat(", "))
    try:
        yield lambda document: JsonObject(stream, document, before=before, after="")
    finally:
        stream.write("[]\n" if next(before) == "[" else "]\n")


class JsonLines(Sink):
    """The solutions of one puzzle as lines with an object each, without the report."""

    def __init__(self, stream: IO[str], document: Document) -> None:
        self._stream = stream
        self._puzzle, self._key = as_json(document.name), as_json(key_of(document))
        self._texts = SolutionTexts()

    def add(self, solution: Solution, number: int) -> None:
        """Write a line, and flush it."""
        self._stream.write(
            f'{{"puzzle": {self._puzzle}, "solution": {number}, '
            f"{self._key}: {self._texts.text(solution)}}}\n"
        )
        self._stream.flush()
