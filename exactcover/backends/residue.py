"""The part of a problem that a task leaves, the same for every engine.

Options that are chosen, forbidden or in conflict with chosen ones are removed. Secondary items
whose colour is settled are removed, too, since only options that agree with it are left. So a
subtree is a smaller problem, and costs an engine nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactcover.backends.base import Task
from exactcover.problem import IntArray, Problem


@dataclass(frozen=True, eq=False)
class Residue:
    """The rest of a problem below a task: the options that may still be chosen, and the needs.

    options  int32 [left]      their numbers in the problem, in the order in which they are tried
    starts   int32 [left + 1]  where their nodes begin
    items, colours  int32 [nodes]
    need, room  int32 [primary]  how many more options each item needs, and can take
    """

    options: IntArray
    starts: IntArray
    items: IntArray
    colours: IntArray
    need: IntArray
    room: IntArray

    @classmethod
    def of(cls, problem: Problem, task: Task) -> Residue:
        """The problem below a task, whose chosen options do not conflict."""
        whole = task.allowed is None or task.allowed.all()
        if whole and not task.chosen and task.order is None and problem.choosable.all():
            return cls._whole(problem)
        primary, lengths = problem.primary, np.diff(problem.starts)
        taken, settled = _covered(problem, task.chosen)
        need = problem.low - taken[:primary]
        room = problem.high - taken[:primary]

        option_of = np.repeat(np.arange(problem.n_options), lengths)
        is_primary = problem.entries < primary
        open_ = np.ones(problem.n_items, bool)
        open_[:primary] = room > 0
        open_[primary:] = taken[primary:] == 0
        agrees = (problem.colours != 0) & (problem.colours == settled[problem.entries])
        fits = np.ones(problem.n_options, bool) if task.allowed is None else task.allowed.copy()
        fits[option_of[~(open_[problem.entries] | agrees)]] = False
        fits &= np.bincount(option_of[is_primary], minlength=problem.n_options) > 0
        fits[list(task.chosen)] = False

        kept = fits[option_of] & open_[problem.entries]
        counts = np.bincount(option_of[kept], minlength=problem.n_options)[fits]
        options, entries = np.flatnonzero(fits), np.flatnonzero(kept)
        if task.order is not None:
            place = np.empty(problem.n_options, np.int64)
            place[task.order] = np.arange(problem.n_options)
            by_place = np.argsort(place[options])
            entries = entries[np.argsort(place[option_of[entries]], kind="stable")]
            options, counts = options[by_place], counts[by_place]
        return cls(
            options=options.astype(np.int32),
            starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            items=problem.entries[entries],
            colours=problem.colours[entries],
            need=need,
            room=room,
        )

    @classmethod
    def _whole(cls, problem: Problem) -> Residue:
        """A problem of which everything is left."""
        options = np.arange(problem.n_options, dtype=np.int32)
        # Its arrays are read-only. Engines are compiled for arrays that can be written.
        arrays = (problem.starts, problem.entries, problem.colours, problem.low, problem.high)
        return cls(options, *(array.copy() for array in arrays))


def _covered(problem: Problem, chosen: Sequence[int]) -> tuple[IntArray, IntArray]:
    """How often the chosen options cover each item, and the colours that they settle."""
    taken, settled = np.zeros(problem.n_items, np.int32), np.zeros(problem.n_items, np.int32)
    for option in chosen:
        items = problem.items_of(option)
        taken[items] += 1
        settled[items] = problem.colours_of(option)
    return taken, settled
