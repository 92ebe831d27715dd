"""The interface of an engine: a frozen record of its capabilities, and resumable searches of nodes.

The one way to run any engine:

    begin = prepared(engine, problem, layout, branching)
    search = begin(node, None)
    while (slice := search.advance(steps)).status is not Status.DONE: ...

`prepared` checks the branching, so no engine has to (see `tasks`). A search holds its whole state,
so it can be stopped between any two calls of `advance`. It never prints, never reads a clock and
never starts a thread: a session handles limits, progress and Ctrl-C by the budget of each call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from exactcover.backends.arrays import expanded
from exactcover.backends.heuristics import Heuristic
from exactcover.backends.node import ROOT, Node
from exactcover.base.text import SEED_DIGITS, whole_number
from exactcover.problem import IntArray, Layout, Problem


@dataclass(frozen=True, eq=False)
class Watch:
    """Tables that show an engine when a state cannot be completed, so that it backtracks at once.

    There are running numbers: the pieces that remain, or a bound on them; for each table an index
    in it and a slack; and a row in the table of the parts into which the open cells fall. A state
    cannot be completed if the entry at an index is more than its slack, or if an entry `row + size`
    is more than the optional cells in a part of that size. It excludes no solution, so an engine
    may ignore it.

    start      int64 [2 + 2 tables]           where the running numbers start
    steps      int64 [options, 2 + 2 tables]  what choosing an option adds to them
    shortfall  int32 [entries]                all tables, end to end
    down_to    int64 [tables]           a table is looked at while at least this many pieces remain
    parts_down_to                       the same for the parts; `NEVER`: they are not looked at
    cell_item  int32 [cells]            the item of each cell
    near       uint64 [cells, words]    its neighbours, as bits
    optional   uint64 [words]           the cells that may stay empty
    """

    start: npt.NDArray[np.int64]
    steps: npt.NDArray[np.int64]
    shortfall: IntArray
    down_to: npt.NDArray[np.int64]
    parts_down_to: int
    cell_item: IntArray
    near: npt.NDArray[np.uint64]
    optional: npt.NDArray[np.uint64]


NEVER = 1 << 62
"""More pieces than there can be."""


class Status(Enum):
    """Why `advance` came back."""

    BUDGET = "budget"  # the steps are spent; there is more to search
    FULL = "full"  # the batch is full; there is more to search
    DONE = "done"  # the whole tree has been searched


FEATURES = ("secondary", "colours", "multiplicities", "copies")
"""The features of problems that an engine may support beyond primary items covered once."""

DEFAULT = "s"
"""The heuristic where none is named. An engine without it uses the first of its own."""


class Setting(NamedTuple):
    """A setting of an engine: its values, described in words and by a test of the text."""

    means: str
    allows: Callable[[str], bool]


NUMBER = Setting(
    f"a number of at most {SEED_DIGITS} digits",
    lambda text: whole_number(text, SEED_DIGITS) is not None,
)
"""A setting whose value is a whole number, such as a seed."""

MEBIBYTES = Setting("a number of MiB, such as memory=1024", lambda text: bool(whole_number(text)))
"""A setting whose value is a size in MiB."""


@dataclass(frozen=True)
class Capabilities:
    """The capabilities of an engine; nothing else reaches it.

    features    the words of `Problem.needs` that it takes, or `copies`: multiplicities in their
                plain form, with at most one item per option that has a multiplicity
    heuristics  the names of its heuristics, the default first
    lists_solutions  it hands solutions out; an engine that only counts is called with `keep` off
    cuts        its searches can be cut and looked into: they are `CuttingSearch`es. So it can hand
                over to another engine, and count by the number of pieces left
    triggers    it backtracks where the `Watch` of a branching says so
    orders      it takes every fixed order of cells as a heuristic
    phases      its heuristic may change on the way down, by phases
    rates       it takes a user's own heuristics, which rate cells
    settings    its settings by name
    package     the package without which no search starts; empty: none
    """

    features: frozenset[str] = frozenset()
    heuristics: tuple[str, ...] = (DEFAULT,)
    lists_solutions: bool = True
    cuts: bool = False
    triggers: bool = False
    orders: bool = False
    phases: bool = False
    rates: bool = False
    settings: Mapping[str, Setting] = field(default_factory=dict)
    package: str = ""

    def __post_init__(self) -> None:
        if unknown := self.features - set(FEATURES):
            raise ValueError(f"features {sorted(unknown)}: an engine has {', '.join(FEATURES)}")
        if not self.heuristics:
            raise ValueError(f"an engine has a heuristic at least: {DEFAULT!r} if it needs no name")

    def takes(self, heuristic: Heuristic) -> bool:
        """Whether the engine supports this heuristic."""
        return (
            heuristic.name in self.heuristics
            or (self.orders and heuristic.fixed)
            or (self.rates and heuristic.rate is not None)
        )

    def missing(self, problem: Problem) -> frozenset[str]:
        """The features that the problem needs and the engine lacks."""
        missing = problem.needs - self.features
        if "multiplicities" in missing and "copies" in self.features:
            ranged = np.zeros(problem.n_items, bool)
            ranged[: problem.primary] = (problem.low != 1) | (problem.high != 1)
            before = np.concatenate([[0], np.cumsum(ranged[problem.entries])])
            if (np.diff(before[problem.starts]) <= 1).all():
                missing -= {"multiplicities"}
        return missing


@dataclass(frozen=True)
class Phase:
    """The branching while at most `remaining` pieces are left; None: from the start.

    Consecutive stages of one engine in a strategy become its phases.
    """

    heuristic: str
    remaining: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


ItemT = TypeVar("ItemT")
DoneT = TypeVar("DoneT")


class Abreast(Protocol):
    """Threads that share the parts of one piece of work, so that no engine starts a thread."""

    @property
    def number(self) -> int:
        """How many work side by side."""

    def map(self, do: Callable[[ItemT], DoneT], items: Iterable[ItemT], /) -> list[DoneT]:
        """The results of `do` for all items, in their order; raises what a call raised.

        It returns when all calls have ended.
        """


@dataclass(frozen=True)
class Branching:
    """How a search goes below its root: the same for all nodes there.

    root      the node below which all searches are. `prepared` fills in its `allowed`, and removes
              options that conflict with a chosen one
    phases    how to branch, by names of the engine's capabilities; each phase begins with fewer
              pieces left than the one before
    watch     where to backtrack early, or None. It excludes no solution, so an engine may ignore
              it.
    tally     whether the `tally` of slices is wanted
    first     whether searches of nodes are parts of one search by this engine, so they must not
              make lists of their own: their no-fits add up to those of that search
    threads   threads that may share a count by states; its result does not depend on them. None:
              one thread
    """

    root: Node = ROOT
    phases: tuple[Phase, ...] = (Phase(DEFAULT),)
    watch: Watch | None = None
    tally: bool = False
    first: bool = False
    threads: Abreast | None = None

    @classmethod
    def by(cls, heuristic: str, settings: Mapping[str, str] | None = None) -> Branching:
        """Branching in a single phase."""
        return cls(phases=(Phase(heuristic, None, settings or {}),))

    @property
    def heuristic(self) -> str:
        """That of the first phase: the only one, unless the engine has `phases`."""
        return self.phases[0].heuristic

    @property
    def settings(self) -> Mapping[str, str]:
        """Those of the first phase."""
        return self.phases[0].settings


class Tried(NamedTuple):
    """The options tried with a number of pieces left, and the options chosen of these."""

    attempts: int
    fits: int


Tally = Mapping[int, Tried]
"""The options tried, by the number of pieces left before."""


def sum_tallies(tallies: Iterable[Tally]) -> dict[int, Tried]:
    """The sum of several tallies, most pieces left first."""
    attempts: Counter[int] = Counter()
    fits: Counter[int] = Counter()
    for tally in tallies:
        for left, tried in tally.items():
            attempts[left] += tried.attempts
            fits[left] += tried.fits
    return {left: Tried(attempts[left], fits[left]) for left in sorted(attempts, reverse=True)}


NO_STARTS, NO_OPTIONS = np.zeros(1, np.int64), np.zeros(0, np.int32)
"""Those of all slices without a solution."""
NO_STARTS.flags.writeable = NO_OPTIONS.flags.writeable = False


@dataclass(frozen=True)
class Slice:
    """The work of a search in one call of `advance`: only what is new, never a total.

    starts, options  the solutions that it hands out: sorted option numbers, compressed rows
    found      solutions, with those that it does not hand out; a state where the search is cut is
               one
    fits       options chosen; states, if it counts by states
    nofits     options tried that did not fit; 0 for an engine that tries only options that fit
    tally      both by the number of pieces left before; empty without `Branching.tally`
    state      the node of the last state handed out, of a search that is cut
    symmetric  how many of the solutions have each group of symmetries, if that was found out
    """

    status: Status
    starts: npt.NDArray[np.int64] = field(default_factory=lambda: NO_STARTS)
    options: IntArray = field(default_factory=lambda: NO_OPTIONS)
    found: int = 0
    fits: int = 0
    nofits: int = 0
    tally: Tally = field(default_factory=dict)
    state: Node | None = None
    symmetric: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, status: Status, solutions: Sequence[Sequence[int]] = (), **figures: Any) -> Slice:
        """A slice with these solutions, each a sequence of ascending option numbers."""
        if not solutions:
            return cls(status, **figures)
        starts = np.cumsum([0, *map(len, solutions)], dtype=np.int64)
        options = np.array([option for one in solutions for option in one], np.int32)
        return cls(status, starts, options, **figures)

    @classmethod
    def joined(cls, slices: Sequence[Slice], status: Status) -> Slice:
        """Several slices as one."""
        filled = [one for one in slices if len(one)]
        starts, options = NO_STARTS, NO_OPTIONS
        if filled:
            starts = np.concatenate([[0], *(np.diff(one.starts) for one in filled)]).cumsum()
            options = np.concatenate([one.options for one in filled])
        tallies, groups = [one.tally for one in slices if one.tally], Counter[str]()
        for one in slices:
            groups.update(one.symmetric)
        return cls(
            status,
            starts,
            options,
            found=sum([one.found for one in slices]),
            fits=sum([one.fits for one in slices]),
            nofits=sum([one.nofits for one in slices]),
            tally=sum_tallies(tallies) if len(tallies) > 1 else tallies[0] if tallies else {},
            state=slices[-1].state if slices else None,
            symmetric=groups,
        )

    def undone(self) -> Slice:
        """A slice without solutions that takes the figures of this one out of a sum."""
        groups = {name: -many for name, many in self.symmetric.items()}
        found, fits, nofits = -self.found, -self.fits, -self.nofits
        return Slice(self.status, found=found, fits=fits, nofits=nofits, symmetric=groups)

    def __len__(self) -> int:
        return self.starts.size - 1

    @property
    def choices(self) -> int:
        """Options tried."""
        return self.fits + self.nofits

    @property
    def solutions(self) -> list[tuple[int, ...]]:
        """Those that it hands out, each as ascending option numbers."""
        return [self.solution(number) for number in range(len(self))]

    def solution(self, number: int) -> tuple[int, ...]:
        """The options of one solution of this slice, ascending."""
        return tuple(self.options[self.starts[number] : self.starts[number + 1]].tolist())

    def selected(self, numbers: npt.NDArray[np.integer], **figures: Any) -> Slice:
        """The solutions with these numbers, ascending, and other figures."""
        starts = np.append(0, np.diff(self.starts)[numbers].cumsum())
        options = self.options[expanded(self.starts, numbers)]
        return replace(self, starts=starts, options=options, **figures)

    def part(self, first: int, last: int) -> Slice:
        """The solutions from one number up to another, which is not among them, and nothing
        else."""
        symmetric = dict.fromkeys(self.symmetric, last - first)  # right if they have one group
        some = self.selected(np.arange(first, last))
        return Slice(self.status, some.starts, some.options, last - first, symmetric=symmetric)

    def without_rows(self, **figures: Any) -> Slice:
        """The slice with nothing handed out, and other figures."""
        return replace(self, starts=NO_STARTS, options=NO_OPTIONS, **figures)


def check_capacity(capacity: int) -> None:
    """Raise `ValueError` unless a batch has room for a solution."""
    if capacity < 1:
        raise ValueError(f"a batch must have room for a solution, not for {capacity}")


class KeptStates(NamedTuple):
    """The states that a count keeps instead of listing solutions.

    states  counted so far
    level   levels of the board that are done; 0 before the first one
    levels  of all, 0: unknown
    """

    states: int
    level: int = 0
    levels: int = 0


class Where(NamedTuple):
    """Where a search is.

    progress   the searched share of the tree, 0 to 1; sibling branches count equally. It never
               decreases, and is 1 when the search is done; 0 until then if it cannot be measured
    position   the stack, root first: which branch of how many is being searched, from 0; empty: the
               engine has no stack
    chosen     the options placed, in the order of choice, after those of the node. The last one is
               there until the search goes on, even if it led to a dead end at once. Empty: the
               engine cannot show them
    share      how much of the tree is the state handed out last; it counts as searched
    workers    how many threads or processes search
    kept       the states that it keeps; None: it keeps none
    """

    progress: float = 0.0
    position: Sequence[tuple[int, int]] = ()
    chosen: tuple[int, ...] = ()
    share: float = 0.0
    workers: int = 1
    kept: KeptStates | None = None


def searched_share(position: Iterable[tuple[int, int]]) -> tuple[float, float]:
    """The share of a tree before the branches being searched, and that of the last of them.

    Sibling branches count equally.
    """
    behind, share = 0.0, 1.0
    for branch, branches in position:
        share /= branches
        behind += share * branch
    return behind, share


class Search(Protocol):
    """A search of a node under way. A solution is the options of the node and those chosen below
    it."""

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on for about `steps` fits, or until `capacity` solutions are in the slice.

        With `keep` false solutions are counted in `found` but not handed out. Once the search is
        done, every further call returns an empty slice with the status `DONE`.
        """

    def where(self) -> Where:
        """Where the search is."""


