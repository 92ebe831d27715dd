"""Filters that need no geometry: options that fit nowhere, are forced or are superfluous.

*Fit*: after an option, every item that still needs options must have enough of them. An option that
leaves a cell with no image, or a piece with no place, is in no solution. Removing these options can
make others fail, so the filter may be repeated until nothing changes.

*Reduce*, repeated until nothing changes:

* An item that needs as many options as it has forces them all; options in conflict are removed.
* If every option of item A also has item B, and both are covered exactly once, then the options of
  B without A can never be chosen. After that the two items are equal, and one of them is enough.
* A secondary item is superfluous if its remaining options can no longer exclude each other.

No solution is lost or added. The map back to the original options is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class Reduction:
    """A smaller problem with the same solutions.

    problem     the problem left to solve
    options     int32: the original number of each of its options
    forced      original options that are in every solution
    impossible  there is no solution
    """

    original: Problem
    problem: Problem
    options: IntArray
    forced: tuple[int, ...]
    impossible: bool

    def __repr__(self) -> str:
        return (
            f"<Reduction: {self.original.n_options:,} to {self.problem.n_options:,} options, "
            f"{self.original.n_items:,} to {self.problem.n_items:,} items, "
            f"{len(self.forced):,} forced>"
        )


def reduce(problem: Problem, alive: Flags | None = None) -> Reduction:
    """Apply every rule until nothing changes."""
    work = _Work(problem, alive)
    work.force_apart()
    while not work.impossible and (work.force() or work.dominate()):
        pass
    if not work.impossible:
        work.drop_silent_items()
    return work.result()


class _Work:
    """The problem while it shrinks.

    alive  bool [options]; open bool [items]: still part of the problem
    need, room  int [primary]: how many more options each item needs and can take
    """

    def __init__(self, problem: Problem, alive: Flags | None) -> None:
        self.problem = problem
        self.alive = problem.choosable.copy() if alive is None else alive & problem.choosable
        self.open = np.ones(problem.n_items, bool)
        self.need = problem.low.astype(np.int64)
        self.room = problem.high.astype(np.int64)
        self.forced: list[int] = []
        self.impossible = False

    def options_of(self, item: int) -> IntArray:
        options = self.problem.options_of(item)
        return options[self.alive[options]]

    # -- rules --------------------------------------------------------------------------------

    def force(self) -> bool:
        """Choose the forced options; return whether there were any."""
        changed = False
        for item in patiently(range(self.problem.primary)):
            if self.impossible or not self.open[item] or self.need[item] == 0:
                continue
            options = self.options_of(item)
            if len(options) < self.need[item]:
                self.impossible = True
            elif len(options) == self.need[item]:
                for option in options.tolist():
                    self._choose(option)
                changed = True
        return changed

    def force_apart(self) -> None:
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
                    self.alive[self.options_of(item)] = False
            else:
                for other in self.options_of(item).tolist():
                    there = self.problem.items_of(other) == item
                    if not colour or self.problem.colours_of(other)[there][0] != colour:
                        self.alive[other] = False

    def dominate(self) -> bool:
        """Use items whose options are among those of another item; return whether anything
        changed."""
        problem, changed = self.problem, False
        for item in patiently(range(problem.primary)):
            if not self._exactly_once(item):
                continue
            options = self.options_of(item)
            if not len(options):
                continue
            others, counts = np.unique(
                np.concatenate([problem.items_of(option) for option in options]), return_counts=True
            )
            for other in others[counts == len(options)].tolist():
                if other == item or other >= problem.primary or not self._exactly_once(other):
                    continue
                beside = np.setdiff1d(self.options_of(other), options)
                self.alive[beside] = False
                self.open[other] = False
                changed = True
        return changed

    def _exactly_once(self, item: int) -> bool:
        return bool(self.open[item] and self.need[item] == 1 and self.room[item] == 1)

    def drop_silent_items(self) -> None:
        """Close the secondary items that exclude nothing any more."""
        problem = self.problem
        for item in patiently(range(problem.primary, problem.n_items)):
            options = self.options_of(item)
            colours = {
                int(problem.colours_of(option)[problem.items_of(option) == item][0])
                for option in options.tolist()
            }
            if len(options) <= 1 or (len(colours) == 1 and 0 not in colours):
                self.open[item] = False

    # -- what is left -------------------------------------------------------------------------

    def result(self) -> Reduction:
        problem, open_ = self.problem, self.open
        items = np.flatnonzero(open_)
        primary = int((items < problem.primary).sum())
        number = np.full(problem.n_items, -1, np.int64)
        number[items] = np.arange(len(items))
        options = np.flatnonzero(self.alive).astype(np.int32)
        if self.impossible:
            options = options[:0]
        kept = np.zeros(problem.n_options, bool)
        kept[options] = True
        owners = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
        entries = kept[owners] & open_[problem.entries]
        starts = np.searchsorted(owners[entries], options)
        first = items[:primary]
        smaller = Problem.from_arrays(
            len(items),
            np.concatenate([starts, [int(entries.sum())]]),
            number[problem.entries[entries]],
            primary=primary,
            low=self.need[first],
            high=np.maximum(self.room[first], self.need[first]),
            colours=problem.colours[entries],
            costs=None if problem.costs is None else problem.costs[options],
            items=[problem.items[item] for item in items.tolist()],
            option_names=[problem.option_name(option) for option in options.tolist()],
            colour_names=problem.colour_names,
        )
        return Reduction(problem, smaller, options, tuple(sorted(self.forced)), self.impossible)
