"""Named regions: the cells of a family of regions on a lattice, for sizes that a user gives.

The lattice says what its families are. A region is a box of vectors and a condition on the centres
of its cells, in lattice coordinates. Sticks are edges of a board of squares, triangles or
hexagons, so their regions are those of that board: all edges of its cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, prod

import numpy as np

from exactcover.base.values.arguments import is_whole
from exactcover.errors import LatticeError, PuzzleError, UnknownName
from exactcover.geometry.cells import MAX_CELLS, CellSet, Wrap, period_vectors
from exactcover.lattices import Cells, Family, Lattice, get_lattice
from exactcover.lattices.family import COORDINATES, NEAR, value_of
from exactcover.lattices.motions import Point

MAX_CANDIDATES = 4 * MAX_CELLS
"""A body may fill as little as a quarter of its box; a larger box is refused before it is made."""

WRAPS = ("cylinder", "torus")


def families(lattice: Lattice) -> tuple[Family, ...]:
    """The families of regions of a lattice."""
    board = _board(lattice)[0]
    return (_box(board), *board.regions)


def region_cells(lattice: Lattice, family: str, sizes: Sequence[int]) -> Cells:
    """The cells of a region of a family: `region_cells(square, "diamond", [6])`."""
    chosen = _family(lattice, family, sizes)
    for size, meaning in zip(sizes, chosen.sizes, strict=True):
        if not is_whole(size) or size < 1:
            raise PuzzleError(f"region {chosen.usage}: {meaning} must be 1 or more, not {size!r}")
        if size > MAX_CELLS:
            raise PuzzleError(f"region {chosen.usage}: {meaning} may be {MAX_CELLS:,}, not more")
    named = {name: Fraction(int(size)) for name, size in zip(chosen.sizes, sizes, strict=True)}
    if chosen.needs and not value_of(chosen.needs, named):
        given = " ".join(map(str, sizes))
        raise PuzzleError(f"region {chosen.usage}: it needs {chosen.needs}, not {given}")
    limits = [(ceil(value_of(a, named)), floor(value_of(b, named))) for a, b in chosen.bounds()]
    board, shift = _board(lattice)
    candidates = len(board.kinds) * prod(max(0, high - low + 1) for low, high in limits)
    if candidates > MAX_CANDIDATES:
        raise _too_large(chosen, sizes, candidates)
    cells = _cells_within(board, limits, chosen.where, named)
    if len(cells) > MAX_CELLS:
        raise _too_large(chosen, sizes, len(cells))
    return cells if board is lattice else edges(lattice, board, cells, shift)


def _cells_within(
    lattice: Lattice,
    limits: Sequence[tuple[int, int]],
    where: str,
    sizes: Mapping[str, Fraction],
) -> Cells:
    """The cells with vectors within the limits (from, to) for whose centres the condition holds."""
    axes = [np.arange(low, high + 1) for low, high in limits]
    vectors = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    named = {name: float(size) for name, size in sizes.items()}
    kept = []
    for kind, centre in enumerate(lattice.centres.values()):
        chosen = vectors
        if where:
            places = vectors + np.array([float(value) for value in centre])
            coordinates = dict(zip(COORDINATES, places.T, strict=False))
            with np.errstate(all="ignore"):  # absurd factors overflow, and divisors may be 0
                inside = value_of(where, {**named, **coordinates})
            chosen = vectors[np.broadcast_to(inside, len(places))]
        kept.append(lattice.cells(chosen, np.full(len(chosen), kind)))
    return CellSet.of(lattice, np.concatenate(kept)).cells


def board_periods(lattice: Lattice, wrap: str, family: str, sizes: Sequence[int]) -> Wrap:
    """The period vectors that make a cylinder or a torus of a board: of its sides.

    A cylinder is closed along the first side, a torus along all.
    """
    kind = wrap.strip().lower()
    flat = lattice.dimension == 2
    if kind not in WRAPS or (kind == "cylinder" and not flat):
        known = " or ".join(map(repr, WRAPS if flat else WRAPS[1:]))
        raise PuzzleError(
            f"wrap: a board of {lattice.dimension} dimensions is closed to a {known}, "
            f"or by a list of period vectors, not {wrap!r:.60}"
        )
    chosen = _family(lattice, family, sizes)
    wanted = 1 if kind == "cylinder" else lattice.dimension
    if len(chosen.sides) < wanted:
        raise PuzzleError(
            f"wrap: the region {family} has no sides to be closed: list the period vectors"
        )
    return period_vectors(lattice, _sides_to_close(chosen, [*map(int, sizes)], wanted))


def _sides_to_close(family: Family, sizes: Sequence[int], count: int) -> list[list[int]]:
    """The first `count` vectors along which a region of a family can be closed."""
    exact = {name: Fraction(size) for name, size in zip(family.sizes, sizes, strict=True)}
    sides = []
    for side in family.sides[:count]:
        vector = [value_of(text, exact) for text in side]
        whole = [round(value) for value in vector]
        if any(abs(a - b) > NEAR for a, b in zip(vector, whole, strict=True)):
            given, shown = " ".join(map(str, sizes)), ", ".join(map(str, vector))
            raise PuzzleError(
                f"wrap: the region {family.name} {given} cannot be closed along its side "
                f"({shown}): choose sizes for which these are whole numbers"
            )
        sides.append(whole)
    return sides


def _family(lattice: Lattice, family: str, sizes: Sequence[int]) -> Family:
    """The family of this name with this number of sizes."""
    known = families(lattice)
    name = family.strip().lower().replace("_", "-").replace(" ", "-")
    alike = [entry for entry in known if entry.name == name]
    if not alike:
        raise UnknownName(f"region of {lattice.name}", family, {entry.name for entry in known})
    chosen = next((entry for entry in alike if len(entry.sizes) == len(sizes)), None)
    if chosen is None:
        usages = " or ".join(repr(entry.usage) for entry in alike)
        raise PuzzleError(f"region {name}: it takes {usages}, but {len(sizes)} sizes are given")
    return chosen


def edges(sticks: Lattice, board: Lattice, cells: Cells, shift: Point) -> Cells:
    """All sides of these cells of a board, as cells of a lattice of sticks, sorted."""
    vectors, kinds = board.vectors(cells), board.kind_numbers(cells)
    found = []
    for kind, offset, stick in _sides(sticks, board, shift):
        there = vectors[kinds == kind] + np.array(offset)
        found.append(sticks.cells(there, np.full(len(there), stick)))
    if not found:
        raise LatticeError(
            f"{sticks.name}: no side of a cell of {board.name} is one of its cells: "
            "the board needs outlines, or its shift is wrong"
        )
    return CellSet.of(sticks, np.concatenate(found)).cells


def _sides(
    sticks: Lattice, board: Lattice, shift: Point
) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """For each side of each kind of board cell: the cell's kind, and the stick that lies there."""
    for kind, corners in enumerate(board.outlines.values()):
        for first, second in zip(corners, (*corners[1:], corners[0]), strict=True):
            middle = [(a + b) / 2 + c for a, b, c in zip(first, second, shift, strict=True)]
            for stick, centre in enumerate(sticks.centres.values()):
                offset = [a - b for a, b in zip(middle, centre, strict=True)]
                if all(value.denominator == 1 for value in offset):
                    yield kind, tuple(map(int, offset)), stick


def _board(lattice: Lattice) -> tuple[Lattice, Point]:
    """The lattice whose regions these are, and how far its edges are moved to be sticks."""
    nowhere = (Fraction(0),) * lattice.dimension
    if lattice.board is None:
        return lattice, nowhere
    board = get_lattice(lattice.board.lattice)
    if board.dimension != lattice.dimension or board.board is not None:
        raise LatticeError(f"{board.name} is no board of {lattice.name}: sticks are edges of cells")
    return board, lattice.board.shift or nowhere


def _box(lattice: Lattice) -> Family:
    names = tuple("abcdef"[: lattice.dimension])
    return Family(
        "box",
        names,
        " x ".join(names) + " cells" + (" of each kind" if len(lattice.kinds) > 1 else ""),
        tuple(f"0..{name} - 1" for name in names),
        sides=tuple(tuple(name if other == name else "0" for other in names) for name in names),
    )


def _too_large(family: Family, sizes: Sequence[int], count: int) -> PuzzleError:
    given = " ".join(map(str, sizes))
    return PuzzleError(
        f"region {family.name} {given} would have up to {count:,} cells; the most is {MAX_CELLS:,}"
    )
