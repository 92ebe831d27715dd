"""What a picture of each kind of thing shows: a figure, and what it is in words.

A figure is made of parts, chosen here; how parts are drawn on a lattice is in `figures`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.lattices.base import Lattice
from exactcover.library import PieceSet, piece_set
from exactcover.proofs import Congruence, Inequality
from exactcover.puzzle import Model, Piece, Placement, Puzzle, Region, cells_array
from exactcover.render.bodies import as_tuples, bodies_of
from exactcover.render.colours import touching_cells
from exactcover.render.figures import figure_of
from exactcover.render.graphs import is_graph
from exactcover.render.palette import (
    EMPTY,
    OPTIONAL,
    PALETTE,
    Tone,
    colour,
    colour_numbers,
    mixed,
)
from exactcover.render.parts import Cell, Part
from exactcover.render.svg import Figure, captioned, in_grid
from exactcover.search.result import Solution
from exactcover.values.arguments import shown

MOST = 400
"""The most solutions or pieces on one sheet."""


@dataclass(frozen=True)
class Wishes:
    """How a user wants it drawn."""

    layers: bool
    names: bool


@dataclass(frozen=True)
class Scene:
    """A figure on a lattice, and what it shows, in words."""

    lattice: Lattice
    figure: Figure
    title: str
    description: str = ""


def scene_of(what: object, puzzle: Puzzle | None, lattice: Lattice | None, wishes: Wishes) -> Scene:
    """What a picture of this shows; raises `ExactCoverError` for what has no picture."""
    if isinstance(what, Solution):
        return _of_solution(what, wishes)
    if isinstance(what, Puzzle):
        fixed, bare = puzzle_parts(what, wishes)
        figure = figure_of(what.lattice, bare + fixed, layers=wishes.layers)
        return Scene(what.lattice, figure, _title(what), _told(what))
    if isinstance(what, Congruence | Inequality):
        return _of_proof(what, puzzle, wishes)
    if is_graph(what):
        from exactcover.render.graph_scenes import graph_scene  # it draws solutions, as this does

        return graph_scene(what, wishes)
    if isinstance(what, str):
        what = piece_set(what, lattice)
    if isinstance(what, PieceSet):
        pieces = [Piece(name, cells) for name, cells in what.pieces.items()]
        return _of_pieces(pieces, what.lattice, what.name, wishes)
    if isinstance(what, Region):
        return _of_region(what, _known(lattice or what.lattice), wishes)
    if isinstance(what, Piece):
        return _of_pieces([what], _known(lattice or what.lattice), what.name, wishes)
    if isinstance(what, Iterable):
        return _of_many(list(what), lattice, wishes)
    raise ExactCoverError(
        f"there is no picture of {shown(what)}: give a solution, a puzzle, a piece, a region, a "
        "set of pieces, a list of them, a graph, or a proof with its puzzle"
    )


def puzzle_parts(puzzle: Puzzle, wishes: Wishes) -> tuple[list[Part], list[Part]]:
    """The stationary pieces of a puzzle, and its cells without a piece."""
    pieces = _pieces(puzzle, _stationary(puzzle), wishes)
    return pieces, _ground(puzzle, as_tuples(puzzle.space.cells))


def solution_parts(solution: Solution, wishes: Wishes) -> tuple[Puzzle, list[Part], list[Part]]:
    """The puzzle of a solution, the pieces in their places, and the cells that stay empty."""
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no picture: it has no cells")
    puzzle, placements = solution.model.puzzle, solution.placements
    covered = {cell for placement in placements for cell in placement.cells}
    bare = [one for one in as_tuples(puzzle.space.cells) if one not in covered]
    return puzzle, _pieces(puzzle, placements, wishes), _ground(puzzle, bare)


def _of_solution(solution: Solution, wishes: Wishes) -> Scene:
    puzzle, parts, bare = solution_parts(solution, wishes)
    if puzzle.lattice.dimension <= 2:  # in space an empty cell would hide others
        parts = bare + parts
    figure = figure_of(puzzle.lattice, parts, layers=wishes.layers)
    used = ", ".join(
        name if times == 1 else f"{times} {name}"
        for name, times in Counter(placed.piece for placed in solution.placements).items()
    )
    return Scene(puzzle.lattice, figure, f"{_title(puzzle)}: a solution", f"Pieces: {used}")


def _pieces(puzzle: Puzzle, placements: Sequence[Placement], wishes: Wishes) -> list[Part]:
    """Placed pieces, each in a colour; those that touch differ."""
    return [
        Part(
            placement.cells,
            tone,
            placement.piece if wishes.names else "",
            placement.piece,
        )
        for placement, tone in zip(placements, tones_of(puzzle, placements), strict=True)
    ]


def tones_of(puzzle: Puzzle, placements: Sequence[Placement]) -> list[Tone]:
    """The colours of placed pieces; those of pieces that touch differ."""
    space = puzzle.space
    owners = np.full(len(space), -1)
    for number, placement in enumerate(placements):
        owners[space.find(np.array(placement.cells, np.int64))] = number
    pairs = owners[touching_cells(space)]
    touching = {(min(a, b), max(a, b)) for a, b in pairs.tolist() if a != b and min(a, b) >= 0}
    known = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
    names = [placement.piece for placement in placements]
    return [colour(number) for number in colour_numbers(names, known, touching)]


def _stationary(puzzle: Puzzle) -> list[Placement]:
    return [Placement(piece.name, tuple(as_tuples(piece.cells))) for piece in puzzle.stationary]


def _ground(puzzle: Puzzle, cells: Sequence[Cell]) -> list[Part]:
    """Cells without a piece: those to be filled, those that may stay empty, and painted ones."""
    taken = {cell for placed in _stationary(puzzle) for cell in placed.cells}
    optional = set(as_tuples(puzzle.region.optional))
    paint = puzzle.paint
    kinds: dict[tuple[bool, int], list[Cell]] = {}
    for cell in cells:
        if cell not in taken:
            painted = paint.cells.get(cell, 0) if paint is not None else 0
            kinds.setdefault((cell in optional, painted), []).append(cell)
    parts = []
    for (may_be_empty, number), those in sorted(kinds.items()):
        tone = OPTIONAL if may_be_empty else EMPTY
        told = "may stay empty" if may_be_empty else "to be filled"
        if number and paint is not None:
            tone = mixed(colour(number - 1), tone, 0.55)
            told = f"{told}, colour {paint.name(number)}"
        parts.append(Part(tuple(those), tone, title=told, whole=False))
    return parts


def _of_region(region: Region, lattice: Lattice, wishes: Wishes) -> Scene:
    must = cells_array(lattice, region.cells, "the region")
    may = cells_array(lattice, region.optional, "the optional cells")
    parts = [
        Part(tuple(as_tuples(must)), EMPTY, title="to be filled", whole=False),
        Part(tuple(as_tuples(may)), OPTIONAL, title="may stay empty", whole=False),
    ]
    figure = figure_of(lattice, parts, layers=wishes.layers)
    return Scene(lattice, figure, f"{len(must) + len(may)} {lattice.name} cells")


def _of_pieces(pieces: Sequence[Piece], lattice: Lattice, title: str, wishes: Wishes) -> Scene:
    """Pieces side by side, each below its name and the number of its copies."""
    _check_number(pieces)
    figures = []
    for number, piece in enumerate(pieces):
        cells = cells_array(lattice, piece.cells, f"piece {piece.name}")
        part = Part(tuple(as_tuples(cells)), colour(number % len(PALETTE)), title=piece.name)
        figure = figure_of(lattice, [part], layers=wishes.layers)
        copies = "" if piece.copies_text() == "1" else f" ({piece.copies_text()})"
        if wishes.names or copies:
            text = (piece.name if wishes.names else "") + copies
            figure = captioned(figure, text, 0.45 * bodies_of(lattice).pitch)
        figures.append(figure)
    told = "Pieces: " + ", ".join(piece.name for piece in pieces)
    return Scene(lattice, _sheet(figures, bodies_of(lattice).pitch), title, told)


def _of_many(many: list[Any], lattice: Lattice | None, wishes: Wishes) -> Scene:
    """Solutions, pieces or shapes on one sheet."""
    if many and all(isinstance(one, Solution) for one in many):
        _check_number(many)
        scenes = [_of_solution(one, wishes) for one in many]
        lattices = {scene.lattice for scene in scenes}
        if len(lattices) > 1:
            raise ExactCoverError("solutions on one sheet must be of puzzles on one lattice")
        pitch = bodies_of(scenes[0].lattice).pitch
        figures = [
            captioned(scene.figure, str(number), 0.6 * pitch)
            for number, scene in enumerate(scenes, 1)
        ]
        title = scenes[0].title.replace(": a solution", f": {len(scenes)} solutions")
        return Scene(scenes[0].lattice, _sheet(figures, pitch), title)
    if many and all(isinstance(one, Piece) for one in many):
        own = next((piece.lattice for piece in many if piece.lattice is not None), None)
        return _of_pieces(many, _known(lattice or own), f"{len(many)} pieces", wishes)
    if not many:
        raise ExactCoverError("the list is empty: there is nothing to draw")
    if any(isinstance(one, Solution | Piece | Puzzle) for one in many):
        raise ExactCoverError("a list must hold solutions only, pieces only or shapes only")
    known = _known(lattice)
    pieces = [Piece(str(number), cells) for number, cells in enumerate(many, 1)]
    return _of_pieces(
        pieces, known, f"{len(many)} shapes", Wishes(layers=wishes.layers, names=False)
    )


def _of_proof(proof: Congruence | Inequality, puzzle: Puzzle | None, wishes: Wishes) -> Scene:
    """The weights of the cells, as numbers on shades; solids in layers, so that each is seen."""
    if puzzle is None and isinstance(proof.posed, Model):
        puzzle = proof.posed.puzzle
    if puzzle is None:
        raise ExactCoverError("a proof is drawn on its puzzle: picture(proof, puzzle=puzzle)")
    model = puzzle.model
    values = proof.cell_values(model.layout).tolist()
    by_value: dict[int, list[Cell]] = {}
    for cell, value in zip(as_tuples(model.free.cells), values, strict=True):
        by_value.setdefault(value, []).append(cell)
    parts = [
        Part(tuple(by_value[value]), tone, str(value) if value else "", f"weight {value}",
             whole=False, single=True)
        for value, tone in _shades(sorted(by_value))
    ]  # fmt: skip
    figure = figure_of(puzzle.lattice, parts, layers=wishes.layers or puzzle.lattice.dimension > 2)
    told = f"Weights of cells; all that is to be covered weighs {proof.total}"
    if isinstance(proof, Congruence):
        told += f", and each option a multiple of {proof.modulus}"
    return Scene(puzzle.lattice, figure, f"{_title(puzzle)}: why there is no solution", told)


def _shades(values: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """A shade for each weight: blue above 0, orange below, the stronger the farther from 0."""
    most = max(map(abs, values), default=0) or 1
    for value in values:
        full = PALETTE[4] if value > 0 else PALETTE[0]
        yield value, mixed(EMPTY, full, 0.15 + 0.85 * abs(value) / most) if value else EMPTY


def _sheet(figures: Sequence[Figure], pitch: float) -> Figure:
    """Figures in a grid that is about as wide as it is high."""
    across = max(figure.size[0] for figure in figures) + pitch
    down = max(figure.size[1] for figure in figures) + pitch
    columns = max(1, min(len(figures), ceil(sqrt(len(figures) * 1.3 * down / across))))
    return in_grid(figures, columns, 0.9 * pitch)


def _check_number(many: Sequence[object]) -> None:
    if len(many) > MOST:
        raise ExactCoverError(f"{len(many):,} are too many for one sheet: up to {MOST}")


def _known(lattice: Lattice | None) -> Lattice:
    if lattice is None:
        raise ExactCoverError(
            'cells alone do not say on which lattice they lie: picture(..., lattice="square")'
        )
    return lattice


def _title(puzzle: Puzzle) -> str:
    return puzzle.name or f"a puzzle on {puzzle.lattice.name} cells"


def _told(puzzle: Puzzle) -> str:
    pieces = ", ".join(piece.name for piece in puzzle.pieces)
    return f"{len(puzzle.space)} {puzzle.lattice.name} cells. Pieces: {pieces}"
