"""The stages of a strategy made ready, and the walk through them: the search of a plan or a node.

Consecutive stages of one engine are a leg. Each leg above the last one is cut where the next one
takes over: a state that it hands out is a node for the next one. Two legs may have the same engine:
dlx, then fila, then dlx again. A solution above a cut is a state too, with nothing left to do below
it. Above all legs, Python filters nodes where filters are applied at every step, see `expand`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import cast

from exactcover.backends import get_backend, get_engine, names_of
from exactcover.backends.base import (
    DEFAULT,
    Backend,
    Batch,
    Begin,
    CuttingSearch,
    Phase,
    Report,
    Search,
    Status,
    Task,
    sum_tallies,
)
from exactcover.backends.dlx import CLAMPS, read_phases
from exactcover.backends.heuristics.orders import is_fixed_order
from exactcover.backends.node import Node
from exactcover.backends.tasks import (
    below_chosen,
    prepared,
    require,
    require_cuts,
    with_branching,
)
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout, pieces_left
from exactcover.search.expand import Expand, NodeFilter, Top
from exactcover.search.plan import Flags, Plan, filtered_at_node, watch
from exactcover.search.strategy import Stage, Strategy

OVERHEAD = 64
"""The cost of starting one search below a state, in steps of the budget."""

NEVER = 1 << 30
"""More pieces than there are."""


def start_search(plan: Plan, strategy: Strategy, task: Task | None = None) -> Search:
    """The search of a plan, with its stages, filters at every step, and triggers.

    A task adds to the plan, for the search as a whole: options `chosen` and `allowed`, the `order`
    in which options are tried, a `cut` in any of the stages, and a `tally`. The strategy says how
    to branch, and the plan where to backtrack.
    """
    return Stages(plan, strategy, task).begin()


def start_cutting(plan: Plan, strategy: Strategy, task: Task | None = None) -> CuttingSearch:
    """The same search, for callers that cut it or look into it.

    Raises `CapabilityError` if an engine of the stages cannot be cut.
    """
    require_cuttable(strategy)
    return Stages(plan, strategy, task).begin()


def cuttable(strategy: Strategy) -> bool:
    """Whether the engines of all stages can be cut and looked into."""
    return all(get_engine(stage.backend).capabilities.cuts for stage in strategy.stages)


def require_cuttable(strategy: Strategy) -> None:
    """Raise `CapabilityError` if an engine of the stages cannot be cut."""
    for stage in strategy.stages:
        require_cuts(get_backend(stage.backend))


# -- legs -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leg:
    """Consecutive stages of one backend.

    remaining  it searches while at most this many pieces are left; None: from the start
    branching  a task that branches as the stages do
    """

    backend: Backend
    remaining: int | None
    branching: Task


def legs_of(strategy: Strategy, problem: Problem, layout: Layout | None) -> list[Leg]:
    """The legs of a strategy, checked here once for all searches that go through them.

    Raises if an engine cannot take the problem, follow its stages, or hand over to the next one.
    """
    legs: list[Leg] = []
    for stage in strategy.stages:
        require(get_backend(stage.backend), problem)
    runs = [tuple(run) for _, run in groupby(strategy.stages, key=lambda stage: stage.backend)]
    for stages in reversed(runs):
        leg = _leg(stages, layout)
        if legs and not leg.backend.capabilities.cuts:
            raise CapabilityError(
                f"{strategy}: {leg.backend.name} cannot hand over to {legs[0].backend.name}; these "
                f"engines can hand over: {', '.join(names_of(lambda can: can.cuts))}"
            )
        legs.insert(0, leg)
    return legs


def _leg(stages: Sequence[Stage], layout: Layout | None) -> Leg:
    """The leg of these stages; the first stage holds from the state at which a search starts."""
    first, *others = stages
    backend = get_backend(first.backend)
    phases = [Phase(first.heuristic, None, dict(first.settings))]
    phases += [Phase(one.heuristic, one.remaining, dict(one.settings)) for one in others]
    branching = with_branching(backend, layout, Task(phases=tuple(phases)))
    return Leg(backend, first.remaining, branching)


# -- stages made ready ----------------------------------------------------------------------------


@dataclass
class StageRun:
    """The search of one node by one stage, and what a walk notes of it.

    last   whether its states are the solutions of the walk
    begun  its progress before its current state
    fits, found  what it had made and found when it went on last
    """

    search: CuttingSearch
    stage: int
    last: bool
    begun: float = 0.0
    fits: int = 0
    found: int = 0

    @property
    def below(self) -> int:
        """The highest stage that may take its states."""
        if isinstance(self.search, Expand) and self.search.branches:
            return self.stage
        return self.stage + 1


class Stages:
    """Searches a plan, or nodes of it, by the stages of a strategy. Each thread needs its own.

    An engine is made ready once, when its first node comes. A node goes to the stage that searches
    while as many pieces are left: the stages above would only hand it over. Stage 0 is that of the
    filters at every step, and the legs follow.

    task    what it adds to the plan, see `start_search`
    pieces  left at the root

    A search can be cut and looked into if the strategy is `cuttable`.
    """

    def __init__(self, plan: Plan, strategy: Strategy, task: Task | None = None) -> None:
        self._plan, self._strategy = plan, strategy
        self._problem, self._layout = plan.problem, plan.subject.layout
        self._root = self._checked(task or Task())
        self.pieces = pieces_left(self._problem, self._layout, self._root.chosen)
        below = strategy.below(self.pieces)
        self._legs = legs_of(below, self._problem, self._layout)
        self._begin: dict[int, Begin] = {}
        self._top = self._filtering(below) if below.stepwise or plan.first else None

    def _checked(self, task: Task) -> Task:
        """The task within the plan, with the plan's triggers."""
        plan, problem, layout = self._plan, self._problem, self._layout
        legs_of(self._strategy, problem, layout)  # also of the stages above the root
        chosen = (*plan.forced, *(one for one in task.chosen if one not in plan.forced))
        watched = None
        if plan.triggers is not None and layout is not None:
            watched = watch(plan.triggers, layout, pieces_left(problem, layout))
        whole = replace(task, chosen=chosen, watch=watched)
        whole = below_chosen(problem, replace(whole, heuristic=DEFAULT, settings={}, phases=()))
        assert whole.allowed is not None
        return replace(whole, allowed=plan.alive & whole.allowed)

    def begin(self, node: Node | None = None, *, cut: int | None = None) -> CuttingSearch:
        """A search of a node, cut there; of the whole tree, cut where the task says so."""
        root = self._root
        if node is None:
            cut = root.cut
        if node is None or node.allowed is None:
            node = Node(root.chosen, root.allowed)
        if cut is not None or root.tally:
            require_cuttable(self._strategy)
        first = self.run(node, cut, 0)
        return first.search if first.last else StageWalk(self, first, cut, tally=root.tally)

    def run(self, node: Node, cut: int | None, highest: int) -> StageRun:
        """The search of a node by the highest of its stages, from this one on."""
        if highest == 0 and self._top is not None and self._top.takes(node):
            return self._expanded(0, self._top, node, cut)
        if node.left is None:
            node = node._replace(left=pieces_left(self._problem, self._layout, node.chosen))
        left = node.left
        assert left is not None
        number = sum(one.remaining is not None and left <= one.remaining for one in self._legs[1:])
        number = max(number, highest - 1)
        leg, later = self._legs[number], self._legs[number + 1 :]
        below = later[0].remaining if later else None
        if below is None or (cut is not None and cut >= below):
            return StageRun(self._begun(number, node, cut), number + 1, last=True)
        if below == left - 1 and self._is_plain(leg):
            top = self._topped(_all_alive, left - 1, leg.branching.branching, single=True)
            return self._expanded(number + 1, top, node, cut)
        return StageRun(self._begun(number, node, below), number + 1, last=False)

    def _begun(self, number: int, node: Node, cut: int | None) -> CuttingSearch:
        """The search of a node by a leg. The last one may be one that cannot be cut.

        An engine with another one above it searches many trees; so does one below filters.
        """
        if number not in self._begin:
            leg, first = self._legs[number], number == 0 and self._top is None
            how = leg.branching
            task = replace(
                self._root, cut=None, parted=first, heuristic=how.heuristic, settings=how.settings,
                phases=how.phases,
            )  # fmt: skip
            self._begin[number] = prepared(leg.backend, self._problem, self._layout, task)
        return cast("CuttingSearch", self._begin[number](node, cut))

    # -- nodes for Python ---------------------------------------------------------------------

    def _expanded(self, stage: int, top: Top, node: Node, cut: int | None) -> StageRun:
        return StageRun(
            Expand(top, node, cut), stage, last=cut is not None and top.left(node) <= cut
        )

    def _is_plain(self, leg: Leg) -> bool:
        """Whether Python chooses the options that dlx would choose for a single piece."""
        return (
            leg.backend.name == "dlx"
            and leg.branching.heuristic in CLAMPS
            and not (leg.branching.phases or self._top is not None or self._plan.triggers)
            and "multiplicities" not in self._problem.needs
        )

    def _filtering(self, strategy: Strategy) -> Top:
        """How the nodes are searched that are filtered, or that place a piece first."""
        phases = []
        for stage in strategy.stages:  # nodes are branched on as dlx would
            known = stage.heuristic in CLAMPS or is_fixed_order(stage.heuristic)
            phases.append(Phase(stage.heuristic if known else "s", stage.remaining))
        down_to = min((one.down_to or 0 for one in strategy.stepwise), default=NEVER)
        filtered = partial(filtered_at_node, self._plan, strategy)
        return self._topped(filtered, down_to, tuple(phases), self._plan.first)

    def _topped(
        self,
        node_filter: NodeFilter,
        down_to: int,
        phases: tuple[Phase, ...],
        first: frozenset[int] = frozenset(),
        *,
        single: bool = False,
    ) -> Top:
        problem, layout = self._problem, self._layout
        read = read_phases(phases, layout, problem.n_items, pieces_left(problem, layout))
        return Top(problem, layout, node_filter, down_to, read, first, single, self._root)


