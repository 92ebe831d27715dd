"""Pictures of puzzles, solutions, pieces and proofs.

    picture(solution).save("solution.svg")

A `Picture` is SVG as text. A scene is a figure made of parts, and its description in words; how
parts are drawn on a lattice is in `board`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Real
from pathlib import Path as File
from typing import Any

import numpy as np

from exactcover.base.values.arguments import check_choice, check_kind, shown, wrong
from exactcover.errors import ExactCoverError
from exactcover.geometry.bodies import as_tuples, bodies_of
from exactcover.geometry.cells import CellSet
from exactcover.lattices import get_lattice
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Cell, Model, Piece, Placement, Puzzle, Region
from exactcover.search.result import Solution
from exactcover.show import svg
from exactcover.show.board import (
    BoardState,
    DrawnBoard,
    Part,
    board_with,
    copies,
    ground_of,
    parts_of,
    state_of,
    tones_on,
)
from exactcover.show.paint import View, figure
from exactcover.show.palette import EMPTY, GROUND, PALETTE, colour, mixed, own_colours
from exactcover.show.subjects import (
    PieceList,
    cells_to_fill,
    known,
    subject_of,
    title_of,
)
from exactcover.show.svg import AUTO, THEMES, Figure, Theme, captioned
from exactcover.trust.proofs import Congruence

CELL = 36.0
"""Pixels from a cell to the next, where the picture does not become too large."""

LARGEST = 1400.0
"""Pixels of the longer side of a picture whose size is not given."""

MARGIN = 8.0
"""Pixels round a picture."""

JOINED = "Opposite sides of the board are joined"
"""The sentence for the description of a picture of a wrapped board."""


@dataclass(frozen=True)
class Picture:
    """A picture: SVG as text, and its size in pixels. Notebooks show it."""

    svg: str
    width: float
    height: float

    def save(self, path: str | File, *, zoom: float = 1.0) -> None:
        """Write it to a file: `.svg`; with the extra `picture` also `.png`.

        zoom  enlarges a PNG
        """
        svg.saved(self.svg, File(path), zoom)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture {self.width:.0f} x {self.height:.0f}>"


def picture(
    what: object,
    *,
    puzzle: Puzzle | None = None,
    lattice: Lattice | str | None = None,
    layers: bool = False,
    names: bool = True,
    theme: Theme = AUTO,
    cell: float | None = None,
    title: str | None = None,
) -> Picture:
    """A picture of a puzzle, a solution, pieces, a region or a proof, as SVG.

        >>> import exactcover as ec
        >>> puzzle = ec.read("pentominoes_10x6")
        >>> ec.picture(ec.first(puzzle))
        <Picture 376 x 232>

    what     a solution; a puzzle, drawn without its movable pieces; a piece or a region; the name
             of a set of pieces, such as "pentominoes"; a list of solutions, of puzzles, of pieces
             or of shapes (each a list of cells), drawn on one sheet; a list of placements; a
             lattice, of which a few cells are drawn with their coordinates; or a proof that
             `find_proof` gave
    puzzle   for a proof: the puzzle that has no solution. Default: None, the one that it was found
             for
    lattice  for pieces, shapes, placements and regions: a lattice, or its name. Default: None, that
             of the puzzle which they are taken from
    layers   cells in space are drawn in layers, one for each height. Default: False
    names    pieces are drawn with their names. Default: True
    theme    "light", "dark", or "auto": as the reader of the picture prefers. Default: "auto"
    cell     pixels from a cell to the next, of which 96 are an inch on paper. Default: 36, or less
             where the picture is large
    title    a title, which screen readers read out. Default: the name of the puzzle

    Raises `ExactCoverError` for what has no picture, such as a solution of a plain problem.
    """
    check_choice("theme", theme, THEMES)
    check_kind("layers", layers, bool, "True or False")
    check_kind("names", names, bool, "True or False")
    if cell is not None and not (_is_number(cell) and 0 < cell <= LARGEST):
        raise wrong("cell", cell, f"a number of pixels, more than 0 and at most {LARGEST:.0f}")
    if title is not None:
        check_kind("title", title, str, "a text")
    chosen = get_lattice(lattice) if isinstance(lattice, str) else lattice
    scene = scene_of(what, puzzle, chosen, Wishes("layers" if layers else "solid", names))
    return pictured(scene, theme, cell, title)


def pictured(
    scene: Scene,
    theme: Theme = AUTO,
    cell: float | None = None,
    title: str | None = None,
) -> Picture:
    """The picture of a scene; the arguments are those of `picture`."""
    size = bodies_of(scene.lattice).pitch
    longest = max(*scene.figure.size, 1e-9)
    scale = min(CELL / size, LARGEST / longest) if cell is None else cell / size
    text, width, height = svg.Writer(theme, scale).document(
        scene.figure,
        MARGIN,
        title if title is not None else scene.title,
        scene.description,
    )
    return Picture(text, width, height)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def shown_in_notebook(what: object) -> str | None:
    """The picture that a notebook shows; None where there is none, so that it shows the text."""
    if isinstance(what, Solution) and what.model is None:
        return None
    if isinstance(what, Piece | Region) and what.lattice is None:
        return None
    if isinstance(what, Congruence) and what.posed is None:
        return None
    return picture(what).svg


# -- the scene of each kind of thing --------------------------------------------------------------

MOST = 400
"""The most solutions or pieces on one sheet."""

FEW = 2
"""A picture of a lattice in space with more kinds of cell shows one cell of each."""


@dataclass(frozen=True)
class Wishes:
    """How a user wants it drawn."""

    view: View
    names: bool


@dataclass(frozen=True)
class Scene:
    """A figure on a lattice, and what it shows, in words."""

    lattice: Lattice
    figure: Figure
    title: str
    description: str = ""


def scene_of(what: object, puzzle: Puzzle | None, lattice: Lattice | None, wishes: Wishes) -> Scene:
    """The scene of a picture of this; raises `ExactCoverError` if it has no picture."""
    sort, read = subject_of(what, lattice)
    scenes: dict[str, Callable[[], Scene]] = {
        "solution": lambda: _of_solution(read, wishes),
        "solutions": lambda: _of_solutions(read, wishes),
        "puzzle": lambda: _of_puzzle(read, wishes),
        "puzzles": lambda: _of_puzzles(read, wishes),
        "placements": lambda: _of_placements(read, known(lattice), wishes),
        "pieces": lambda: _of_pieces(read, wishes),
        "region": lambda: _of_region(read, known(lattice or read.lattice), wishes),
        "lattice": lambda: _of_lattice(read, wishes),
        "proof": lambda: _of_proof(read, puzzle, wishes),
    }
    if sort not in scenes:
        raise ExactCoverError(
            f"there is no picture of {shown(what)}: give a solution, a puzzle, a piece, a region, "
            "a set of pieces, a lattice, a list of solutions, puzzles, pieces or placements, or a "
            "proof with its puzzle"
        )
    return scenes[sort]()


def puzzle_of(solution: Solution) -> Puzzle:
    """The puzzle of a solution; raises `ExactCoverError` for one of a plain problem."""
    if solution.model is None:
        raise ExactCoverError("a solution of a plain problem has no picture: it has no cells")
    return solution.model.puzzle


def _of_solution(solution: Solution, wishes: Wishes) -> Scene:
    puzzle = puzzle_of(solution)
    placements = solution.placements
    state = state_of(puzzle, placements, names=wishes.names)
    if puzzle.lattice.dimension > 2:  # in space an empty cell would hide others
        owners = [owner if owner < len(placements) else -1 for owner in state.owners]
        state = BoardState(owners, state.parts)
    used = ", ".join(
        name if times == 1 else f"{times} {name}"
        for name, times in Counter(placement.piece for placement in placements).items()
    )
    description = f"Pieces: {used}" + f". {JOINED}" * bool(puzzle.region.wrap)
    drawn = figure(DrawnBoard.of(puzzle), state, view=wishes.view)
    return Scene(puzzle.lattice, drawn, f"{title_of(puzzle)}: a solution", description)


def _of_placements(many: Sequence[Placement], lattice: Lattice, wishes: Wishes) -> Scene:
    """Pieces in their places, without a puzzle."""
    times = Counter(placement.piece for placement in many)
    space = CellSet.of(lattice, np.array([cell for one in many for cell in one.cells], np.int64))
    parts = parts_of(many, tones_on(space, many, times), names=wishes.names)
    board = DrawnBoard.of(space)
    state = BoardState(board.owners(one.cells for one in many), parts)
    drawn = figure(board, state, view=wishes.view)
    return Scene(lattice, drawn, f"{len(many)} placed pieces", f"Pieces: {', '.join(times)}")


def _of_puzzle(puzzle: Puzzle, wishes: Wishes) -> Scene:
    """The region, with stationary pieces."""
    state = state_of(puzzle, names=wishes.names)
    pieces = ", ".join(piece.name for piece in puzzle.pieces)
    description = f"{len(puzzle.space)} {puzzle.lattice.name} cells. Pieces: {pieces}"
    description += f". {JOINED}" * bool(puzzle.region.wrap)
    drawn = figure(DrawnBoard.of(puzzle), state, view=wishes.view)
    return Scene(puzzle.lattice, drawn, title_of(puzzle), description)


def _of_region(region: Region, lattice: Lattice, wishes: Wishes) -> Scene:
    cells = cells_to_fill(region, lattice)
    drawn = figure(*board_with(lattice, ground_of(region, cells)), view=wishes.view)
    return Scene(lattice, drawn, f"{len(cells)} {lattice.name} cells")


def _of_lattice(lattice: Lattice, wishes: Wishes) -> Scene:
    """A few cells with their coordinates on them, a colour for each kind of cell.

    Coordinates from the fourth on number blocks, so they are in the captions. Where there is one
    cell of each kind, the number of its kind is enough.
    """
    several = len(lattice.kinds) > 1
    side = 2 if several or lattice.dimension > 2 else 3
    side = 1 if lattice.dimension > 2 and len(lattice.kinds) > FEW else side
    vectors = np.array([*product(range(side), repeat=lattice.dimension)], np.int64)
    shown_axes = [*range(min(lattice.dimension, 3)), *range(lattice.dimension, lattice.width)]
    shown_axes = shown_axes if side > 1 else shown_axes[-1:]
    parts = []
    for kind, name in enumerate(lattice.kinds):
        tone = mixed(colour(kind), GROUND, 0.45) if several else EMPTY
        for cell in as_tuples(lattice.cells(vectors, np.full(len(vectors), kind))):
            label = ",".join(str(cell[axis]) for axis in shown_axes) if wishes.names else ""
            parts.append(([cell], Part(tone, label, name)))
    drawn = figure(*board_with(lattice, parts), view=wishes.view)
    return Scene(lattice, drawn, f"{lattice.name} cells", lattice.summary)


def _of_pieces(wanted: PieceList, wishes: Wishes) -> Scene:
    """Pieces side by side, each below its name and the number of its copies."""
    _check_number(wanted.pieces)
    own = own_colours(copies(wanted.pieces))
    lattice, pitch = wanted.lattice, bodies_of(wanted.lattice).pitch
    figures = []
    for place, (piece, cells, noted) in enumerate(wanted.with_cells()):
        number = next(iter(own[piece.name]), place % len(PALETTE))
        part = Part(colour(number), title=piece.name)
        drawn = figure(*board_with(lattice, [(cells, part)]), view=wishes.view)
        text = piece.name * (wishes.names and wanted.named) + noted
        figures.append(captioned(drawn, text, 0.45 * pitch) if text else drawn)
    description = "Pieces: " + ", ".join(piece.name for piece in wanted.pieces)
    return Scene(lattice, svg.sheet(figures, pitch), wanted.title, description)


def _of_solutions(many: Sequence[Solution], wishes: Wishes) -> Scene:
    """Solutions side by side, each below its number."""
    _check_number(many)
    scenes = [_of_solution(one, wishes) for one in many]
    lattice = _one_lattice([scene.lattice for scene in scenes], "solutions")
    pitch = bodies_of(lattice).pitch
    figures = [
        captioned(scene.figure, str(number), 0.6 * pitch) for number, scene in enumerate(scenes, 1)
    ]
    title = scenes[0].title.replace(": a solution", f": {len(scenes)} solutions")
    return Scene(lattice, svg.sheet(figures, pitch), title)


def _of_puzzles(many: Sequence[Puzzle], wishes: Wishes) -> Scene:
    """Boards side by side, each below the name of its puzzle; large ones are made smaller."""
    _check_number(many)
    lattice = _one_lattice([puzzle.lattice for puzzle in many], "puzzles")
    pitch = bodies_of(lattice).pitch
    figures = []
    for puzzle in many:
        name = puzzle.name.rpartition("/")[2] if wishes.names else ""
        figures.append(svg.tile(_of_puzzle(puzzle, wishes).figure, name, pitch))
    description = "Puzzles: " + ", ".join(puzzle.name for puzzle in many if puzzle.name)
    return Scene(
        lattice, svg.sheet(figures, pitch), f"{len(many)} {lattice.name} puzzles", description
    )


def _one_lattice(lattices: Sequence[Lattice], what: str) -> Lattice:
    if len(set(lattices)) > 1:
        raise ExactCoverError(f"{what} on one sheet must be of one lattice")
    return lattices[0]


def _of_proof(proof: Congruence, puzzle: Puzzle | None, wishes: Wishes) -> Scene:
    """The weights of the cells, as numbers on shades; solids in layers, so that each is seen."""
    if puzzle is None and isinstance(proof.posed, Model):
        puzzle = proof.posed.puzzle
    if puzzle is None:
        raise ExactCoverError("a proof is drawn on its puzzle: picture(proof, puzzle=puzzle)")
    model = puzzle.model
    values = proof.values(model.layout.cell_item).tolist()
    by_value: dict[int, list[Cell]] = {}
    for cell, value in zip(as_tuples(model.free.cells), values, strict=True):
        by_value.setdefault(value, []).append(cell)
    parts = [
        (by_value[value], Part(tone, str(value or ""), f"weight {value}", whole=False))
        for value, tone in _shades(sorted(by_value))
    ]
    drawn = figure(*board_with(puzzle.lattice, parts), view="layers")
    description = (
        f"Weights of cells; all that is to be covered weighs {proof.total}, and each option a "
        f"multiple of {proof.modulus}"
    )
    title = f"{title_of(puzzle)}: why there is no solution"
    return Scene(puzzle.lattice, drawn, title, description)


def _shades(values: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """A shade for each weight: blue above 0, orange below, the stronger the farther from 0."""
    most = max(map(abs, values), default=0) or 1
    for value in values:
        full = PALETTE[4] if value > 0 else PALETTE[0]
        yield value, mixed(EMPTY, full, 0.15 + 0.85 * abs(value) / most) if value else EMPTY


def _check_number(many: Sequence[object]) -> None:
    if len(many) > MOST:
        raise ExactCoverError(f"{len(many):,} are too many for one sheet: up to {MOST}")
