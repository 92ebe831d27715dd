"""The filters and triggers that come with the package, as values, in the order that works best.

`redundancy`, `volume`, `parity` and the triggers have modules of their own. The other two need no
geometry. No solution is lost or added by them.

*Fit*: after an option, every item that still needs options must have enough of them. An option that
leaves a cell with no placement, or a piece with no place, is in no solution. Removing these options
can make others fail, so the filter may be repeated until nothing changes.

*Reduce*: an item that needs as many options as it has forces them all, and options in conflict with
them are removed. That is repeated until nothing changes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from exactcover.base.patience import check, patiently
from exactcover.errors import StrategyError
from exactcover.problem import Problem
from exactcover.problem.filters.kinds import NOTHING, Filtered, FilterKind
from exactcover.problem.filters.redundancy import cell_pivots, least, piece_pivots
from exactcover.problem.filters.totals import parity, volume
from exactcover.problem.filters.tree import Chosen, Flags, Ground, Subtree, times_covered
from exactcover.problem.filters.triggers import parity_tables, volume_table

CELL = "cell"

WORDS = (CELL, NOTHING)
"""The arguments of `redundancy` that are not names of pieces."""

COLOURS = tuple(map(str, range(2, 9)))
"""The numbers of colours of `parity`."""


# -- filters --------------------------------------------------------------------------------------


def _redundancy(tree: Subtree, argument: str | None) -> Filtered:
    """Constrain one piece or cell to one placement per orbit."""
    problem, layout, symmetries = tree.problem, tree.cells.layout, tree.permutations
    if symmetries is None or len(symmetries) == 1 or argument == NOTHING:
        return Filtered(tree.alive, "nothing to do")
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


# -- fit -------------------------------------------------------------------------------------------

CHUNK = 1 << 8


def fit(
    problem: Problem, alive: Flags, chosen: Chosen = (), *, repeat: bool = True
) -> tuple[Flags, tuple[int, ...]]:
    """Remove options that fit nowhere beside those left, once or until nothing changes.

    It returns the options that are left, and how many options each pass removed. `chosen` are the
    options chosen already; no option alive conflicts with them.
    """
    removed = []
    while True:
        after = fit_once(problem, alive, chosen)
        removed.append(int(alive.sum() - after.sum()))
        alive = after
        if not repeat or not removed[-1]:
            return alive, tuple(count for count in removed if count)


def fit_once(problem: Problem, alive: Flags, chosen: Chosen = ()) -> Flags:
    """One pass: each option is tried against the options that are alive when the pass begins."""
    from exactcover.problem.filters.kernels import misfits

    columns = problem.columns
    covered = times_covered(problem, chosen)[: problem.primary]
    need, room = (problem.low - covered).clip(0), problem.high - covered
    sizes = np.bincount(
        problem.entries[np.repeat(alive, np.diff(problem.starts))], minlength=problem.n_items
    )
    hit = np.zeros(problem.n_items, np.int32)
    touched = np.empty(problem.n_items, np.int32)
    stamps = np.full(problem.n_options, -1, np.int32)
    out = alive.copy()
    candidates = np.flatnonzero(alive)
    for first in patiently(range(0, len(candidates), CHUNK)):
        chunk = candidates[first : first + CHUNK]
        bad = np.empty(len(chunk), bool)
        misfits(
            chunk, problem.starts, problem.entries, problem.colours, *columns, need,
            room, problem.primary, alive, sizes, hit, touched, stamps, bad,
        )  # fmt: skip
        out[chunk[bad]] = False
    return out


# -- reduce ----------------------------------------------------------------------------------------


def forced_options(problem: Problem, alive: Flags) -> tuple[list[int], Flags] | None:
    """The options that are forced, and those that are left beside them; None: no solution."""
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    entries, colours, primary = problem.entries, problem.colours, problem.primary
    is_second = entries >= primary
    most = np.append(problem.high, np.ones(problem.n_items - primary, np.int32))
    forced, left = np.zeros(problem.n_options, bool), alive & problem.choosable
    settled = np.zeros(problem.n_items, np.int32)
    while True:
        check()
        inside = forced[owners]
        times = np.bincount(entries[inside], minlength=problem.n_items)
        settled[entries[inside]] = colours[inside]
        agrees = is_second & (colours != 0) & (colours == settled[entries])
        full = (times >= most)[entries]
        if (inside & (times > most)[entries] & ~agrees).any():
            return None
        left &= ~forced
        left[owners[full & ~agrees]] = False
        sizes = np.bincount(entries[left[owners]], minlength=problem.n_items)[:primary]
        need = problem.low - times[:primary]
        if (sizes < need).any():
            return None
        tight = np.append((need > 0) & (sizes == need), np.zeros(problem.n_items - primary, bool))
        chosen = owners[tight[entries] & left[owners]]
        if not chosen.size:
            return np.flatnonzero(forced).tolist(), left
        forced[chosen] = True


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


_again = partial(FilterKind, every_step=True, symmetry="kept")

BUILT_IN: tuple[FilterKind, ...] = (
    FilterKind(
        "redundancy",
        "symmetric copies of solutions, by constraining a piece or a cell",
        _redundancy,
        "[PIECE|cell|none]",
        symmetry="broken",
    ),
    FilterKind("reduce", "options that conflict with forced options", _reduce, symmetry="uneven"),
    _again("volume", "placements that cut off a space which no pieces left can fill", _volume),
    _again(
        "parity",
        "placements after which the colours of the cells cannot be made up",
        _parity,
        "[COLOURS]",
        COLOURS,
    ),
    _again("fit", "options after which some item has too few options", _fit, "[1]", ("1",)),
    _again(
        "parity-trigger",
        "backtrack as soon as the pieces left cannot make up a colour",
        _parity_trigger,
        "[COLOURS]",
        COLOURS,
        trigger=True,
    ),
    _again(
        "volume-trigger",
        "backtrack as soon as the pieces left cannot fill a part of the open cells",
        _volume_trigger,
        trigger=True,
    ),
)
