"""Random small puzzles on any lattice, and how they are handed to the package."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, get_lattice
from exactcover.puzzle import Model, Piece, Puzzle, Region
from tests.helpers.naive_tiling import Cell, PlainPiece, PlainPuzzle


@st.composite
def grown(draw: st.DrawFn, lattice: Lattice, size: int, spread: float = 0.0) -> tuple[Cell, ...]:
    """A set of cells, connected unless a far one is thrown in."""
    kind, dimension = draw(st.integers(0, len(lattice.kinds) - 1)), lattice.dimension
    cells: list[Cell] = [_cell(lattice, (0,) * lattice.dimension, kind)]
    while len(cells) < size:
        far = 2 if spread and draw(st.floats(0, 1)) < spread else 1
        around = set()
        for cell in cells:
            for offset in lattice.adjacent[(*cell, 0)[dimension]].tolist():
                vector = [a + far * b for a, b in zip(cell, offset, strict=True)][:dimension]
                around.add(_cell(lattice, tuple(vector), (*offset, 0)[dimension]))
        # Drawn from new cells alone: the simplest draws would meet the same cell again for ever.
        cells.append(draw(st.sampled_from(sorted(around - {*cells}))))
    return tuple(cells)


@st.composite
def plain_puzzles(
    draw: st.DrawFn, lattice: Lattice, most_cells: int = 10, *, mixed: bool = False
) -> PlainPuzzle:
    """Puzzles of at most this number of cells that often have a solution.

    Pieces are cut out of the region, so that they fit; then counts and cells are loosened. If
    `mixed`, some pieces may be turned over or cross others, and some may not.
    """
    space = draw(grown(lattice, draw(st.integers(1, most_cells)), spread=0.1))
    left, parts = list(space), []
    while left:
        size = min(draw(st.integers(1, 4)), len(left))
        parts.append(tuple(left[:size]))
        left = left[size:]
    stationary = draw(st.integers(0, 2)) if draw(st.booleans()) else 0
    pieces = []
    for number, part in enumerate(parts):
        if number < stationary:
            pieces.append(PlainPiece(f"S{number}", part, stationary=True))
        elif draw(st.integers(0, 4)):
            pieces.append(draw(_loosened(lattice, f"P{number}", part)))
    for number in range(draw(st.integers(0, 2))):
        cells = draw(grown(lattice, draw(st.integers(1, 3))))
        piece = PlainPiece(f"X{number}", cells, 0, draw(st.sampled_from((0, 1, 2, None))))
        pieces.append(piece)
    if not pieces:
        pieces.append(PlainPiece("X", space[:1], 0, None))
    if mixed:
        pieces = [draw(_permitted(piece)) for piece in pieces]
    optional: tuple[Cell, ...] = ()
    if draw(st.booleans()):
        optional = tuple(cell for cell in space if draw(st.booleans()))
    empty = None
    if optional and draw(st.booleans()):
        low = draw(st.integers(0, len(optional)))
        empty = (low, low + draw(st.integers(0, 3)))
    return PlainPuzzle(
        lattice,
        tuple(cell for cell in space if cell not in optional),
        optional,
        tuple(draw(st.permutations(pieces))),
        empty,
        reflections=draw(st.booleans()),
        crossing=draw(st.booleans()),
    )


@st.composite
def _permitted(draw: st.DrawFn, piece: PlainPiece) -> PlainPiece:
    """The piece with permissions of its own."""
    own = st.sampled_from((None, True, False))
    reflections = None if piece.stationary else draw(own)
    return replace(piece, reflections=reflections, crossing=draw(own))


@st.composite
def _loosened(draw: st.DrawFn, lattice: Lattice, name: str, cells: tuple[Cell, ...]) -> PlainPiece:
    """A piece of this shape, drawn elsewhere and turned, with exactly 1 or looser counts."""
    motion = draw(st.integers(0, len(lattice.group) - 1))
    turned = lattice.moved(np.array(cells), [motion])[0]
    turned[:, : lattice.dimension] += draw(st.integers(-3, 3))
    low, high = draw(st.sampled_from(((1, 1),) * 3 + ((0, 1), (0, 2), (1, 2), (2, 2), (0, None))))
    return PlainPiece(name, tuple(map(tuple, turned.tolist())), low, high)


def _cell(lattice: Lattice, vector: tuple[int, ...], kind: int) -> Cell:
    return (*vector, kind) if lattice.width > lattice.dimension else tuple(vector)


def told(plain: PlainPuzzle) -> Puzzle:
    """The same puzzle in the package's words."""
    return Puzzle(
        plain.lattice,
        Region(
            _array(plain.lattice, plain.cells),
            _array(plain.lattice, plain.optional),
            plain.empty,
            wrap=plain.wrap,
        ),
        tuple(
            Piece(
                piece.name,
                _array(plain.lattice, piece.cells),
                piece.low,
                piece.high,
                piece.stationary,
                reflections=piece.reflections,
                crossing=piece.crossing,
            )
            for piece in plain.pieces
        ),
        plain.reflections,
        plain.crossing,
    )


def _array(lattice: Lattice, cells: tuple[Cell, ...]) -> np.ndarray:
    return np.array(cells, np.int64).reshape(-1, lattice.width)


# -- costs -----------------------------------------------------------------------------------------

PRICES = (0, 0, 1, 3, -2, 0.1, 0.2, 2.25)


@st.composite
def priced(draw: st.DrawFn, lattice: str = "square", most_cells: int = 8) -> Puzzle:
    """A small puzzle that says what some of its pieces and cells cost."""
    try:
        puzzle = told(draw(plain_puzzles(get_lattice(lattice), most_cells)))
        groups = puzzle.groups
    except PuzzleError:
        assume(False)
    price = st.sampled_from(PRICES)
    by_name = {}
    for group in groups:
        cost = draw(price)
        by_name |= {piece.name: cost for piece in group.members}
    cells = draw(st.lists(price, min_size=len(puzzle.space), max_size=len(puzzle.space)))
    costs = dict(zip(map(tuple, puzzle.space.cells.tolist()), cells, strict=True))
    return replace(
        puzzle,
        pieces=tuple(replace(p, cost=by_name.get(p.name, 0)) for p in puzzle.pieces),
        region=replace(puzzle.region, costs=costs),
    )


def small_model(puzzle: Puzzle) -> Model:
    """Its model, if the plain reference can take it."""
    try:
        model = puzzle.model
    except PuzzleError:
        assume(False)
    assume(model.problem.n_options < 40)
    return model
