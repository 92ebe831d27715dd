"""The filters and triggers that come with the package, as values, in the order that works best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exactcover.errors import StrategyError
from exactcover.problem.filters.kinds import (
    Filtered,
    FilterKind,
    Ground,
    Kind,
    Subtree,
    TriggerKind,
    no_first,
)
from exactcover.problem.filters.reduction import Reduction, fit
from exactcover.problem.filters.redundancy import (
    Constraint,
    choose,
    choose_by_estimate,
    choose_cell,
    constrain,
)
from exactcover.problem.filters.totals import parity, volume
from exactcover.problem.filters.tree import Flags
from exactcover.problem.filters.triggers import Triggers, TriggerTable, parity_tables, volume_table

CELL, ESTIMATE, NOTHING = "cell", "estimate", "none"

WORDS = (CELL, ESTIMATE, NOTHING)
"""The arguments of `redundancy` that are not names of pieces."""

MOST_COLOURS = 8


# -- filters --------------------------------------------------------------------------------------


def _redundancy(tree: Subtree, argument: str | None) -> Filtered:
    """Constrain one piece or cell to one image per orbit."""
    symmetries = tree.permutations
    if symmetries is None or len(symmetries) == 1 or argument == NOTHING:
        return Filtered(tree.alive, "nothing to do")
    layout = tree.cells.layout
    made: Constraint | None
    if argument is None:
        made = choose(layout, symmetries, tree.alive)
    elif argument == ESTIMATE:
        made = choose_by_estimate(tree.problem, layout, symmetries, tree.alive)
    elif argument == CELL:
        made = choose_cell(tree.problem, layout, symmetries, tree.alive)
    else:
        made = constrain(layout, symmetries, _single(tree.cells, argument), tree.alive)
    if made is None:
        missing = "no cell stays in its place" if argument == CELL else "no piece occurs once"
        return Filtered(tree.alive, f"{missing}: symmetric copies are removed one by one")
    title = tree.cells.title_of(made.pivot.kind, made.pivot.number)
    note = f"{title} keeps {made.images.size:,} images"
    return Filtered(made.allowed, note, constraint=made)


def _single(ground: Ground, name: str) -> int:
    """The shape of the piece with this name, which must occur exactly once."""
    shape = ground.shape_called(name)
    if (ground.layout.copies[shape] != 1).any():
        raise StrategyError(
            f"redundancy={name}: only a piece that occurs exactly once can be constrained"
        )
    return shape


def _reduce(tree: Subtree, argument: str | None) -> Filtered:
    """Forced and dominated options."""
    made = Reduction(tree.problem, tree.alive)
    alive = np.zeros_like(made.alive) if made.impossible else made.alive.copy()
    alive[made.forced] = True
    return Filtered(
        alive,
        f"{len(made.forced):,} forced" if made.forced else "",
        forced=tuple(sorted(made.forced)),
        reason="the options that are left cannot cover every item" if made.impossible else "",
    )


def _fit(tree: Subtree, argument: str | None) -> Filtered:
    alive, removed = fit(tree.problem, tree.alive, tree.chosen, repeat=argument is None)
    return Filtered(alive, f"passes {', '.join(f'{one:,}' for one in removed)}")


def _volume(tree: Subtree, argument: str | None) -> Filtered:
    return Filtered(volume(tree.position))


def _parity(tree: Subtree, argument: str | None) -> Filtered:
    position = tree.position
    for colours in tree.cells.colourings(_modulus(argument)):
        position = replace(position, alive=parity(position, colours))
    return Filtered(position.alive)


# -- triggers -------------------------------------------------------------------------------------


def _parity_trigger(
    made: Triggers, ground: Ground, alive: Flags, argument: str | None, down_to: int
) -> tuple[Triggers, list[TriggerTable]]:
    new = [
        table
        for colours in ground.colourings(_modulus(argument))
        for table in parity_tables(ground.board, alive, colours)
    ]
    return replace(made, sums=(*made.sums, *((table, down_to) for table in new))), new


def _volume_trigger(
    made: Triggers, ground: Ground, alive: Flags, argument: str | None, down_to: int
) -> tuple[Triggers, list[TriggerTable]]:
    table = volume_table(ground.board)
    if table is None or (made.parts is not None and made.parts[1] <= down_to):
        return made, []
    return replace(made, parts=(table, down_to)), [table]


# -- arguments ------------------------------------------------------------------------------------


def _modulus(argument: str | None) -> int | None:
    return None if argument is None else int(argument)


def _piece_or_word(argument: str | None, first: bool) -> str:
    if argument == NOTHING and first:
        return "constrains no piece or cell that could be placed first"
    return ""


def _one_pass(argument: str | None, first: bool) -> str:
    if argument not in (None, "1"):
        return "is repeated until nothing changes, or applied once as fit=1"
    return no_first(first)


def _number_of_colours(argument: str | None, first: bool) -> str:
    allowed = (None, *map(str, range(2, MOST_COLOURS + 1)))
    if argument not in allowed:
        return f"takes a number of colours from 2 to {MOST_COLOURS}"
    return no_first(first)


BUILT_IN: tuple[Kind, ...] = (
    FilterKind(
        "redundancy",
        "symmetric copies of solutions, by constraining a piece or a cell",
        refuse=_piece_or_word,
        cells=True,
        symmetry="broken",
        argument="[PIECE|estimate|cell|none]",
        apply=_redundancy,
    ),
    FilterKind(
        "reduce",
        "options that forced options, dominated options and equal items make superfluous",
        symmetry="uneven",
        apply=_reduce,
    ),
    FilterKind(
        "volume",
        "images that cut off a space which no pieces left can fill",
        every_step=True,
        cells=True,
        symmetry="kept",
        apply=_volume,
    ),
    FilterKind(
        "parity",
        "images after which the colours of the cells cannot be made up",
        refuse=_number_of_colours,
        argument="[COLOURS]",
        every_step=True,
        cells=True,
        symmetry="kept",
        apply=_parity,
    ),
    FilterKind(
        "fit",
        "options after which some item has too few options",
        refuse=_one_pass,
        argument="[1]",
        every_step=True,
        symmetry="kept",
        apply=_fit,
    ),
    TriggerKind(
        "parity-trigger",
        "backtrack as soon as the pieces left cannot make up a colour",
        refuse=_number_of_colours,
        argument="[COLOURS]",
        every_step=True,
        cells=True,
        symmetry="kept",
        add=_parity_trigger,
    ),
    TriggerKind(
        "volume-trigger",
        "backtrack as soon as the pieces left cannot fill a part of the open cells",
        every_step=True,
        cells=True,
        symmetry="kept",
        add=_volume_trigger,
    ),
)
