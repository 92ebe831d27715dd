"""What an engine is: a frozen record of what it can do, and a resumable search.

The one way to run any engine:

    search = backend.start(problem, layout, task)
    while (batch := search.advance(steps)).status is not Status.DONE: ...

A search holds its whole state in a few arrays, so it can be stopped between any two calls of
`advance` and gone on with later. It never prints, never reads a clock and never starts a thread:
limits, progress and Ctrl-C are the solver's business, and budgets are how the solver has its way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from exactcover.heuristics import Heuristic
from exactcover.layout import Layout
from exactcover.problem import IntArray, Problem


class Status(Enum):
    """Why `advance` came back."""

    BUDGET = "budget"  # the steps are spent; there is more to search
    FULL = "full"  # the batch is full; there is more to search
    DONE = "done"  # the whole tree has been searched


@dataclass(frozen=True)
class Capabilities:
    """What an engine can do. `features` are the words of `Problem.needs`, or `copies`.

    `copies` are multiplicities in their plain form: no option has two items with one.

    triggers  it goes back where the `Watch` of its task tells it to
    orders    it takes every fixed order of cells as a heuristic
    phases    its heuristic may change on the way down, by the phases of a task
    cuts      its searches are `CuttingSearch`es: it can hand out states with so many pieces left,
              and so hand over to another engine, and it counts by the number of pieces left
    counts    it is a `CountingBackend`: it counts what it need not list
    opens     it is an `OpeningBackend`: what many tasks have in common it works out once
    rates     it takes a user's own heuristics, which rate cells
    settings  the names of what else it can be told
    """

    features: frozenset[str]
    heuristics: tuple[str, ...]
    resumable: bool = True
    lists_solutions: bool = True
    triggers: bool = False
    orders: bool = False
    phases: bool = False
    cuts: bool = False
    counts: bool = False
    opens: bool = False
    rates: bool = False
    settings: tuple[str, ...] = ()

    def takes(self, heuristic: Heuristic) -> bool:
        """Whether the engine knows what this heuristic means."""
        return (
            heuristic.name in self.heuristics
            or (self.orders and heuristic.fixed)
            or (self.rates and heuristic.rate is not None)
        )

    def missing(self, problem: Problem) -> frozenset[str]:
        """What the problem needs and the engine lacks."""
        missing = problem.needs - self.features
        if "multiplicities" in missing and "copies" in self.features and _counts_copies(problem):
            missing -= {"multiplicities"}
        return missing


def _counts_copies(problem: Problem) -> bool:
    """Whether no option has two items that are covered other than just once."""
    ranged = np.zeros(problem.n_items + 1, bool)
    ranged[: problem.primary] = (problem.low != 1) | (problem.high != 1)
    before = np.concatenate([[0], np.cumsum(ranged[problem.entries])])
    return bool((np.diff(before[problem.starts]) <= 1).all())


@dataclass(frozen=True, eq=False)
class Parts:
    """The part of a `Watch` that looks at the parts into which the open cells fall.

    cell_item  int32 [cells]          the item of each cell
    near       uint64 [cells, words]  its neighbours, as bits
    optional   uint64 [words]         the cells that may stay empty
    start      where its table begins in the watch's `shortfall`
    steps      int64 [options]        what choosing an option adds to the row in that table
    down_to    it is looked at while so many pieces remain

    Entry `row + size` of the table says how many cells of a part of that size must stay empty.
    """

    cell_item: IntArray
    near: npt.NDArray[np.uint64]
    optional: npt.NDArray[np.uint64]
    start: int
    steps: npt.NDArray[np.int64]
    down_to: int


@dataclass(frozen=True, eq=False)
class Watch:
    """What tells an engine that the rest cannot be completed, so that it goes back at once.

    For each table there are two running numbers: an index in it and a slack. A choice of options
    cannot be completed if the entry at the index is more than the slack. The options chosen by a
    task count like all others. It never excludes a solution, so to disregard it is not wrong.

    shortfall  int32 [entries]          the tables, end to end
    start      int64 [tables]           where each index starts
    steps      int64 [options, tables]  what choosing an option adds to it
    slack      int64 [tables]           where each slack starts
    takes      int64 [options, tables]  what choosing an option takes from it
    down_to    int64 [tables]           a table is looked at while so many pieces remain
    pieces     how many pieces there are to place, or a bound on it
    is_piece   bool [options]           choosing the option places one (else it leaves a hole)
    parts      the test of the parts of the open cells, or None
    """

    shortfall: IntArray
    start: npt.NDArray[np.int64]
    steps: npt.NDArray[np.int64]
    slack: npt.NDArray[np.int64]
    takes: npt.NDArray[np.int64]
    down_to: npt.NDArray[np.int64]
    pieces: int
    is_piece: npt.NDArray[np.bool_]
    parts: Parts | None = None


@dataclass(frozen=True)
class Phase:
    """How an engine branches while no more than so many pieces remain; None: from the start."""

    heuristic: str
    remaining: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """A subtree of a search: what an engine starts from, or hands to the next one.

    chosen   the options chosen already
    allowed  bool [options]: those that may still be chosen, or None for all of them
    heuristic, settings: how to branch, in the words of the engine's capabilities
    watch     where to go back early, or None
    phases    how to branch where that changes on the way down, instead of heuristic and settings
    order     int32 [options]: the options in the order in which they are tried; None: as they are
    cut       a state with so many pieces left counts as a solution, and is handed out as one;
              None: there is no cut. What lies below it, `Search.below` says.
    tally     whether `Search.tally` is wanted
    """

    chosen: tuple[int, ...] = ()
    allowed: npt.NDArray[np.bool_] | None = None
    heuristic: str = "s"
    settings: dict[str, str] = field(default_factory=dict)
    watch: Watch | None = None
    phases: tuple[Phase, ...] = ()
    order: IntArray | None = None
    cut: int | None = None
    tally: bool = False


class Tried(NamedTuple):
    """What was tried with a number of pieces left: options looked at, and those chosen."""

    attempts: int
    fits: int


@dataclass(frozen=True)
class Batch:
    """What one call of `advance` found: solutions as sorted option numbers, CSR."""

    status: Status
    starts: npt.NDArray[np.int64]
    options: IntArray

    def __len__(self) -> int:
        return self.starts.size - 1

    def solution(self, number: int) -> tuple[int, ...]:
        """The options of one solution of this batch, ascending."""
        return tuple(self.options[self.starts[number] : self.starts[number + 1]].tolist())


class Search(Protocol):
    """A search under way."""

    @property
    def fits(self) -> int:
        """Options chosen so far, over the whole search."""

    @property
    def nofits(self) -> int:
        """Options tried that did not fit; 0 for an engine that only meets options that fit."""

    @property
    def found(self) -> int:
        """Solutions found so far."""

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Search on for about `steps` choices, or until `capacity` solutions are in the batch.

        With `keep` false solutions are counted in `found` but not handed out.
        """

    def progress(self) -> float:
        """How much of the tree is behind it, 0 to 1, taking sibling branches as equals."""

    def position(self) -> Sequence[tuple[int, int]]:
        """The stack, root first: which branch of how many is being searched at each level."""


