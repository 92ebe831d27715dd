"""The work of a search: workers search some nodes of a plan's tree, and hand back the rest.

A `SearchJob` is all that they must know. Its work comes in tasks of some nodes each. A worker
searches them for about the time that it is given; then it hands back, as further tasks, what it has
not begun, and finishes what it has. So a task is done once, whoever does it, and the outcomes of
all add up to those of one search.

Tasks of equal depth, made beforehand, are too uneven: of 289 tasks of the Tetris Cube one has 4.4 %
of the work. A task that is started anew, cut deeper, throws work away. To hand branches back costs
one worker nothing, and fits and no-fits do not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import NamedTuple

from exactcover.backends.base import Branching, Slice, Status
from exactcover.backends.node import ROOT, Node
from exactcover.errors import ExactCoverError
from exactcover.runs.executors import Work
from exactcover.search.clock import BATCH, Clock, Pace
from exactcover.search.judge import Judge
from exactcover.search.plan import Plan
from exactcover.search.stages import Stages
from exactcover.search.strategy import Strategy

WARM = 1 << 12
"""Choices that load the compiled code of all engines of a strategy, mostly."""

Nodes = tuple[Node, ...]
"""The nodes of a task."""

EVERYTHING: Nodes = (ROOT,)
"""The first task of every job."""

MOST_KEPT = 1 << 15
"""A worker that holds more solutions than this hands back the rest, so that its memory is bounded.
"""


class SearchTask(NamedTuple):
    """A task for a worker.

    nodes     what it searches, one after the other
    patience  the seconds after which it hands back the rest
    keep      whether it hands out the solutions, or only counts them
    """

    nodes: Nodes
    patience: float
    keep: bool = True


class SearchOutcome(NamedTuple):
    """The outcome of the search of a task.

    made       the sum of its slices, with the solutions if they are kept
    seconds    of searching, without those of compilation, which are `compiling`
    rest       what was handed back, to be searched by others: tasks in the order of one search,
               which come after all that was searched here
    """

    made: Slice = Slice(Status.DONE)
    seconds: float = 0.0
    compiling: float = 0.0
    rest: tuple[Nodes, ...] = ()


@dataclass(frozen=True, eq=False)
class SearchJob(Work[SearchTask, SearchOutcome]):
    """All that the workers of a search must know.

    judge  says which solutions count. Default: None, the canonical test of the plan
    tally  whether they count the options tried by the number of pieces left
    """

    plan: Plan
    strategy: Strategy
    judge: Judge | None = None
    tally: bool = False
    tries = 3

    def begin(self) -> Callable[[SearchTask], Iterator[SearchOutcome | None]]:
        """Prepare the engines once; return what searches tasks, one after the other."""
        from multiprocessing import parent_process  # its import takes some milliseconds

        stages = Stages(self.plan, self.strategy, Branching(tally=self.tally))
        if parent_process() is not None:  # compiled code is loaded before the process is ready
            stages.begin().advance(WARM)
        return partial(self._slices, stages, Pace())

    def _slices(
        self, stages: Stages, pace: Pace, task: SearchTask
    ) -> Iterator[SearchOutcome | None]:
        """Search a task in slices of about a fiftieth of a second: None after each, then the
        outcome.

        When its patience is over it hands back the branches that it has not begun, in each slice
        those of one node, the highest. What is left is soon done.
        """
        waiting, time, judge = [*reversed(task.nodes)], Clock(), self.judge or Judge(self.plan)
        slices: list[Slice] = []
        rest: list[Nodes] = []
        held = 0
        while waiting:
            with time.timing():
                walk = stages.begin(waiting.pop(), judge=judge)
            more, split = True, False
            while more:
                steps = pace.begin()
                with time.timing():
                    made = walk.advance(steps, capacity=BATCH, keep=task.keep)
                pace.learn(spent=made.status is Status.BUDGET)
                slices.append(made)
                held += len(made)
                more = made.status is not Status.DONE
                if time.working > task.patience or held > MOST_KEPT:
                    not_begun = [(one,) for one in reversed(waiting)]
                    back = walk.give_back()
                    rest[:0] = [*as_tasks(back, split=split), *not_begun]
                    waiting, split = [], split or bool(back)
                yield None
        made = Slice.joined(slices, Status.DONE)
        yield SearchOutcome(made, time.working, time.compiling, (*rest,))

    def lost(self, task: SearchTask, reason: str) -> SearchOutcome:
        """Raise the error of a task that has ended its workers."""
        raise ExactCoverError(
            f"a part of the search has ended {self.tries} workers, one after the other: {reason}; "
            "use fewer workers, or give them more memory"
        )


def as_tasks(nodes: list[Node], *, split: bool) -> list[Nodes]:
    """Nodes that a search has handed back as tasks, in their order.

    Those of the first time are tasks of their own, since they are the largest; later ones, of a
    search that is `split` already, are one.
    """
    if split:
        return [(*nodes,)] if nodes else []
    return [(node,) for node in nodes]


def share_of(nodes: Nodes) -> float:
    """How much of the whole tree some nodes are."""
    return fsum(node.share for node in nodes)
