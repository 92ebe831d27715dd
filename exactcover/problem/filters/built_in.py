"""The filters and triggers that come with the package, as values, in the order that works best."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from exactcover.errors import StrategyError
from exactcover.problem.filters.kinds import NOTHING, Filtered, FilterKind
from exactcover.problem.filters.reduction import fit, forced_options
from exactcover.problem.filters.redundancy import cell_pivots, least, piece_pivots
from exactcover.problem.filters.totals import parity, volume
from exactcover.problem.filters.tree import Ground, Subtree
from exactcover.problem.filters.triggers import parity_tables, volume_table

CELL = "cell"

WORDS = (CELL, NOTHING)
"""The arguments of `redundancy` that are not names of pieces."""

COLOURS = tuple(map(str, range(2, 9)))
"""The numbers of colours of `parity`."""


# -- filters --------------------------------------------------------------------------------------


def _redundancy(tree: Subtree, argument: str | None) -> Filtered:
    """Constrain one piece or cell to one placement per orbit."""
    symmetries = tree.permutations
    if symmetries is None or len(symmetries) == 1 or argument == NOTHING:
        return Filtered(tree.alive, "nothing to do")
    problem, layout = tree.problem, tree.cells.layout
    if argument == CELL:
        pivots = cell_pivots(problem, layout, symmetries)
    else:
        shape = None if argument is None else _single(tree.cells, argument)
        pivots = piece_pivots(layout, symmetries, shape)
    made = least(pivots, problem.n_options, tree.alive)
    if made is None:
        missing = "no cell stays in its place" if argument == CELL else "no piece occurs once"
        return Filtered(tree.alive, f"{missing}: symmetric copies are removed one by one")
    title = tree.cells.title_of(made.pivot.kind, made.pivot.number)
    note = f"{title} keeps {made.placements.size:,} placements"
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
    """Forced options."""
    made = forced_options(tree.problem, tree.alive)
    if made is None:
        reason = "the options that are left cannot cover every item"
        return Filtered(np.zeros_like(tree.alive), reason=reason)
    forced, alive = made
    alive[forced] = True
    return Filtered(alive, f"{len(forced):,} forced" if forced else "", forced=tuple(forced))


def _fit(tree: Subtree, argument: str | None) -> Filtered:
    alive, removed = fit(tree.problem, tree.alive, tree.chosen, repeat=argument is None)
    return Filtered(alive, f"passes {', '.join(f'{one:,}' for one in removed)}")


def _volume(tree: Subtree, argument: str | None) -> Filtered:
    return Filtered(volume(tree))


def _parity(tree: Subtree, argument: str | None) -> Filtered:
    for colours in tree.cells.colourings(_modulus(argument)):
        tree = replace(tree, alive=parity(tree, colours))
    return Filtered(tree.alive)


# -- triggers -------------------------------------------------------------------------------------


def _parity_trigger(tree: Subtree, argument: str | None) -> Filtered:
    ground = tree.cells
    tables = [
        table
        for colours in ground.colourings(_modulus(argument))
        for table in parity_tables(ground, tree.alive, colours)
    ]
    return Filtered(tree.alive, tables=tuple(tables))


def _volume_trigger(tree: Subtree, argument: str | None) -> Filtered:
    table = volume_table(tree.cells)
    return Filtered(tree.alive, tables=() if table is None else (table,))


def _modulus(argument: str | None) -> int | None:
    return None if argument is None else int(argument)


_of_cells = partial(FilterKind, every_step=True, cells=True, symmetry="kept")

BUILT_IN: tuple[FilterKind, ...] = (
    FilterKind(
        "redundancy",
        "symmetric copies of solutions, by constraining a piece or a cell",
        _redundancy,
        "[PIECE|cell|none]",
        cells=True,
        symmetry="broken",
    ),
    FilterKind("reduce", "options that conflict with forced options", _reduce, symmetry="uneven"),
    _of_cells("volume", "placements that cut off a space which no pieces left can fill", _volume),
    _of_cells(
        "parity",
        "placements after which the colours of the cells cannot be made up",
        _parity,
        "[COLOURS]",
        COLOURS,
    ),
    FilterKind(
        "fit",
        "options after which some item has too few options",
        _fit,
        "[1]",
        ("1",),
        every_step=True,
        symmetry="kept",
    ),
    _of_cells(
        "parity-trigger",
        "backtrack as soon as the pieces left cannot make up a colour",
        _parity_trigger,
        "[COLOURS]",
        COLOURS,
        trigger=True,
    ),
    _of_cells(
        "volume-trigger",
        "backtrack as soon as the pieces left cannot fill a part of the open cells",
        _volume_trigger,
        trigger=True,
    ),
)