@runtime_checkable
class CuttingSearch(Search, Protocol):
    """A search that can be cut, looked into and split; an engine that `cuts` begins it.

    A state with as many pieces left as the cut says counts as a solution, and is handed out as one.
    Its node is the `state` of the slice, if it is the last one there. Its `allowed` excludes
    options that conflict, and options of the subtrees below other states. So the subtrees together
    have each solution once. Where it is has `chosen`, and its slices a `tally` if that is wanted.
    """

    def give_back(self) -> list[Node]:
        """Hand back the branches not begun of the highest node that has any; go on without them.

        They are in the order of the search, and come after all that the search still does. Their
        options count as tried by this search, and what is below them does not. Empty: no branch
        above the current one waits, or none can be written as a node.
        """


Begin = Callable[[Node, int | None], Search]
"""Begins the search of a node, cut at a number of pieces left; None: there is no cut."""


@dataclass(frozen=True)
class Backend:
    """An engine. See `tests/helpers/template_engine.py` for one to copy.

    prepare  prepares once what searches below a root share, and returns what begins them. The
             branching has been checked: callers use `tasks.prepared`. Nodes are the root, or nodes
             below it; any thread may begin one
    """

    name: str
    summary: str
    capabilities: Capabilities
    prepare: Callable[[Problem, Layout | None, Branching], Begin]
