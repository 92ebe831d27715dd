"""Filters that need no geometry: options that fit nowhere, are forced or are superfluous.

*Fit*: after an option, every item that still needs options must have enough of them. An option that
leaves a cell with no placement, or a piece with no place, is in no solution. Removing these options
can make others fail, so the filter may be repeated until nothing changes.

*Reduce*, repeated until nothing changes:

* An item that needs as many options as it has forces them all; options in conflict are removed.
* If every option of item A also has item B, and both are covered exactly once, then the options of
  B without A can never be chosen. After that the two items are equal, and one of them is enough.

No solution is lost or added.
"""

from __future__ import annotations

import numpy as np

from exactcover.base.patience import patiently
from exactcover.problem import IntArray, Problem
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


class Reduction:
    """The rest of a problem once every rule is applied until nothing changes.

    alive       bool [options]: the options that may still be chosen
    open        bool [items]: those that are still to be covered
    need, room  int64 [primary]: how many more options each item needs and can take
    forced      options that are in every solution
    impossible  there is no solution
    """

    def __init__(self, problem: Problem, alive: Flags) -> None:
        self.problem = problem
        self.alive = alive & problem.choosable
        self.open = np.ones(problem.n_items, bool)
        self.need = problem.low.astype(np.int64)
        self.room = problem.high.astype(np.int64)
        self.forced: list[int] = []
        self.impossible = False
        self._force_apart()
        while not self.impossible and (self._force() or self._dominate()):
            pass

    def _options_of(self, item: int) -> IntArray:
        options = self.problem.options_of(item)
        return options[self.alive[options]]

    def _force(self) -> bool:
        """Choose the forced options; return whether there were any."""
        changed = False
        for item in patiently(range(self.problem.primary)):
            if self.impossible or not self.open[item] or self.need[item] == 0:
                continue
            options = self._options_of(item)
            if len(options) < self.need[item]:
                self.impossible = True
            elif len(options) == self.need[item]:
                for option in options.tolist():
                    self._choose(option)
                changed = True
        return changed

    def _force_apart(self) -> None:
        """Choose all forced options without conflicts at once: there may be a million."""
        problem = self.problem
        owners = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        entries = problem.entries
        options = np.bincount(entries[self.alive[owners]], minlength=problem.n_items)
        apart = np.zeros(problem.n_items, bool)
        apart[: problem.primary] = (self.need == 1) & (self.room == 1)
        apart &= options == 1
        shared = np.bincount(owners[~apart[entries]], minlength=problem.n_options)
        chosen = self.alive & (shared == 0)
        covered = entries[chosen[owners]]
        self.forced += np.flatnonzero(chosen).tolist()
        self.alive &= ~chosen
        self.need[covered] = self.room[covered] = 0
        self.open[covered] = False

    def _choose(self, option: int) -> None:
        """Choose an option: cover its items, and remove the options that conflict with it."""
        if not self.alive[option]:
            self.impossible = True  # another forced option conflicts with this one
            return
        self.forced.append(option)
        self.alive[option] = False
        items, colours = self.problem.items_of(option), self.problem.colours_of(option)
        for item, colour in zip(items.tolist(), colours.tolist(), strict=True):
            if item < self.problem.primary:
                self.need[item] = max(0, self.need[item] - 1)
                self.room[item] -= 1
                if self.room[item] == 0:
                    self.open[item] = False
                    self.alive[self._options_of(item)] = False
            else:
                for other in self._options_of(item).tolist():
                    there = self.problem.items_of(other) == item
                    if not colour or self.problem.colours_of(other)[there][0] != colour:
                        self.alive[other] = False

    def _dominate(self) -> bool:
        """Use items whose options are among those of another item; return whether anything
        changed."""
        problem, changed = self.problem, False
        for item in patiently(range(problem.primary)):
            if not self._exactly_once(item):
                continue
            options = self._options_of(item)
            if not len(options):
                continue
            others, counts = np.unique(
                np.concatenate([problem.items_of(option) for option in options]), return_counts=True
            )
            for other in others[counts == len(options)].tolist():
                if other == item or other >= problem.primary or not self._exactly_once(other):
                    continue
                beside = np.setdiff1d(self._options_of(other), options)
                self.alive[beside] = False
                self.open[other] = False
                changed = True
        return changed

    def _exactly_once(self, item: int) -> bool:
        return bool(self.open[item] and self.need[item] == 1 and self.room[item] == 1)
