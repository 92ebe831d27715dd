"""Filters that need no geometry: options that fit nowhere, or are forced.

*Fit*: after an option, every item that still needs options must have enough of them. An option that
leaves a cell with no placement, or a piece with no place, is in no solution. Removing these options
can make others fail, so the filter may be repeated until nothing changes.

*Reduce*: an item that needs as many options as it has forces them all, and options in conflict with
them are removed. That is repeated until nothing changes.

No solution is lost or added.
"""

from __future__ import annotations

import numpy as np

from exactcover.base.patience import check, patiently
from exactcover.problem import Problem
from exactcover.problem.filters.tree import Chosen, Flags, times_covered

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