def _all_alive(_: tuple[int, ...], alive: Flags, __: int) -> Flags:
    """No filter."""
    return alive


# -- the walk -------------------------------------------------------------------------------------


class StageWalk:
    """A search in progress through several stages: the search of a node, and below its current
    state that of the next stage.

    Only the last engine may be one that cannot be cut.
    """

    def __init__(self, stages: Stages, first: StageRun, cut: int | None, *, tally: bool) -> None:
        self._stages, self._cut, self._tallies = stages, cut, tally
        self._runs = [first]  # each below the current state of the one before it
        self._last_done = False
        self._over = Report(0, 0, 0)  # the sums of the searches that are over
        self._found = 0

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for about `steps` fits, see `Search.advance`."""
        batches: list[Batch] = []
        held = 0
        while True:
            if self._last_done:
                self._leave()
            run = self._runs[-1]
            room = capacity - held if run.last else 1
            batch = run.search.advance(max(steps, 1), capacity=room, keep=keep or not run.last)
            after, before = run.search.report(brief=True), (run.fits, run.found)
            run.fits, run.found = after.fits, after.found
            steps -= after.fits - before[0]
            done = batch.status is Status.DONE
            if run.last:
                self._found += after.found - before[1]
                held += len(batch)
                batches.append(batch)
            else:
                steps -= OVERHEAD
                if len(batch):
                    node = run.search.below()
                    self._runs.append(self._stages.run(node, self._cut, run.below))
                    continue
                run.begun = run.search.report().progress
            self._last_done = done and len(self._runs) > 1
            if held == capacity or (run.last and batch.status is Status.FULL):
                return Batch.joined(batches, Status.FULL)
            if done and len(self._runs) == 1:
                return Batch.joined(batches, Status.DONE)
            if not done or steps <= 0:
                return Batch.joined(batches, Status.BUDGET)

    def _leave(self) -> None:
        """Leave the last search, which is done, and go on with the one above."""
        report, self._last_done = self._runs.pop().search.report(brief=not self._tallies), False
        self._runs[-1].begun = self._runs[-1].search.report().progress
        over = self._over
        tally = sum_tallies([over.tally, report.tally]) if self._tallies else {}
        self._over = Report(over.fits + report.fits, over.nofits + report.nofits, 0, tally=tally)

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, of all engines together.

        A subtree below a state counts as much as its state. An engine that cannot show its options
        is left out of those chosen.
        """
        reports = [run.search.report(brief=brief) for run in self._runs]
        fits = self._over.fits + sum([report.fits for report in reports])
        nofits = self._over.nofits + sum([report.nofits for report in reports])
        if brief:
            return Report(fits, nofits, self._found)
        progress, share = 0.0, 1.0
        for report, run in zip(reports[:-1], self._runs, strict=False):
            progress += share * run.begun
            share *= max(0.0, report.progress - run.begun)
        return Report(
            fits,
            nofits,
            self._found,
            progress=progress + share * reports[-1].progress,
            position=[frame for report in reports for frame in report.position],
            chosen=next(filter(None, (report.chosen for report in reversed(reports))), ()),
            tally=sum_tallies([self._over.tally, *(report.tally for report in reports)]),
        )

    def below(self) -> Node:
        """The subtree below the state last handed out, once a batch of one is full."""
        return self._runs[-1].search.below()

    def give_back(self) -> list[Node]:
        """Hand back the branches not begun of the highest node that has any, above or below."""
        share = 1.0
        for run in self._runs:
            before, nodes = run.search.report().progress, run.search.give_back()
            after = run.search.report().progress
            if before:  # its tree is smaller now, so what is behind is a larger share of it
                run.begun *= after / before
            if nodes:
                return [node._replace(share=share * node.share) for node in nodes]
            share *= max(0.0, after - run.begun)
        return []
