"""Backtrack triggers: tables that show a search at once that the rest cannot be completed.

A trigger costs an addition and a table look-up at each node, where a filter looks at every option.
(M. Busche, "Solving Polyomino and Polycube Puzzles", 2011: "Backtrack Triggers".)

Pieces that can make the same amounts are one class. The state is the number of pieces placed of
each class, as one number in mixed radix. The table says for each state and each amount whether the
pieces left can make the amount. For the parity trigger the amount is the number of cells of one
colour, for the volume trigger the size of a part of the open cells, to be filled by some of the
pieces left.

Cells may stay empty. So an entry is the least number of cells that must stay empty: 0 if the amount
can be made, `IMPOSSIBLE` if no number suffices. It is compared with the number of cells that may
stay empty.

The parity trigger keeps the amount placed, not the amount left. So pieces that always fill the same
number of cells of the colour need no state, and no index can leave its row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.errors import StrategyError
from exactcover.problem import IntArray
from exactcover.problem.filters.tree import Flags, Ground, cells_among
from exactcover.problem.layout import Layout

MOST_ENTRIES = 1 << 24
"""The most entries of all tables of a trigger: 64 MB."""

IMPOSSIBLE = 1 << 30


class PieceClass(NamedTuple):
    """Pieces that can make the same amounts; `low` to `high` of them must be placed."""

    amounts: frozenset[int]
    low: int
    high: int
    shapes: tuple[int, ...]

    def __or__(self, other: PieceClass) -> PieceClass:
        """Both as one class, which can make at least the same amounts."""
        return PieceClass(
            self.amounts | other.amounts,
            self.low + other.low,
            self.high + other.high,
            self.shapes + other.shapes,
        )


@dataclass(frozen=True, eq=False)
class TriggerTable:
    """A table, the index in it as a sum over the chosen options, and the cells that may stay empty.

    shortfall  int32 [states, amounts]  the least number of cells that must stay empty
    steps      int64 [options]          what an option adds to the index in the flat table
    takes      int32 [options]          how many of the cells that may stay empty it fills
    slack      the number of cells that may stay empty with nothing placed
    of_parts   it is read for each part of the open cells, at the size of the part
    """

    shortfall: IntArray
    steps: npt.NDArray[np.int64]
    takes: IntArray
    slack: int
    of_parts: bool = False


def parity_tables(ground: Ground, alive: Flags, colours: IntArray) -> list[TriggerTable]:
    """For each colour of the cells its table, if the table can ever make a search backtrack.

    If the numbers of cells and of copies are fixed, one of two colours is enough.
    """
    layout = ground.layout
    known = not layout.optional.any() and bool((layout.copies[:, 0] == layout.copies[:, 1]).all())
    number = int(colours.max(initial=-1)) + 1
    wanted = range(1 if number == 2 and known else number)
    tables = [
        _of_colour(ground, alive, colours == colour, MOST_ENTRIES // len(wanted))
        for colour in wanted
    ]
    return [table for table in tables if table is not None]


def volume_table(ground: Ground) -> TriggerTable | None:
    """The table of the volumes that the pieces left can make; its rows are sizes of parts.

    None if a piece is not connected: it could fill two parts at once, so the table would show
    nothing.
    """
    layout = ground.layout
    if not layout.connected[layout.copies[:, 1] > 0].all():
        return None
    high = layout.copies[:, 1].tolist()
    pieces = [
        PieceClass(frozenset([size]), 0, most, (shape,))
        for shape, (size, most) in enumerate(zip(layout.shape_size.tolist(), high, strict=True))
    ]
    width = layout.n_cells + 1
    classes = classified(pieces, MOST_ENTRIES // width)
    shortfall = shortfall_of(sums_left(classes, width))
    nothing = np.zeros(ground.problem.n_options, np.int32)
    steps = _state_steps(layout, classes, width)
    return TriggerTable(shortfall, steps, nothing, 0, of_parts=True)


# -- classes --------------------------------------------------------------------------------------


def classified(pieces: Sequence[PieceClass], most_states: int) -> list[PieceClass]:
    """Pieces joined to as few classes as are useful, with at most `most_states` states.

    Classes of the same amounts are joined if that loses nothing: all counts are fixed, or none has
    a least number. If there are too many states, classes are joined that remove the most states for
    the fewest new amounts. This makes the trigger weaker, never wrong.
    """
    joined: dict[tuple[object, ...], PieceClass] = {}
    for number, piece in enumerate(pieces):
        if piece.high == 0:
            continue
        kind = "fixed" if piece.low == piece.high else "free" if piece.low == 0 else number
        key = piece.amounts, kind
        joined[key] = joined[key] | piece if key in joined else piece
    classes = list(joined.values())
    while states(classes) > most_states and len(classes) > 1:
        one, other = min(combinations(classes, 2), key=lambda pair: _loss(*pair))
        classes = [*(c for c in classes if c is not one and c is not other), one | other]
    if states(classes) > most_states:
        raise StrategyError(
            f"the trigger's table would have {states(classes):,} states, even with all pieces as "
            f"one class, but there is room for {most_states:,}"
        )
    return classes


def states(classes: Sequence[PieceClass]) -> int:
    """The number of states: the product over all classes of the possible numbers of copies
    placed."""
    return prod(one.high + 1 for one in classes)


def _loss(one: PieceClass, other: PieceClass) -> tuple[int, float]:
    """The loss by joining two classes: new amounts, then states kept."""
    new = len(one.amounts ^ other.amounts)
    return new, (one.high + other.high + 1) / ((one.high + 1) * (other.high + 1))


def _state_steps(
    layout: Layout, classes: Sequence[PieceClass], width: int
) -> npt.NDArray[np.int64]:
    """The step of each option in the index of its class: int64 [options]. The last runs fastest."""
    of_shape = np.zeros(layout.n_shapes + 1, np.int64)  # the last one is for a hole
    stride = width
    for one in reversed(classes):
        of_shape[list(one.shapes)] = stride
        stride *= one.high + 1
    return of_shape[layout.option_shape]


# -- tables ---------------------------------------------------------------------------------------


def _of_colour(
    ground: Ground, alive: Flags, black: Flags, most_entries: int
) -> TriggerTable | None:
    """The table of one colour, or None if it can never make a search backtrack."""
    layout = ground.layout
    on_colour = cells_among(ground, black)
    pieces = [
        PieceClass(
            frozenset(on_colour[alive & (layout.option_shape == shape)].tolist()),
            low,
            high,
            (shape,),
        )
        for shape, (low, high) in enumerate(layout.copies.tolist())
    ]
    known = [piece for piece in pieces if len(piece.amounts) == 1 and piece.low == piece.high]
    sure = sum(piece.high * min(piece.amounts) for piece in known)
    width = int(black.sum()) + 1
    classes = classified([piece for piece in pieces if piece not in known], most_entries // width)

    left = sums_left(classes, width)
    to_make = width - 1 - sure
    shortfall = np.full(left.shape, IMPOSSIBLE, np.int32)
    if to_make >= 0:
        shortfall[:, : to_make + 1] = shortfall_of(left[:, : to_make + 1])[:, ::-1]
    optional = black & layout.optional
    useful = shortfall > 0
    if not layout.optional.any():
        useful &= _sums_placed(classes, width)
    if not useful.any():
        return None
    steps = _state_steps(layout, classes, width)
    counted = np.ones(layout.n_shapes + 1, bool)
    counted[[shape for piece in known for shape in piece.shapes]] = False
    steps += np.where(counted[layout.option_shape], on_colour, 0)
    return TriggerTable(shortfall, steps, cells_among(ground, optional), int(optional.sum()))


def sums_left(classes: Sequence[PieceClass], width: int) -> Flags:
    """Which amounts the pieces left can make, by the state: bool [states, width]."""
    table = _no_piece(width)
    for one in classes:
        exactly = _copies(table, one)
        least = np.maximum(0, one.low - np.arange(one.high + 1))
        rows = [
            exactly[low : one.high - used + 1].any(axis=0)
            for used, low in enumerate(least.tolist())
        ]
        table = np.stack(rows, axis=1).reshape(-1, width)
    return table


def _sums_placed(classes: Sequence[PieceClass], width: int) -> Flags:
    """Which amounts may have been placed in each state: bool [states, width]."""
    table = _no_piece(width)
    for one in classes:
        table = np.moveaxis(_copies(table, one), 0, 1).reshape(-1, width)
    return table


def _no_piece(width: int) -> Flags:
    table = np.zeros((1, width), bool)
    table[0, 0] = True
    return table


def _copies(table: Flags, one: PieceClass) -> Flags:
    """The sums of a table with 0, 1, ... pieces of a class more: bool [high + 1, states, width]."""
    width = table.shape[1]
    exactly = np.zeros((one.high + 1, *table.shape), bool)
    exactly[0] = table
    for number in range(one.high):
        for amount in one.amounts:
            if amount < width:
                exactly[number + 1, :, amount:] |= exactly[number, :, : width - amount]
    return exactly


def shortfall_of(sums: Flags) -> IntArray:
    """How far the largest sum up to each amount falls short of it: int32 [states, width]."""
    amounts = np.arange(sums.shape[1], dtype=np.int32)
    below = np.maximum.accumulate(np.where(sums, amounts, np.int32(-IMPOSSIBLE)), axis=1)
    out: IntArray = amounts - below
    return out
