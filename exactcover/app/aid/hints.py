"""Hints: a placement of a solution, or the pieces to take back if no solution is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from time import monotonic
from typing import NamedTuple

import numpy as np

from exactcover.app.aid.listing import Seen, with_options
from exactcover.app.aid.positions import Options, Position
from exactcover.app.aid.prospects import as_placements
from exactcover.problem import IntArray
from exactcover.puzzle import Cell, Placement

Ask = Callable[[Position, float], Seen]
"""Searches for one solution of a position for some seconds."""


@dataclass(frozen=True)
class Hint:
    """The next step.

    place  a placement that leaves a solution; None: no solution is left, or none is known yet
    undo   placed pieces to take back, so that a solution is left again
    why    the reason, as a sentence
    known  whether the search got far enough; if not, ask again
    look   the cell to look at first; empty: look for places of the piece
    first  why to look there, as a sentence that does not name the placement
    """

    place: Placement | None
    undo: tuple[Placement, ...]
    why: str
    known: bool = True
    look: tuple[Cell, ...] = ()
    first: str = ""


class Kept(NamedTuple):
    """Placed options that one solution has; None: no solution is known.

    certain  whether no solution has more of them
    """

    options: frozenset[int] | None
    certain: bool


def placing(position: Position, seen: Seen, rows: IntArray) -> Hint:
    """A placement of a known solution, at the place with the fewest choices.

    rows  solutions of the position, at least one
    """
    through = np.bincount(rows[rows >= 0], minlength=seen.through.size)
    through = np.maximum(through, seen.through)
    placed = np.zeros(through.size, bool)
    placed[list(position.options)] = True
    in_one = (through > 0) & ~placed & (position.model.layout.option_shape >= 0)
    if not in_one.any():
        return Hint(None, (), "The puzzle is solved.")
    narrow = _narrowest(position, np.flatnonzero(in_one).astype(np.int32))
    best = int(narrow.solving[through[narrow.solving].argmax()])
    return Hint(
        position.placement(best),
        (),
        _why(seen, narrow, int(max(through[best], 1))),
        look=() if narrow.cell is None else (narrow.cell,),
        first=_first(narrow),
    )


class Narrow(NamedTuple):
    """The cell or the piece with the fewest placements.

    number   how many it has
    place    its name; empty: all cells may stay empty
    solving  the options of known solutions among them
    cell     the cell; None: it is a piece
    """

    number: int
    place: str
    solving: IntArray
    cell: Cell | None = None


def _narrowest(position: Position, solving: IntArray) -> Narrow:
    """The cell or piece with the fewest placements.

    solving  the options of known solutions
    """
    model, options = position.model, position.pieces_that_fit
    fitting, wanted = position.coverers(options), position.coverers(solving)
    number = np.where((wanted > 0) & ~model.layout.optional, fitting, np.iinfo(np.int64).max)
    shapes = model.layout.option_shape
    by_shape = np.bincount(shapes[options], minlength=len(model.groups))
    needed = [
        shape
        for shape in np.unique(shapes[solving]).tolist()
        if position.missing(shape) == by_shape[shape] or position.missing(shape) == 1
    ]
    cell = int(number.argmin())
    shape = min(needed, key=lambda one: int(by_shape[one]), default=None)
    if shape is not None and by_shape[shape] < number[cell]:
        name = position.next_name(shape)
        return Narrow(int(by_shape[shape]), f"The piece {name}", solving[shapes[solving] == shape])
    if number[cell] == np.iinfo(np.int64).max:  # all cells may stay empty
        return Narrow(0, "", solving)
    over = [one for one in solving.tolist() if cell in model.cells_of(one)]
    point: Cell = tuple(model.free.cells[cell].tolist())
    text = ", ".join(map(str, point))
    return Narrow(int(number[cell]), f"The cell ({text})", np.array(over, np.int32), point)


def _first(narrow: Narrow) -> str:
    if narrow.number == 1:
        return f"{narrow.place} has only one placement left."
    if not narrow.place:
        return "Every cell may stay empty, so no place is better than another."
    return f"{narrow.place} has {narrow.number} placements left, the fewest."


def _why(seen: Seen, narrow: Narrow, through: int) -> str:
    if narrow.number == 1:
        return f"{narrow.place} has no other placement."
    first = f"{_first(narrow)} " if narrow.place else ""
    if not seen.done:
        return f"{first}This one is in a solution."
    if through == seen.count:
        every = "every solution" if seen.count > 1 else "the only solution"
        return f"{first}This one is in {every} that is left."
    return f"{first}This one is in {through:,} of the {seen.count:,} solutions left."


def completing(position: Position, row: IntArray) -> tuple[Placement, ...]:
    """The placements of a solution that are missing in a position."""
    shapes = position.model.layout.option_shape
    rest = [one for one in row[row >= 0].tolist() if one not in position.options]
    return as_placements(position, [option for option in rest if shapes[option] >= 0])


def taking_back(position: Position, known: Kept, ask: Ask, seconds: float, why: str) -> Hint:
    """The pieces to take back, a smallest set where that is found within these seconds.

    The list of all solutions gives it at once: keep the pieces of a solution that has most of them.
    Without that list, smaller sets are tried before larger ones.

    known  what `most_kept` says
    """
    kept, smallest = known if known.certain else _searched(position, known.options, ask, seconds)
    if kept is None:
        return Hint(None, (), f"{why} No set of pieces to take back was found in {seconds:g} s.")
    gone = tuple(
        position.placement(option, name) for option, name in position.placed if option not in kept
    )
    if not gone:
        return Hint(None, (), why)
    names = " and ".join(one.piece for one in gone) if len(gone) < 3 else f"{len(gone)} pieces"
    fewer = " No smaller number of pieces helps." if smallest and len(gone) > 1 else ""
    return Hint(None, gone, f"{why} Take back {names}.{fewer}")


def most_kept(position: Position, lists: Iterable[Seen]) -> Kept:
    """The most placed options of one known solution."""
    best: frozenset[int] | None = None
    for seen in lists:
        rows = seen.rows
        if not len(rows):
            continue
        number = np.isin(rows, position.options).sum(axis=1)
        row = rows[int(number.argmax())]
        kept = frozenset(np.intersect1d(row, position.options).tolist())
        if not seen.chosen and seen.all_kept:
            return Kept(kept, True)
        if best is None or len(kept) > len(best):
            best = kept
    return Kept(best, False)


def _searched(position: Position, kept: frozenset[int] | None, ask: Ask, seconds: float) -> Kept:
    """The same by searches for one solution with fewer and fewer of the pieces placed.

    kept  the best known so far
    """
    deadline, certain = monotonic() + seconds, True
    order = [option for option, _ in reversed(position.placed)]
    most = len(order) - (0 if kept is None else len(kept))
    for number in range(1, most):
        for gone in combinations(order, number):
            left = deadline - monotonic()
            if left <= 0.0:
                return Kept(kept, False)
            rest = position.with_only(set(order) - set(gone))
            found = ask(rest, left)
            if found.count:
                return Kept(frozenset(rest.options), certain)
            certain &= found.done
    if kept is None:
        found = ask(position.with_only(()), deadline - monotonic())
        kept = frozenset() if found.count else None
    return Kept(kept, certain)


def known_rows(lists: Iterable[Seen], chosen: Options) -> IntArray:
    """Known solutions with these options, of the first list that has any."""
    for seen in lists:
        rows = with_options(seen.rows, [one for one in chosen if one not in seen.chosen])
        if len(rows):
            return rows
    return np.zeros((0, 0), np.int32)
