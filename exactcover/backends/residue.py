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
        primary = problem.primary
        taken, settled = _covered(problem, task.chosen)
        need = problem.low - taken[:primary]
        room = problem.high - taken[:primary]
        options = np.arange(problem.n_options) if task.order is None else np.asarray(task.order)
        if task.allowed is not None:
            options = options[task.allowed[options]]
        starts, nodes = problem.rows(options)
        items, colours = problem.entries[nodes], problem.colours[nodes]

        row_of = np.repeat(np.arange(options.size), np.diff(starts))
        open_ = np.ones(problem.n_items, bool)
        open_[:primary] = room > 0
        open_[primary:] = taken[primary:] == 0
        agrees = (colours != 0) & (colours == settled[items])
        fits = np.bincount(row_of[items < primary], minlength=options.size) > 0
        fits[row_of[~(open_[items] | agrees)]] = False
        fits &= ~np.isin(options, task.chosen)

        kept = fits[row_of] & open_[items]
        counts = np.bincount(row_of[kept], minlength=options.size)[fits]
        return cls(
            options=options[fits].astype(np.int32),
            starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            items=items[kept],
            colours=colours[kept],
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
