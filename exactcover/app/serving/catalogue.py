"""The lists to choose from: lattices, sets of pieces, and the shipped puzzles.

The list of shipped puzzles with their sizes and difficulty is a file, `shelf.json`: to read them
all takes seconds, and to estimate how hard they are takes minutes. `python -m
exactcover.app.serving.catalogue` writes it again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from math import log10
from typing import Any

import numpy as np

from exactcover.app.serving.bounds import Refusal
from exactcover.app.serving.children import Answer
from exactcover.app.serving.client_puzzles import ClientPuzzle, known
from exactcover.app.serving.page_boards import answer_with, examples
from exactcover.errors import ExactCoverError, UnknownName
from exactcover.formats import Document, read_file
from exactcover.formats.shipped import entries, paths
from exactcover.lattices import Lattice, lattices
from exactcover.puzzle import Puzzle
from exactcover.puzzle.library import piece_set
from exactcover.puzzle.library.nouns import set_name, stem_of

LARGEST = {1: 5, 2: 6, 3: 4, 4: 4}
"""The largest pieces whose set is offered, by the number of dimensions; 3 beyond."""

MOST = 400
"""Pieces of a set that is shown."""

STEPS = (1.5, 2.5, 3.5, 4.5)
"""Powers of ten of the nodes that a search takes for a solution, at which a puzzle is harder by
one: 30, 300, 3,000 and 30,000 nodes."""

SHOWN = ("rotations", "reflections", "all")
"""Which of the counts in a file is shown: the first of these that it has."""

SECONDS = 8.0
"""The time limit for an estimate of the nodes."""


def all_lattices(given: Mapping[str, Any]) -> Answer:
    """The lattices, with boards and sets for each."""
    return Answer.of(
        [
            {
                "name": name,
                "dimension": lattice.dimension,
                "title": lattice.summary or name,
                "cell": lattice.coordinates_text(),
                "boards": examples(lattice),
                "sets": _sets(lattice),
            }
            for name, lattice in lattices().items()
        ]
    )


def _sets(lattice: Lattice) -> list[str]:
    """The names of the sets of a lattice; any larger one can be named, too."""
    most = LARGEST.get(lattice.dimension, 3)
    names = [set_name(stem_of(lattice), size) for size in range(1, most + 1)]
    if lattice.name == "cubic":
        names += ["pentacubes", "tetrominoes", "pentominoes", "planar pentacubes"]
    return [*dict.fromkeys([*names, *lattice.piece_names.sets])]


def pieces_of_set(given: Mapping[str, Any]) -> Answer:
    """The pieces of a set."""
    lattice = given["lattice"]
    found = piece_set(given["name"], None if lattice is None else known(lattice))
    if len(found) > MOST:
        raise Refusal(413, f"{found.name} are {len(found):,} pieces: up to {MOST} are shown")
    return Answer.of([{"name": piece.name, "cells": piece.cells.tolist()} for piece in found])


# -- the shipped puzzles --------------------------------------------------------------------------


def shelved(given: Mapping[str, Any]) -> Answer:
    """A shipped puzzle."""
    return answer_with(ClientPuzzle.of(shelved_document(given)), given)


def shelved_document(given: Mapping[str, Any]) -> Document:
    """A shipped puzzle as it was read; raises `Refusal`."""
    name = f"{given['lattice']}/{given['name']}"
    file, _, number = name.partition("#")
    there = paths().get(file)
    if there is None:
        near = UnknownName("puzzle", file[:80], paths())
        raise Refusal(404, str(near))
    for entry in read_file(there, name=file):
        if entry.puzzle is not None and entry.name == (
            f"{file}#{number}" if number else entry.name
        ):
            return entry
    raise Refusal(404, f"{name[:80]} is no puzzle with cells")


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
    from exactcover.search.estimates import Estimating

    try:
        found = Estimating(entry.content, counted="all", time_limit=SECONDS).run()
    except ExactCoverError:  # its rectangles are kept, so there are no cells to branch on
        return None
    if not found.nodes.value or not (found.batches or found.status == "exact"):
        return None
    nodes = found.nodes.value / max(1.0, found.solutions.value)
    return 1 + sum(log10(nodes) > step for step in STEPS)


def listed(*, measured: bool) -> list[dict[str, Any]]:
    """The list, read anew; `measured`: with the difficulty of each."""
    return [
        {**heading(entry), "difficulty": difficulty(entry) if measured else None}
        for entry in entries()
        if entry.puzzle is not None
    ]


if __name__ == "__main__":
    rows = [json.dumps(row, ensure_ascii=False) for row in listed(measured=True)]
    sys.stdout.write("[\n" + ",\n".join(rows) + "\n]\n")
