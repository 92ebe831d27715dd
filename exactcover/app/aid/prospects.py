"""The prospects of a position: the solutions left, what is forced or lost, and why nothing is left.

The simple reasons take no search: a piece fits nowhere, a cell has no placement, or the pieces left
cannot make up the size of an enclosed area. Areas are separated if no placement that fits reaches
from one into the other, which holds on every lattice and for pieces of several parts.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactcover.app.aid.listing import Seen
from exactcover.app.aid.positions import Flags, Position
from exactcover.problem import IntArray, Multiplicity, Problem
from exactcover.problem.filters.totals import with_copies
from exactcover.puzzle import Cell, Placement


@dataclass(frozen=True)
class Prospect:
    """The prospects of a position.

    left    how many solutions contain the pieces placed, or how many are found so far
    exact   whether `left` is their number; otherwise it is a lower bound
    forced  the placements that every solution left has, besides those placed
    dead    the cells that stay empty: no placement, or no solution left, covers them
    stuck   the pieces that must still be placed and fit nowhere
    why     why no solution is left, if that is seen at once; else None
    """

    left: int
    exact: bool
    forced: tuple[Placement, ...] = ()
    dead: tuple[Cell, ...] = ()
    stuck: tuple[str, ...] = ()
    why: str | None = None

    def __str__(self) -> str:
        if not self.left:
            return "no solution left" if self.exact else "no solution found so far"
        noun = "solution" if self.left == 1 else "solutions"
        if self.exact:
            return f"{self.left:,} {noun} left"
        return f"at least {self.left:,} {noun} so far"


def prospect(position: Position, seen: Seen, why: str | None = None) -> Prospect:
    """The prospects of a position by the solutions seen."""
    model = position.model
    forced = forced_by_all(position, seen) if seen.done else forced_by_places(position)
    return Prospect(
        left=seen.count,
        exact=seen.done,
        forced=as_placements(position, forced),
        dead=tuple(tuple(cell) for cell in model.free.cells[dead_cells(position, seen)].tolist()),
        stuck=tuple(
            name for shape in stuck_shapes(position) for name in _missing_names(position, shape)
        ),
        why=why,
    )


def forced_by_all(position: Position, seen: Seen) -> list[int]:
    """The options that all solutions have, if there are any solutions; holes are left out."""
    if not seen.count:
        return []
    common = (seen.through == seen.count) & (position.model.layout.option_shape >= 0)
    return [int(one) for one in np.flatnonzero(common) if one not in position.options]


def forced_by_places(position: Position) -> list[int]:
    """The options that every solution must have because a cell or a piece has no other place."""
    model, options = position.model, position.pieces_that_fit
    coverers = position.coverers(options)
    single = (coverers == 1) & ~position.covered & ~model.layout.optional
    forced = {
        int(one)
        for cell in np.flatnonzero(single).tolist()
        for one in model.problem.options_of(int(model.layout.cell_item[cell]))
        if position.fits[one] and model.layout.option_shape[one] >= 0
    }
    shapes = model.layout.option_shape[options]
    for shape, number in enumerate(np.bincount(shapes, minlength=len(model.groups)).tolist()):
        if number and number == position.missing(shape):
            forced |= {int(one) for one in options[shapes == shape]}
    return sorted(forced)


def dead_cells(position: Position, seen: Seen) -> Flags:
    """The free cells that no placement covers, or no solution, if all are seen: bool [cells]."""
    options = position.pieces_that_fit
    if seen.done and seen.count:
        options = options[seen.through[options] > 0]
    dead: Flags = ~position.covered & (position.coverers(options) == 0)
    return dead


def stuck_shapes(position: Position) -> list[int]:
    """The shapes of which more copies must be placed than there are placements that fit."""
    model = position.model
    shapes = model.layout.option_shape[position.pieces_that_fit]
    numbers = np.bincount(shapes, minlength=len(model.groups)).tolist()
    return [shape for shape, number in enumerate(numbers) if number < position.missing(shape)]


def _missing_names(position: Position, shape: int) -> list[str]:
    """The pieces of a shape that must still be placed."""
    members = position.model.groups[shape].members
    return [piece.name for piece in members if position.copies[piece.name] < piece.low]


def as_placements(position: Position, options: list[int]) -> tuple[Placement, ...]:
    """Options that all go together as placements, with names that are given once each."""
    made, after = [], position
    for option in options:
        name = after.next_name(int(position.model.layout.option_shape[option]))
        made.append(position.placement(option, name))
        after = Position(position.model, (*after.placed, (option, name)))
    return tuple(made)


# -- why no solution is left ----------------------------------------------------------------------

MANY = 4
"""A message lists at most this many cells."""


@dataclass(frozen=True, eq=False)
class Area:
    """An enclosed part of the board.

    cells    its free cells, as numbers
    must     how many of them must be filled
    options  the options that fit and lie in it
    """

    cells: IntArray
    must: int
    options: IntArray


def simple_reason(position: Position) -> str | None:
    """A reason that takes no search, or None."""
    model = position.model
    if model.reason:
        return f"The puzzle has no solution: {model.reason}."
    for shape in stuck_shapes(position):
        return _stuck(position, shape)
    bare = ~position.covered & ~model.layout.optional
    bare &= position.coverers(position.pieces_that_fit) == 0
    if bare.any():
        return f"No piece that is left can cover {_cells(position, np.flatnonzero(bare))}."
    for area in areas(position):
        if not _sizes_fit(position, area):
            return (
                f"The area of {len(area.cells)} cells with {_cells(position, area.cells[:1])} is "
                f"enclosed, and no choice of the pieces left fills {_amount(area)}."
            )
    return None


def searched_reason(position: Position, seconds: float) -> str | None:
    """A reason that takes a search or a proof of at most about these seconds, or None."""
    from exactcover.puzzle.placed import with_placed
    from exactcover.trust.proofs import find_proof

    found = areas(position)
    for area in found if len(found) > 1 else ():
        if _cannot_be_filled(position, area, seconds / len(found)):
            return (
                f"The area of {len(area.cells)} cells with {_cells(position, area.cells[:1])} is "
                "enclosed, and the pieces left cannot fill it in any arrangement."
            )
    rest = with_placed(position.model, position.options).model
    if rest.reason:
        return f"{rest.reason[0].upper()}{rest.reason[1:]}."
    proof = find_proof(rest.problem, seconds=seconds)
    if proof is None:
        return None
    return (
        "A colouring proves it: give the cells and pieces that are left certain weights, and their "
        f"sums differ modulo {proof.modulus} however the pieces lie."
    )


def areas(position: Position) -> list[Area]:
    """The enclosed parts of the board that have a cell to fill, the smallest first."""
    model, options = position.model, position.pieces_that_fit
    label = np.arange(len(model.free))
    starts, cells = model.option_cells
    widths = np.diff(starts)[options]
    begin = np.cumsum(widths) - widths
    inside = np.arange(int(widths.sum())) - np.repeat(begin, widths)
    flat = cells[np.repeat(starts[:-1][options], widths) + inside]
    while options.size:
        least = np.minimum.reduceat(label[flat], begin)
        after = label.copy()
        np.minimum.at(after, flat, np.repeat(least, widths))
        after = after[after]  # a label is a cell of the same area, so its label is one, too
        if np.array_equal(after, label):
            break
        label = after
    home = label[flat[begin]] if options.size else np.zeros(0, np.int64)
    made = []
    for part in np.unique(label[~position.covered]).tolist():
        own = np.flatnonzero((label == part) & ~position.covered).astype(np.int32)
        must = int((~model.layout.optional[own]).sum())
        if must:
            made.append(Area(own, must, options[home == part]))
    return sorted(made, key=lambda area: len(area.cells))


def _stuck(position: Position, shape: int) -> str:
    model, missing = position.model, position.missing(shape)
    title = model.groups[shape].title
    left = model.layout.option_shape[position.pieces_that_fit]
    number = int((left == shape).sum())
    if not number:
        return f"The piece {title} fits nowhere."
    places = "place is" if number == 1 else "places are"
    return f"Only {number} {places} left for {missing} copies of the piece {title}."


def _sizes_fit(position: Position, area: Area) -> bool:
    """Whether some choice of the pieces left has a size that fills the area."""
    model, most = position.model, len(area.cells)
    totals = 1
    for shape in np.unique(model.layout.option_shape[area.options]).tolist():
        size, high = int(model.layout.shape_size[shape]), _room(position, shape)
        totals = with_copies(totals, [size], 0, min(high, most // size), most)
    return any(totals >> total & 1 for total in range(area.must, most + 1))


def _cannot_be_filled(position: Position, area: Area, seconds: float) -> bool:
    """Whether a search shows that the area alone cannot be filled by the pieces left."""
    from exactcover.search.solving import find_one

    with find_one(_alone(position, area), time_limit=seconds) as solving:
        found = next(solving, None)
        return found is None and solving.result.status in ("complete", "impossible")


def _alone(position: Position, area: Area) -> Problem:
    """The area as a problem of its own: any of the pieces left may lie in it."""
    model = position.model
    optional = model.layout.optional
    must = [int(cell) for cell in area.cells if not optional[cell]]
    spare = [int(cell) for cell in area.cells if optional[cell]]
    shapes = np.unique(model.layout.option_shape[area.options]).tolist()
    rows = [
        [*(f"cell {cell}" for cell in model.cells_of(option).tolist()), f"shape {shape}"]
        for option, shape in zip(
            area.options.tolist(), model.layout.option_shape[area.options].tolist(), strict=True
        )
    ]
    room: dict[Hashable, Multiplicity] = {
        f"shape {shape}": (0, _room(position, shape)) for shape in shapes
    }
    return Problem.from_options(
        rows,
        primary=[*(f"cell {cell}" for cell in must), *room],
        secondary=[f"cell {cell}" for cell in spare],
        multiplicity=room,
    )


def _room(position: Position, shape: int) -> int:
    """How many more copies of a shape may be placed."""
    layout = position.model.layout
    placed = sum(int(layout.option_shape[option]) == shape for option in position.options)
    return int(layout.copies[shape, 1]) - placed


def _amount(area: Area) -> str:
    most = len(area.cells)
    return f"{most} cells" if area.must == most else f"{area.must} to {most} of them"


def _cells(position: Position, numbers: npt.NDArray[np.integer]) -> str:
    """Some cells for a reader."""
    cells = [tuple(cell) for cell in position.model.free.cells[numbers[:MANY]].tolist()]
    shown = ", ".join("(" + ", ".join(map(str, cell)) + ")" for cell in cells)
    more = ", ..." if len(numbers) > MANY else ""
    return f"the cell{'s' if len(numbers) > 1 else ''} {shown}{more}"
