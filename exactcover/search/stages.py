"""The engines of a strategy made ready, and the walk through them: the search of a plan or a node.

Consecutive stages of one engine are one `EngineStage`. Each above the last one is cut where the
next one takes over: a state that it hands out is a node for the next one. Two may have the same
engine: dlx, then fila, then dlx again. A solution above a cut is a state too, with nothing left to
do below it. Above them all, Python filters nodes where filters are applied at every step, see
`expand`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import groupby, pairwise
from math import fsum
from typing import NamedTuple, cast

from exactcover.backends import get_backend, get_engine, names_of
from exactcover.backends.base import (
    NO_OPTIONS,
    NO_STARTS,
    Backend,
    Begin,
    Branching,
    CuttingSearch,
    Phase,
    Slice,
    Status,
    Where,
)
from exactcover.backends.dlx import CLAMPS, read_phases
from exactcover.backends.heuristics import get_heuristic
from exactcover.backends.node import ROOT, Node
from exactcover.backends.tasks import (
    at_root,
    require,
    require_cuts,
    with_phases,
)
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout, pieces_left
from exactcover.search.expand import Expand, NodeFilter, Top
from exactcover.search.judge import Judge
from exactcover.search.plan import Flags, Plan, filtered_at_node, watch
from exactcover.search.strategy import Strategy

OVERHEAD = 64
"""The cost of starting one search below a state, in steps of the budget."""

NEVER = 1 << 30
"""More pieces than there are."""


def start_search(
    plan: Plan, strategy: Strategy, how: Branching | None = None, cut: int | None = None
) -> StageWalk:
    """The search of a plan, with its stages, filters at every step, and triggers.

    how  adds to the plan: options that the `root` has chosen and allows, and a `tally`. The
         strategy says how to branch, and the plan where to backtrack
    cut  the pieces left at states that count as solutions. Default: None, there are none

    The search can be looked into and split if the strategy is `cuttable`. With a cut or a tally it
    raises `CapabilityError` otherwise.
    """
    return Stages(plan, strategy, how).begin(cut=cut)


def cuttable(strategy: Strategy) -> bool:
    """Whether the engines of all stages can be cut and looked into."""
    return all(get_engine(stage.backend).capabilities.cuts for stage in strategy.stages)


def require_cuttable(strategy: Strategy) -> None:
    """Raise `CapabilityError` if an engine of the stages cannot be cut."""
    for stage in strategy.stages:
        require_cuts(get_backend(stage.backend))


# -- the engines ----------------------------------------------------------------------------------


class EngineStage(NamedTuple):
    """Consecutive stages of one engine.

    remaining  it searches while at most this many pieces are left; None: from the start
    phases     how it branches; the first one holds from the state at which a search begins
    """

    backend: Backend
    remaining: int | None
    phases: tuple[Phase, ...]


def engine_stages(strategy: Strategy, problem: Problem, layout: Layout | None) -> list[EngineStage]:
    """The stages of a strategy by their engines, checked once for all searches that go through
    them.

    Raises if an engine cannot take the problem, follow its stages, or hand over to the next one.
    """
    made: list[EngineStage] = []
    for stage in strategy.stages:
        require(get_backend(stage.backend), problem)
    for name, stages in groupby(strategy.stages, key=lambda stage: stage.backend):
        first, *others = stages
        phases = [Phase(first.heuristic, None, dict(first.settings))]
        phases += [Phase(one.heuristic, one.remaining, dict(one.settings)) for one in others]
        how = with_phases(get_backend(name), layout, Branching(phases=tuple(phases)))
        made.append(EngineStage(get_backend(name), first.remaining, how.phases))
    for above, below in pairwise(made):
        if not above.backend.capabilities.cuts:
            raise CapabilityError(
                f"{strategy}: {above.backend.name} cannot hand over to {below.backend.name}; these "
                f"engines can hand over: {', '.join(names_of(lambda can: can.cuts))}"
            )
    return made


# -- stages made ready ----------------------------------------------------------------------------


class StageRun(NamedTuple):
    """The search of one node by one stage.

    last   whether its states are the solutions of the walk
    """

    search: CuttingSearch
    stage: int
    last: bool

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
    filters at every step, and those of engines follow.

    how     what it adds to the plan, see `start_search`
    pieces  left at the root
    """

    def __init__(self, plan: Plan, strategy: Strategy, how: Branching | None = None) -> None:
        self._plan, self._strategy = plan, strategy
        self._problem, self._layout = plan.problem, plan.subject.layout
        self._engines = engine_stages(strategy, self._problem, self._layout)
        self._how = self._checked(how or Branching())
        self.pieces = pieces_left(self._problem, self._layout, self._how.root.chosen)
        self._begin: dict[int, Begin] = {}
        filtered = any(self.pieces >= (one.down_to or 0) for one in strategy.stepwise)
        self._top = self._filtering(strategy) if filtered or plan.first else None

    def _checked(self, how: Branching) -> Branching:
        """The branching within the plan, with the plan's triggers."""
        plan, problem, layout = self._plan, self._problem, self._layout
        watched = None
        if plan.triggers and layout is not None:
            watched = watch(plan, layout, pieces_left(problem, layout))
        whole = at_root(problem, how)
        assert whole.root.allowed is not None
        root = whole.root._replace(allowed=plan.alive & whole.root.allowed)
        return replace(whole, root=root, watch=watched)

    def begin(
        self, node: Node = ROOT, *, cut: int | None = None, judge: Judge | None = None
    ) -> StageWalk:
        """A search of a node or of the root, cut there, with the solutions that a judge allows."""
        if node.allowed is None:
            node = self._how.root._replace(share=node.share)
        if cut is not None or self._how.tally:
            require_cuttable(self._strategy)
        return StageWalk(self, node, cut, judge)

    def run(self, node: Node, cut: int | None, highest: int) -> StageRun:
        """The search of a node by the highest of its stages, from this one on."""
        if highest == 0 and self._top is not None and self._top.takes(node):
            return self._expanded(0, self._top, node, cut)
        if node.left is None:
            node = node._replace(left=pieces_left(self._problem, self._layout, node.chosen))
        left = node.left
        assert left is not None
        number = max(self._engine_at(left), highest - 1)
        stage, later = self._engines[number], self._engines[number + 1 :]
        below = later[0].remaining if later else None
        if below is None or (cut is not None and cut >= below):
            return StageRun(self._begun(number, node, cut), number + 1, last=True)
        if below == left - 1 and self._is_plain(stage):
            top = self._topped(_all_alive, left - 1, stage.phases, single=True)
            return self._expanded(number + 1, top, node, cut)
        return StageRun(self._begun(number, node, below), number + 1, last=False)

    def _engine_at(self, left: int) -> int:
        """The engine that searches while this number of pieces is left."""
        later = self._engines[1:]
        return sum(one.remaining is not None and left <= one.remaining for one in later)

    def _begun(self, number: int, node: Node, cut: int | None) -> CuttingSearch:
        """The search of a node by an engine. The last one may be one that cannot be cut.

        An engine with another one above it searches many trees; so does one below filters.
        """
        if number not in self._begin:
            stage = self._engines[number]
            first = number == self._engine_at(self.pieces) and self._top is None
            how = replace(self._how, phases=stage.phases, first=first)
            self._begin[number] = stage.backend.prepare(self._problem, self._layout, how)
        return cast("CuttingSearch", self._begin[number](node, cut))

    # -- nodes for Python ---------------------------------------------------------------------

    def _expanded(self, stage: int, top: Top, node: Node, cut: int | None) -> StageRun:
        return StageRun(
            Expand(top, node, cut), stage, last=cut is not None and top.left(node) <= cut
        )

    def _is_plain(self, stage: EngineStage) -> bool:
        """Whether Python chooses the options that dlx would choose for a single piece."""
        return (
            stage.backend.name == "dlx"
            and stage.phases[0].heuristic in CLAMPS
            and not (stage.phases[1:] or self._top is not None or self._plan.triggers)
            and "multiplicities" not in self._problem.needs
        )

    def _filtering(self, strategy: Strategy) -> Top:
        """How the nodes are searched that are filtered, or that place a piece first."""
        phases = []
        for stage in strategy.stages:  # nodes are branched on as dlx would
            known = stage.heuristic in CLAMPS or get_heuristic(stage.heuristic).fixed
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
        return Top(problem, layout, node_filter, down_to, read, first, single, self._how)


