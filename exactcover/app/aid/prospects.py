"""The prospects of a position: the solutions left, and what is forced or lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactcover.app.aid.listing import Listing, Long
from exactcover.app.aid.positions import Flags, Position
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


@dataclass(frozen=True, eq=False)
class Seen:
    """A list of solutions at one moment.

    count    how many are found; done: whether these are all
    through  int64 [options]: how many of them contain each option
    """

    count: int
    done: bool
    through: Long

    @classmethod
    def of(cls, listing: Listing) -> Seen:
        """The list now; call it under the lock of the list."""
        return cls(listing.count, listing.done, listing.through.copy())

    @classmethod
    def none(cls, position: Position) -> Seen:
        """No solution, without a search."""
        return cls(0, True, np.zeros(position.model.problem.n_options, np.int64))


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
