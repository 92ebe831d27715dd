"""Puzzles and boards as the page draws them: each cell a polygon, in layers side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from math import cos, hypot, pi, sin
from typing import Any

import numpy as np

from exactcover.app.serving import json_types
from exactcover.app.serving.bounds import Refusal
from exactcover.app.serving.children import Answer
from exactcover.app.serving.client_puzzles import (
    ClientPuzzle,
    drawn,
    known,
    posed,
    read,
    remembered,
)
from exactcover.errors import ExactCoverError
from exactcover.formats import Refused
from exactcover.geometry.cells import CellSet
from exactcover.geometry.regions import families, region_cells
from exactcover.lattices import Lattice
from exactcover.puzzle import Piece, Puzzle
from exactcover.show.render.board import board_of
from exactcover.show.render.board_parts import copies
from exactcover.show.render.palette import FIXED, PALETTE, Tone, colour, ink_on, own_colours
from exactcover.show.render.svg import Point
from exactcover.show.render.tiles import JOINT, Sheet, Tile

SIDES = 12
"""The sides of the polygon that stands for a disc."""

EXAMPLES, SMALL = (12, 8, 6, 5, 4, 3, 2, 1), (2, 1)
"""Sizes that are tried for an example of a family of regions; the latter beyond four dimensions."""

USUAL = {1: "20", 2: "8x8", 3: "4x4x4", 4: "3x3x3x3"}
"""A box to begin with, by the number of dimensions."""

FEW, MANY = 8, 300
"""The least and the most cells of an example."""

MOST = 2000
"""Pieces of a puzzle that the page shows."""


def described(one: ClientPuzzle, cells: int) -> json_types.PuzzleJson:
    """The description of a puzzle for a page.

    cells  the most that it may have
    """
    return {
        "id": one.id,
        "title": one.title,
        "toml": one.text,
        "link": one.link,
        "reflect": bool(one.puzzle.reflections),
        "undrawn": undrawn(one.puzzle),
        **on_the_table(one.puzzle, cells),
    }


def on_the_table(puzzle: Puzzle, cells: int) -> json_types.TableJson:
    """The board and the pieces of a puzzle.

    cells  the most that it may have
    """
    if len(puzzle.pieces) > MOST:
        raise Refusal(413, f"{len(puzzle.pieces):,} pieces are too many for the page: up to {MOST}")
    optional = puzzle.space.find(puzzle.region.optional)
    return {
        "lattice": puzzle.lattice.name,
        "dimension": puzzle.lattice.dimension,
        "board": board(puzzle.space, cells),
        "pieces": [
            _piece(puzzle, number, tone, cells) for number, tone in enumerate(_tones(puzzle))
        ],
        "secondary": optional.tolist(),
    }


def _tones(puzzle: Puzzle) -> list[Tone]:
    """The colour of each piece, the same as on pictures."""
    own = own_colours(copies(puzzle.movable))
    return [
        FIXED if piece.stationary else colour(next(iter(own[piece.name]), number % len(PALETTE)))
        for number, piece in enumerate(puzzle.pieces)
    ]


def _piece(puzzle: Puzzle, number: int, tone: Tone, cells: int) -> json_types.PieceJson:
    piece = puzzle.pieces[number]
    shape = CellSet.of(puzzle.lattice, piece.cells)
    return {
        "name": piece.name,
        "low": piece.low,
        "high": piece.high,
        "cells": piece.cells.tolist(),
        "stationary": piece.stationary,
        "colour": tone.light,
        "dark": tone.dark,
        "ink": ink_on(tone).light,
        "outline": board(shape, cells),
    }


def undrawn(puzzle: Puzzle) -> str | None:
    """The features of the puzzle that a draft cannot hold and would lose; None: nothing."""
    region = puzzle.region
    lost = {
        "its stationary pieces": bool(puzzle.stationary),
        "its wrapped edges": bool(region.wrap),
        "how many cells stay empty": region.empty is not None,
        "its costs": puzzle.has_costs,
        "its colours": puzzle.paint is not None,
        "where pieces may lie": any(piece.within is not None for piece in puzzle.pieces),
        "what single pieces may do": any(
            piece.reflections is not None or piece.crossing is not None for piece in puzzle.pieces
        ),
        "that pieces may not cross": not puzzle.crossing,
    }
    found = [what for what, there in lost.items() if there]
    return f"Editing loses {' and '.join(found)}: the text keeps all." if found else None


def board(space: CellSet, most: int) -> json_types.BoardJson:
    """The cells of a board and where each is drawn, in distances between neighbours.

    most  cells; raises `Refusal` if there are more
    """
    if len(space) > most:
        raise Refusal(413, f"{len(space):,} cells are too many for the page: up to {most:,}")
    made = board_of(space)
    sheets: list[tuple[str, Sheet]] = []
    block, number = "", 0
    for sheet in made.sheets:
        if sheet.solid:
            block, number = sheet.title, 0
            continue
        number += 1
        sheets.append((", ".join(filter(None, (block, f"layer {number}"))), sheet))
    return {"cells": space.cells.tolist(), "layers": _layers(sheets, made.pitch)}


def _layers(sheets: Sequence[tuple[str, Sheet]], pitch: float) -> list[json_types.Layer]:
    """The layers of a board in boxes of one size: equal places of two layers lie alike."""
    drawn = [
        [[(np.array(point) - sheet.at) / pitch for point in _polygon(tile)] for tile in sheet.tiles]
        for _, sheet in sheets
    ]
    points = np.array([point for layer in drawn for polygon in layer for point in polygon])
    corner = points.min(axis=0)
    width, height = np.round(points.max(axis=0) - corner, 4).tolist()
    return [
        {
            "title": title,
            "width": width,
            "height": height,
            "cells": [tile.cell for tile in sheet.tiles],
            "polygons": [np.round(polygon - corner, 4).tolist() for polygon in layer],
            "joints": [
                [place, side, JOINT - other]
                for place, tile in enumerate(sheet.tiles)
                if not tile.size
                for side, other in enumerate(tile.beyond)
                if other <= JOINT
            ],
        }
        for (title, sheet), layer in zip(sheets, drawn, strict=True)
    ]


def _polygon(tile: Tile) -> list[Point]:
    """The corners of a tile; of a disc or a bar, those of a polygon that looks like it."""
    if len(tile.points) == 1:
        ((x, y),) = tile.points
        turns = [2 * pi * (step + 0.5) / SIDES for step in range(SIDES)]
        return [(x + tile.size * cos(turn), y + tile.size * sin(turn)) for turn in turns]
    if tile.size:
        return _bar(tile)
    return list(tile.points)


def _bar(tile: Tile) -> list[Point]:
    """A bar with pointed ends, so that those that meet at a point leave each other room."""
    (ax, ay), (bx, by) = tile.points
    length = hypot(bx - ax, by - ay)
    if not length:  # it stands upright
        half = tile.size / 2
        return [(ax - half, ay), (ax, ay - half), (ax + half, ay), (ax, ay + half)]
    ux, uy = (bx - ax) / length * tile.size / 2, (by - ay) / length * tile.size / 2
    return [
        (ax, ay), (ax + ux - uy, ay + uy + ux), (bx - ux - uy, by - uy + ux),
        (bx, by), (bx - ux + uy, by - uy - ux), (ax + ux + uy, ay + uy - ux),
    ]  # fmt: skip


def named(lattice: Lattice, shape: str) -> CellSet:
    """The cells of a region in words, such as `10x6` or `hexagon 3`."""
    if "\n" in shape:
        raise Refusal(400, "shape: a region in words is needed, such as 10x6")
    one = Piece("one", np.zeros((1, lattice.width), np.int64), 0, 1)
    return Puzzle.of([one], shape or usual(lattice), lattice).space


def around(one: ClientPuzzle, margin: int, most: int) -> CellSet:
    """All cells in the box around those of a puzzle, with a margin."""
    lattice, cells = one.puzzle.lattice, one.puzzle.space.cells
    vectors = lattice.vectors(cells)
    low, high = vectors.min(axis=0) - margin, vectors.max(axis=0) + margin
    number = float(np.prod(high - low + 1.0)) * len(lattice.kinds)
    if number > most:
        raise Refusal(413, f"{number:,.0f} cells are too many for the page: up to {most:,}")
    ranges = [range(a, b + 1) for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    grid = np.array([*product(*ranges)], np.int64)
    every = [lattice.cells(grid, np.full(len(grid), kind)) for kind in range(len(lattice.kinds))]
    return CellSet.of(lattice, np.concatenate(every))


def usual(lattice: Lattice) -> str:
    """A board to begin with."""
    return USUAL.get(lattice.dimension, "x".join(["2"] * lattice.dimension))


def examples(lattice: Lattice) -> list[json_types.FamilyJson]:
    """The families of regions of a lattice, each with an example."""
    found: list[json_types.FamilyJson] = []
    for family in families(lattice):
        if family.name == "box":
            found.append({"name": "box", "usage": family.usage, "example": usual(lattice)})
            continue
        sizes = _sizes(lattice, family.name, len(family.sizes))
        if sizes is not None:
            text = " ".join([family.name, *map(str, sizes)])
            found.append({"name": family.name, "usage": family.usage, "example": text})
    return found


def _sizes(lattice: Lattice, family: str, many: int) -> list[int] | None:
    """Sizes that make a region of moderate size."""
    chosen = EXAMPLES if lattice.dimension <= 4 else SMALL
    tries = [[size] * many for size in chosen]
    tries += [[a] + [b] * (many - 1) for a, b in pairwise(chosen) if many > 1]
    for sizes in tries:
        try:
            number = len(region_cells(lattice, family, sizes))
        except ExactCoverError:
            continue
        if FEW <= number <= MANY:
            return sizes
    return None


# -- questions ------------------------------------------------------------------------------------


def answer_with(one: ClientPuzzle, given: Mapping[str, Any]) -> Answer:
    """The description of a puzzle, which the server is to keep."""
    made = described(one, given["limits"]["cells"])
    remembered(one)
    return Answer.of(made, keep={one.id: one.text})


def describe(given: Mapping[str, Any]) -> Answer:
    """A puzzle."""
    return answer_with(posed(given), given)


def draft(given: Mapping[str, Any]) -> Answer:
    """The puzzle of a draft."""
    return answer_with(drawn(given["draft"], given["limits"]["cells"]), given)


def about(given: Mapping[str, Any]) -> Answer:
    """The data that a run needs; an invalid strategy is an error."""
    one = posed(given)
    if given["strategy"]:
        from exactcover.app.serving.advice import allowed

        allowed(given["strategy"])
    names = [piece.name for piece in one.puzzle.pieces]
    return Answer.of({"title": one.title, "pieces": names, "cells": len(one.puzzle.space)})


def read_file(given: Mapping[str, Any]) -> Answer:
    """The puzzles of a file."""
    puzzles, refused, keep = [], [], {}
    for entry in read(given, given["limits"]["bytes"]):
        if isinstance(entry, Refused):
            refused.append({"title": entry.name, "why": str(entry.error)})
            continue
        try:
            puzzles.append(described(entry, given["limits"]["cells"]))
        except Refusal as refusal:
            refused.append({"title": entry.title, "why": refusal.message})
            continue
        keep[entry.id] = entry.text
        remembered(entry)
    if not puzzles:
        raise Refusal(422, refused[0]["why"] if refused else "it holds no puzzle")
    return Answer.of({"puzzles": puzzles, "refused": refused}, keep=keep)


def cells_to_draw_on(given: Mapping[str, Any]) -> Answer:
    """The board of a region in words, or the box around a puzzle."""
    lattice, most = known(given["lattice"]), given["limits"]["cells"]
    if "around" not in given:
        return Answer.of(board(named(lattice, given["shape"]), most))
    one = posed(given["around"])
    if one.puzzle.lattice.name != lattice.name:
        raise Refusal(400, f"the puzzle is on the lattice {one.puzzle.lattice.name}")
    return Answer.of(board(around(one, given["margin"], most), most))
