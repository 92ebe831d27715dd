"""Write the list of puzzles that Browse of `exactcover serve` shows.

To read the shipped puzzles takes seconds, and to estimate how hard they are takes minutes.
"""

from __future__ import annotations

import json
from math import log10
from pathlib import Path
from typing import Any

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.formats import Document
from exactcover.formats.shipped import entries
from exactcover.puzzle import Puzzle
from exactcover.puzzle.library.nouns import set_name, stem_of
from exactcover.search import Estimating

FILE = Path(__file__).parents[2] / "exactcover/app/serving/shelf.json"

STEPS = (1.5, 2.5, 3.5, 4.5)
"""Powers of ten of the nodes that a search takes for a solution, at which a puzzle is harder by
one: 30, 300, 3,000 and 30,000 nodes."""

SHOWN = ("rotations", "reflections", "all")
"""Which of the counts in a file is shown: the first of these that it has."""

SECONDS = 8.0
"""The time limit for an estimate of the nodes."""


def heading(entry: Document) -> dict[str, Any]:
    """The entry of a puzzle in the list."""
    puzzle = entry.puzzle
    assert puzzle is not None
    counted = next((one for one in SHOWN if one in entry.counts), None)
    return {
        "name": entry.name,
        "title": entry.title or entry.name.rpartition("/")[2],
        "lattice": puzzle.lattice.name,
        "dimension": puzzle.lattice.dimension,
        "cells": len(puzzle.space),
        "pieces": sum(piece.low for piece in puzzle.pieces) or len(puzzle.pieces),
        "size": _sides(puzzle),
        "set": _family(puzzle),
        "solutions": None if counted is None else entry.counts[counted],
        "counted": counted,
    }


def _sides(puzzle: Puzzle) -> str:
    """The sides of a region that is a box, as in `10x6`; else nothing."""
    cells = puzzle.space.cells[:, : puzzle.lattice.dimension]
    sides = np.ptp(cells, axis=0) + 1
    if int(sides.prod()) * len(puzzle.lattice.kinds) != len(cells):
        return ""
    return "x".join(str(side) for side in sides.tolist() if side > 1)


def _family(puzzle: Puzzle) -> str:
    """The family of the pieces, if all that are placed have one size: `pentominoes`."""
    sizes = {len(piece.cells) for piece in puzzle.pieces if not piece.stationary}
    return set_name(stem_of(puzzle.lattice), sizes.pop()) if len(sizes) == 1 else ""


def difficulty(entry: Document) -> int | None:
    """How hard a puzzle is, 1 to 5, by the nodes of a search for each solution; None: unknown."""
    try:
        found = Estimating(entry.content, counted="all", time_limit=SECONDS).run()
    except ExactCoverError:  # its rectangles are kept, so there are no cells to branch on
        return None
    if not found.nodes.value or not (found.batches or found.status == "exact"):
        return None
    nodes = found.nodes.value / max(1.0, found.solutions.value)
    return 1 + sum(log10(nodes) > step for step in STEPS)


def main() -> None:
    """Write the list."""
    rows = [
        json.dumps({**heading(entry), "difficulty": difficulty(entry)}, ensure_ascii=False)
        for entry in entries()
        if entry.puzzle is not None
    ]
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
