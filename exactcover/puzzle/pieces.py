"""The parts of a puzzle: cells, pieces, a region, and a piece in its place; and what they cost.

The cost of a placement is that of the piece, and those of the cells that it fills. Costs are added
as the decimals that they print as, exactly. So places that cost the same have the same number, in
whatever order their cells are added, and a symmetry that keeps costs is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.base.text import CONTROL, RULE
from exactcover.base.values import Pictured, Value
from exactcover.base.values.arguments import check_kind, check_whole
from exactcover.errors import PuzzleError
from exactcover.geometry.cells import MAX_CELLS, CellSet, distinct_rows
from exactcover.lattices.base import Cells, Lattice
from exactcover.problem import IntArray
from exactcover.problem.checking import MAX_COUNT

MAX_COORDINATE = 1_000_000

MAX_NAME = 200

GROUPS = "pairs of a group's number and a number of copies, both from 1, as in [[1, 2]]"
"""The most characters in the name of a piece."""

Cell = tuple[int, ...]
"""A cell: its vector, then its kind where the lattice has several kinds."""


def cells_array(lattice: Lattice, cells: npt.ArrayLike, where: str) -> Cells:
    """Cells as an array [n, width], checked to be distinct cells of the lattice."""
    try:
        array = np.asarray(cells)
    except (ValueError, OverflowError):
        raise PuzzleError(f"{where}: each cell is {lattice.coordinates_text()}") from None
    if array.size == 0 and array.ndim <= 2:
        none = np.zeros((0, lattice.width), np.int64)
        none.setflags(write=False)
        return none
    # numpy keeps whole numbers beyond 64 bits as objects.
    huge = array.dtype.kind == "O" and all(type(value) is int for value in array.ravel())
    whole = array.dtype.kind in "iu" or huge
    if array.ndim != 2 or array.shape[1] != lattice.width or not whole:
        raise PuzzleError(f"{where}: each cell is {lattice.coordinates_text()}")
    if len(array) > MAX_CELLS:
        raise PuzzleError(f"{where}: {len(array):,} cells; the most is {MAX_CELLS:,}")
    if array.min() < -MAX_COORDINATE or array.max() > MAX_COORDINATE:
        far = ((array < -MAX_COORDINATE) | (array > MAX_COORDINATE)).any(axis=1)
        cell = tuple(array[far.argmax()].tolist())
        raise PuzzleError(
            f"{where}: {cell} is too far away: coordinates must lie within +-{MAX_COORDINATE}"
        )
    array = array.astype(np.int64)
    if lattice.width > lattice.dimension:
        kinds = lattice.kind_numbers(array)
        wrong = (kinds < 0) | (kinds >= len(lattice.kinds))
        if wrong.any():
            cell = tuple(array[wrong.argmax()].tolist())
            raise PuzzleError(f"{where}: {cell} is no cell: it takes {lattice.coordinates_text()}")
    if len(distinct_rows(array)) < len(array):
        counts = Counter(map(tuple, array.tolist()))
        raise PuzzleError(f"{where}: cell {counts.most_common(1)[0][0]} is there twice")
    array.setflags(write=False)
    return array


def kept_cells(cells: Any) -> Any:
    """Cells as a read-only array; `cells_array` rejects anything else later."""
    try:
        array = np.array(cells)
    except (ValueError, OverflowError):
        return cells
    if not array.size:
        array = np.zeros((0, array.shape[1] if array.ndim == 2 else 0), np.int64)
    if array.dtype.kind != "i":
        return cells
    array = array.astype(np.int64, copy=False)
    array.setflags(write=False)
    return array


def plain_number(value: float) -> float:
    """A cost as a number of Python, an int if it is whole, infinite if it is too large."""
    try:
        number = float(value)
    except OverflowError:
        number = inf if value > 0 else -inf
    return int(number) if number.is_integer() else number


def why_no_name(name: str) -> str | None:
    """The error in the name of a piece; None if it is valid."""
    if not name or any(character.isspace() for character in name):
        return "this is no name for a piece: it must be one word"
    if len(name) > MAX_NAME:
        return f"the name of a piece may have {MAX_NAME} characters"
    return f"this is no name for a piece: {RULE}" if CONTROL.search(name) else None


@dataclass(frozen=True, eq=False)
class Piece(Pictured, Value):
    """A named shape, and how many copies of it are to be placed.

    cells        its cells; for a stationary piece these very cells, otherwise only its shape
    low, high    how many copies, at least and at most; `high` None: up to the room there is
    stationary   the piece lies where it is drawn
    cost         what each placed copy costs
    reflections  whether it may be turned over; None: as the puzzle says
    crossing     whether it may cross pieces of sticks that may cross too; None: as the puzzle says
    turns        whether it may be turned; None: as the puzzle says. If not, it is not turned over
                 either
    groups       pairs of a group's number and how many copies of the piece may be in it: pieces of
                 a group may hold together when a solution is taken apart
    lattice      what its cells lie on, for pictures; a puzzle fills it in
    """

    name: str
    cells: Cells
    low: int = 1
    high: int | None = 1
    stationary: bool = False
    cost: float = 0
    reflections: bool | None = None
    crossing: bool | None = None
    turns: bool | None = None
    groups: tuple[tuple[int, int], ...] = ()
    lattice: Lattice | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", kept_cells(self.cells))
        self.freeze()
        check_kind("name", self.name, str, "the name of a piece: a text without blanks")
        check_whole("low", self.low, optional=False)
        check_whole("high", self.high)
        check_kind("stationary", self.stationary, bool, "True or False")
        check_kind("cost", self.cost, Real, "a number")
        for permission in ("reflections", "crossing", "turns"):
            check_kind(
                permission, getattr(self, permission), (bool, type(None)), "True, False or None"
            )
        if wrong := why_no_name(self.name):
            raise PuzzleError(f"{self.name[:MAX_NAME]!r}: {wrong}")
        check_kind("groups", self.groups, (tuple, list), GROUPS)
        for pair in self.groups:
            check_kind("groups", pair, (tuple, list), GROUPS)
            if [type(one) for one in pair] != [int, int] or min(pair) < 1:
                raise PuzzleError(f"piece {self.name}: groups are {GROUPS}", piece=self.name)
        object.__setattr__(self, "groups", tuple(map(tuple, self.groups)))
        most = MAX_COUNT if self.high is None else self.high
        if not 0 <= self.low <= most <= MAX_COUNT:
            raise PuzzleError(
                f"piece {self.name}: {self.low}..{self.high} copies: a count must not be negative, "
                "and a range must not run backwards",
                piece=self.name,
            )
        object.__setattr__(self, "cost", plain_number(self.cost))
        if not isfinite(self.cost):
            raise PuzzleError(
                f"the cost of piece {self.name} must be a finite number, not {self.cost}",
                piece=self.name,
            )
        for given, why in (
            ((self.low, self.high) != (1, 1), "there is just one of it"),
            (self.cost, "it lies there whatever it costs"),
            (self.reflections is not None, "it stays as it is drawn, so it takes no reflections"),
            (self.turns is not None, "it stays as it is drawn, so it takes no turns"),
        ):
            if self.stationary and given:
                raise PuzzleError(f"piece {self.name} is stationary: {why}", piece=self.name)
        if self.turns is False and self.reflections:
            raise PuzzleError(
                f"piece {self.name} may not be turned, so it cannot be turned over: leave "
                "reflections out, or say turns = true",
                piece=self.name,
            )

    def __repr__(self) -> str:
        cells = f"{len(self.cells)} cell{'s' * (len(self.cells) != 1)}"
        if self.stationary or (self.low, self.high) != (1, 1):
            cells += f", {'stationary' if self.stationary else many(self.low, self.high, 'copies')}"
        return f"<Piece {self.name}: {cells}>"

    def copies_text(self) -> str:
        """How many copies, for a reader: `stationary`, `3`, `0..2`, `any number`."""
        return "stationary" if self.stationary else many(self.low, self.high)


def many(low: int, high: int | None, noun: str = "") -> str:
    """A least and a greatest number, for a reader: `3`, `0..2`, `2 or more`, `any number`; with a
    noun in the plural `3 pieces`, `any number of pieces`."""
    if high is None:
        number = f"{low} or more" if low else f"any number{' of' * bool(noun)}"
    else:
        number = str(low) if low == high else f"{low}..{high}"
    return f"{number} {noun}".strip()


def summed(copies: Iterable[tuple[int, int | None]]) -> tuple[int, int | None]:
    """Numbers of copies, at least and at most, added up; None: any number."""
    low: int = 0
    high: int | None = 0
    for least, most in copies:
        low += least
        high = None if high is None or most is None else high + most
    return low, high


@dataclass(frozen=True, eq=False)
class Region(Pictured, Value):
    """The cells to fill.

    cells     cells that must be filled
    optional  cells that may stay empty
    empty     how many of the optional cells must stay empty, at least and at most; None: any number
    costs     what it costs to fill a cell with a movable piece; the others cost nothing
    wrap      period vectors of a wrapped board: cells that differ by one are the same cell. One
              vector makes a cylinder, two make a torus; none, a board with edges
    lattice   what its cells lie on, for pictures; a puzzle fills it in
    """

    cells: Cells
    optional: Cells = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    empty: tuple[int, int] | None = None
    costs: Mapping[Cell, float] = field(default_factory=dict)
    wrap: Sequence[Sequence[int]] = ()
    lattice: Lattice | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("cells", "optional"):
            object.__setattr__(self, name, kept_cells(getattr(self, name)))
        self.freeze()

    def __repr__(self) -> str:
        optional = f" + {len(self.optional):,} optional" if len(self.optional) else ""
        return f"<Region: {len(self.cells):,}{optional} cells{', wrapped' * bool(len(self.wrap))}>"


@dataclass(frozen=True)
class Placement:
    """A piece in its place."""

    piece: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class ShapeGroup(Value):
    """The movable pieces of one shape: to the problem they are copies of each other.

    forms    the distinct orientations [m, n, width], first the one in which the piece is drawn: of
             turned copies of a solution the filters keep the one with a placement that comes first
    members  the pieces, in the order of the puzzle
    """

    forms: Cells
    members: tuple[Piece, ...]

    def __post_init__(self) -> None:
        self.freeze()

    @property
    def size(self) -> int:
        return int(self.forms.shape[1])

    @property
    def cost(self) -> float:
        """The cost of each copy, the same for all members."""
        return self.members[0].cost

    @property
    def low(self) -> int:
        return summed((piece.low, piece.high) for piece in self.members)[0]

    @property
    def high(self) -> int | None:
        """The most copies; None: up to the room there is."""
        return summed((piece.low, piece.high) for piece in self.members)[1]

    @property
    def title(self) -> str:
        return "/".join(piece.name for piece in self.members)

    def names(self, count: int) -> list[str]:
        """The names of `count` placed copies: each piece its least number, then up to its most."""
        placed = [piece.name for piece in self.members for _ in range(piece.low)][:count]
        for piece in self.members:
            room = count if piece.high is None else piece.high
            placed += [piece.name] * min(room - piece.low, count - len(placed))
        return placed


# -- costs ----------------------------------------------------------------------------------------

LARGEST = 1 << 53
"""Sums of costs, in units of their last decimal place, stay below this: so they are exact."""

FINEST = 10**15
"""The last decimal place of a cost is not below this part of one."""


def check_costs(space: CellSet, pieces: Sequence[Piece], region: Region) -> None:
    """Refuse costs of what is not there, and costs that cannot be added exactly."""
    if region.costs:
        priced = cells_array(space.lattice, list(region.costs), "the costs")
        outside = space.find(priced) < 0
        if outside.any():
            cell = tuple(priced[outside.argmax()].tolist())
            raise PuzzleError(f"a cost for the cell {cell}, which is not in the region")
    for cell, cost in region.costs.items():
        if not isfinite(cost):
            raise PuzzleError(f"the cost of the cell {cell} must be a finite number, not {cost}")
    if not region.costs and not any(piece.cost for piece in pieces):
        return
    scale = _scale([*region.costs.values(), *(piece.cost for piece in pieces)])
    dearest = max(abs(piece.cost) for piece in pieces)
    dearest += max(len(piece.cells) for piece in pieces) * max(
        map(abs, region.costs.values()), default=0
    )
    if scale > FINEST or Fraction(dearest) * scale >= LARGEST:
        raise PuzzleError(
            f"costs of up to {dearest:g} with these decimal places cannot be added exactly: "
            "round them"
        )


def option_costs(
    groups: Sequence[ShapeGroup],
    of_cells: Mapping[Cell, float],
    free: CellSet,
    blocks: Sequence[IntArray],
) -> npt.NDArray[np.float64] | None:
    """The cost of each option; None if the puzzle has no costs.

    blocks  for each shape its placements, as positions in `free`; behind them the holes, which cost
            nothing
    """
    if not of_cells and not any(group.cost for group in groups):
        return None
    scale = _scale([*of_cells.values(), *(group.cost for group in groups)])
    listed = [_units(of_cells.get(tuple(cell), 0), scale) for cell in free.cells.tolist()]
    ground = np.array(listed, np.int64)
    sums = [np.zeros(len(block), np.int64) for block in blocks]
    for number, group in enumerate(groups):
        sums[number] = ground[blocks[number]].sum(axis=1) + _units(group.cost, scale)
    return np.concatenate([np.zeros(0, np.int64), *sums]) / float(scale)


def _scale(costs: Sequence[float]) -> int:
    """The power of ten that makes all these costs whole."""
    places = [-int(Decimal(repr(cost)).normalize().as_tuple().exponent) for cost in costs]
    return int(10 ** max(0, *places))


def _units(cost: float, scale: int) -> int:
    return int(Fraction(repr(cost)) * scale)
