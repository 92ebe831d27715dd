"""Solutions as they are found: drawn on standard output, or as lines of JSON in a file.

    {"puzzle": "somacube", "solution": 1, "placements": [...]}

The memory of both does not grow with the number of solutions.
"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any

import exactcover as ec
from exactcover.cli.files import Target, opened_file
from exactcover.cli.options import drawn_text

if TYPE_CHECKING:
    from exactcover.formats import Document
    from exactcover.show.palette import Wish

LINES = (".jsonl",)
"""The ending of files of solutions."""


def written(solution: ec.Solution) -> list[Any]:
    """A solution for JSON: pieces with their cells, or the items of each option."""
    if solution.model is None:
        return [solution.problem.words_of(option) for option in solution.options]
    return [
        {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}
        for placement in solution.placements
    ]


def key_of(document: Document) -> str:
    """The key of solutions in JSON."""
    return "placements" if document.puzzle else "options"


def write_line(stream: IO[str], document: Document, number: int, solution: ec.Solution) -> None:
    """Write a solution as a line of JSON, and flush it."""
    line = {"puzzle": document.name, "solution": number, key_of(document): written(solution)}
    stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    stream.flush()


def draw_solution(heading: str, solution: ec.Solution, color: Wish) -> None:
    """Draw a solution, or a part of one, below a line of words, with its cost if it has one."""
    costs = solution.problem.costs is not None
    cost = f"\ncost {solution.cost:.15g}" if costs else ""
    sys.stdout.write(f"{heading}\n{drawn_text(solution, color)}{cost}\n")


class Sink:
    """Takes the solutions of one puzzle after the other.

    output    where they are written as lines; None: nowhere
    color     how they are drawn on standard output; None: they are not
    keep      whether those of a puzzle are kept for its `record`
    picture   how many of all are kept for a picture, in `pictured`
    """

    def __init__(
        self, output: Target | None, color: Wish | None, *, keep: bool = False, picture: int = 0
    ) -> None:
        self._output, self.color = output, None if output else color
        self._keep, self._picture = keep, picture
        self._closing = ExitStack()
        self._file: IO[str] | None = None
        self.record: dict[str, list[Any]] = {}
        self.pictured: list[ec.Solution] = []

    def __bool__(self) -> bool:
        """Whether it does anything with solutions."""
        return bool(self._output or self.color or self._keep or self._picture)

    def begin(self, document: Document) -> None:
        """Take the solutions of this puzzle from now on; a file is replaced now, and no earlier."""
        self._document, self.record = document, {key_of(document): []} if self._keep else {}
        if self._output is not None and (self._file is None or self._output.in_folder):
            self.close()
            self._file = self._closing.enter_context(opened_file(self._output.file_of(document)))

    def add(self, solution: ec.Solution, number: int) -> None:
        """Take a solution."""
        if self._file is not None:
            write_line(self._file, self._document, number, solution)
        if self.color is not None:
            from exactcover.show.text import heading

            draw_solution(heading(number), solution, self.color)
        for kept in self.record.values():
            kept.append(written(solution))
        if len(self.pictured) < self._picture:
            self.pictured.append(solution)

    def close(self) -> None:
        """Close the file, if one is open."""
        self._closing.close()
