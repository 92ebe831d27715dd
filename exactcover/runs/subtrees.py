"""The tree of a plan as subtrees, which can be searched in any order or side by side.

A search with a cut hands out the states with a given number of pieces left. Each is a task, which
can be cut again further down. The engines are prepared once, at the root, so a task starts in about
a tenth of a millisecond; and the fits and no-fits of all parts add up to those of one search. Only
`fila` below filters at every step makes other lists in each subtree, and items with multiplicities
may be branched on otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from exactcover.backends.base import CuttingSearch, Status, Task, Tried
from exactcover.backends.kinds import Opening
from exactcover.problem.layout import pieces_left
from exactcover.search.combining import sum_tallies
from exactcover.search.plan import Plan, opening_of_plan
from exactcover.search.stages import stage_at
from exactcover.search.strategy import Stage, Strategy

STEPS = 1 << 12
"""Choices that the search for the next subtree makes at once."""

SMALL, LARGE = 1 << 17, 1 << 22
"""The fewest and the most choices that a subtree should take: about a millisecond, and 50."""

SEVERAL = 16
"""After this many small subtrees the following ones are cut higher up."""


@dataclass(frozen=True)
class Subtree:
    """A part of the tree.

    task       the options chosen above it, and those allowed below
    remaining  the pieces left there; None: it is the whole tree
    share      how much of the whole tree it is, if sibling branches count equally
    """

    task: Task
    remaining: int | None
    share: float


class Openings:
    """The engines of a plan, made ready for searches of subtrees. Each thread needs its own."""

    def __init__(self, plan: Plan, strategy: Strategy, *, tally: bool = False) -> None:
        self._plan, self._strategy, self.tally = plan, strategy, tally
        self.pieces = pieces_left(plan.problem, plan.subject.layout, plan.forced)
        # Stages that hand over at the root search nothing.
        self._strategy = replace(strategy, stages=self._stages(self.pieces))
        self._ready: dict[tuple[Stage, ...], Opening[CuttingSearch]] = {}

    def search(self, subtree: Subtree, cut: int | None = None) -> CuttingSearch:
        """A search of a subtree; with a cut it hands out the states with this many pieces left."""
        stages = self._stages(subtree.remaining)
        if stages not in self._ready:
            strategy = replace(self._strategy, stages=stages)
            parted = stages[0].backend == self._strategy.stages[0].backend
            self._ready[stages] = opening_of_plan(self._plan, strategy, parted=parted)
        return self._ready[stages].start(replace(subtree.task, cut=cut, tally=self.tally))

    def _stages(self, remaining: int | None) -> tuple[Stage, ...]:
        """The stages that search while at most this many pieces are left."""
        stages = self._strategy.stages
        if remaining is None:
            return stages
        first = stage_at(self._strategy, remaining)
        return replace(first, remaining=None), *stages[stages.index(first) + 1 :]


class _Level:
    """A search that is handing out subtrees of a subtree."""

    def __init__(self, search: CuttingSearch, share: float, cut: int) -> None:
        self.search, self.share, self.cut = search, share, cut
        self.behind = 0.0  # its progress up to the last state

    def next(self) -> Subtree | None:
        """The next state as a subtree; None after the last one."""
        while True:
            batch = self.search.advance(STEPS, capacity=1)
            if len(batch):
                before, self.behind = self.behind, self.search.progress()
                task = replace(self.search.below(), cut=None)
                return Subtree(task, self.cut, self.share * (self.behind - before))
            if batch.status is Status.DONE:
                return None


class Subtrees:
    """The subtrees of a plan in the order of the search, cut where they have a good size.

    The first ones hang one piece below the root. What they turned out to take says whether the
    following ones are cut further down or higher up; `learn` takes that.

    fits, nofits  of the searches that hand out the subtrees
    """

    def __init__(self, openings: Openings) -> None:
        self._openings = openings
        self._pieces = openings.pieces
        self._cut = max(self._pieces - 1, 0)
        whole = Subtree(Task(), None, 1.0)
        self._levels = [_Level(openings.search(whole, self._cut), 1.0, self._cut)]
        self._recent: list[int] = []  # choices below the last subtrees of this cut
        self._over = [0, 0]
        self._tallies: list[Mapping[int, Tried]] = []
        self.tallied = openings.tally

    @property
    def fits(self) -> int:
        """Options chosen above the subtrees."""
        return self._over[0] + sum(level.search.fits for level in self._levels)

    @property
    def nofits(self) -> int:
        """Options tried above the subtrees that did not fit."""
        return self._over[1] + sum(level.search.nofits for level in self._levels)

    def next(self) -> Subtree | None:
        """The next subtree; None after the last one."""
        while self._levels:
            subtree = self._levels[-1].next()
            if subtree is None:
                self._leave(self._levels.pop())
            elif subtree.remaining is None or subtree.remaining <= self._cut:
                return subtree
            else:
                cut = subtree.remaining - 1
                search = self._openings.search(subtree, cut)
                self._levels.append(_Level(search, subtree.share, cut))
        return None

    def tally(self) -> Mapping[int, Tried]:
        """The options tried above the subtrees, by the number of pieces left before."""
        if not self.tallied:
            return {}
        return sum_tallies([*self._tallies, *(level.search.tally() for level in self._levels)])

    def _leave(self, level: _Level) -> None:
        self._over[0] += level.search.fits
        self._over[1] += level.search.nofits
        if self.tallied:
            self._tallies = [sum_tallies([*self._tallies, level.search.tally()])]

    def learn(self, subtree: Subtree, choices: int) -> None:
        """Cut the following subtrees further down, or higher up, after one that took so long."""
        if subtree.remaining != self._cut:
            return
        self._recent.append(choices)
        if choices > LARGE and self._cut > 1:
            self._move(-1)
        elif len(self._recent) == SEVERAL:
            if sum(self._recent) < SEVERAL * SMALL and self._cut < self._pieces - 1:
                self._move(1)
            self._recent.clear()

    def _move(self, pieces: int) -> None:
        self._cut += pieces
        self._recent.clear()