def _all_alive(_: tuple[int, ...], alive: Flags, __: int) -> Flags:
    """No filter."""
    return alive


# -- the walk -------------------------------------------------------------------------------------


class StageWalk:
    """A search in progress through the stages: the search of a node, and below its current state
    that of the next stage, and so on. A judge says which solutions count.

    Only the last engine may be one that cannot be cut.

    share   of the whole tree, without what it has given back
    handed  how often a state was handed from one stage to the next
    """

    def __init__(self, stages: Stages, node: Node, cut: int | None, judge: Judge | None) -> None:
        self.share = node.share
        self.handed = 0
        self._stages, self._cut, self._judge = stages, cut, judge
        self._runs = [stages.run(node, cut, 0)]  # each below the current state of the one before
        self._last_done = False

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on for about `steps` fits, see `Search.advance`."""
        listed = keep or (self._judge is not None and self._judge.looks)
        slices: list[Slice] = []
        held, status = 0, None
        while status is None:
            if self._last_done:
                self._runs.pop()
                self._last_done = False
            run = self._runs[-1]
            room = capacity - held if run.last else 1
            made = run.search.advance(max(steps, 1), capacity=room, keep=listed or not run.last)
            steps -= made.fits
            done = made.status is Status.DONE
            self._last_done = done and len(self._runs) > 1
            if run.last:
                held += len(made)
                slices.append(made)
            else:
                steps -= OVERHEAD
                figures = made.fits, made.nofits, made.tally
                slices.append(Slice(made.status, NO_STARTS, NO_OPTIONS, 0, *figures))
                if made.state is not None:
                    self._last_done = False
                    self.handed += 1
                    self._runs.append(self._stages.run(made.state, self._cut, run.below))
                    continue
            if held == capacity or (run.last and made.status is Status.FULL):
                status = Status.FULL
            elif done and len(self._runs) == 1:
                status = Status.DONE
            elif not done or steps <= 0:
                status = Status.BUDGET
        if len(slices) == 1 and slices[0].status is status:
            joined = slices[0]
        else:
            joined = Slice.joined(slices, status)
        return joined if self._judge is None else self._judge(joined, keep=keep)

    def where(self) -> Where:
        """Where the search is, in all engines together.

        A subtree below a state counts as much as its state. An engine that cannot show its options
        is left out of those chosen.
        """
        *above, last = [run.search.where() for run in self._runs]
        progress, share = 0.0, 1.0
        for one in above:
            progress += share * max(0.0, one.progress - one.share)
            share *= one.share
        return Where(
            progress=progress + share * last.progress,
            position=[frame for one in (*above, last) for frame in one.position],
            chosen=next(filter(None, (one.chosen for one in (last, *reversed(above)))), ()),
            share=share * last.share,
            kept=last.kept,
        )

    def give_back(self) -> list[Node]:
        """Hand back the branches not begun of the highest node that has any, above or below.

        Their shares are of the whole tree. What comes next is a share of what the search still has.
        """
        share = self.share
        for run in self._runs:
            if nodes := run.search.give_back():
                nodes = [node._replace(share=share * node.share) for node in nodes]
                self.share -= fsum(node.share for node in nodes)
                return nodes
            share *= run.search.where().share
        return []