class CuttingSearch(Search, Protocol):
    """A search that can be looked into: of an engine with the capability `cuts`."""

    def chosen(self) -> tuple[int, ...]:
        """The options on the stack, in the order of choice, after those of the task."""

    def tally(self) -> Mapping[int, Tried]:
        """What was tried, by the number of pieces left before; empty where it was not asked for."""

    def below(self) -> Task:
        """The subtree below the last state handed out, once a batch of one is full.

        Its `allowed` leaves out what conflicts, and what other states that are handed out have
        below them; so the subtrees together have each solution once.
        """


class Backend(Protocol):
    """An engine. See `backends/template.py` for one to copy."""

    name: str
    summary: str
    capabilities: Capabilities

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names, not yet begun."""


class Opening(Protocol):
    """A task made ready, so that many searches below it start quickly."""

    def start(self, task: Task) -> Search:
        """A search of a subtree of the task: it has chosen more, and allows no other options."""


class OpeningBackend(Backend, Protocol):
    """An engine with the capability `opens`, for a hand-over at many states."""

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> Opening:
        """The task made ready; a search below it finds what one by `start` would find."""


class Counting(Protocol):
    """A count under way that lists nothing."""

    count: int | None
    """The number of solutions, once it is known."""

    states: int
    """How many states were counted so far."""

    def advance(self, steps: int) -> bool:
        """Count on for about so many steps; whether it is done. Raises `TooLarge`."""

    def progress(self) -> float:
        """How much is behind it, 0 to 1."""


class CountingBackend(Backend, Protocol):
    """An engine with the capability `counts`."""

    def count(self, problem: Problem, layout: Layout | None, task: Task) -> Counting:
        """A count of the solutions below a task, not yet begun."""
