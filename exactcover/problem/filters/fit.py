"""The fit filter: after an image, every item that still needs options must have enough of them.

An option that leaves a cell with no image, or a piece with no place, is in no solution. Removing
these options can make others fail, so the filter may be repeated until nothing changes. It needs no
geometry and works on any problem.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactcover.base.patience import patiently
from exactcover.problem import Problem
from exactcover.problem.filters.tree import Chosen, Flags, times_covered

CHUNK = 1 << 8


@dataclass(frozen=True)
class FitResult:
    """The options that a run of the filter leaves, and how many options each pass removed."""

    alive: Flags
    removed: tuple[int, ...]


def fit(problem: Problem, alive: Flags, chosen: Chosen = (), *, repeat: bool = True) -> FitResult:
    """Remove options that fit nowhere beside those left, once or until nothing changes.

    `chosen` are the options chosen already; no option alive conflicts with them.
    """
    removed = []
    while True:
        after = fit_once(problem, alive, chosen)
        removed.append(int(alive.sum() - after.sum()))
        alive = after
        if not repeat or not removed[-1]:
            return FitResult(alive, tuple(count for count in removed if count))


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
