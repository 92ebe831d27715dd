"""The search of a plan by the stages of a strategy, from its root or from any subtree.

Consecutive stages of one backend are a leg. Each leg above the last one is cut where the next one
takes over: a state that it hands out is a task for the next engine, which searches the subtree of
that state. Two legs may have the same engine: dlx, then fila, then dlx again. A solution above a
cut is a state too, with nothing left to do below it.

Python searches the top of the tree in two cases, see `stepping`, and hands over as an engine does:
where filters are applied at every step, and where dlx would place a single piece. The kernel of dlx
takes far longer to load or to compile than that piece takes Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from typing import cast

from exactcover.backends import get_backend, get_engine, names_of
from exactcover.backends.base import (
    DEFAULT,
    Backend,
    Batch,
    CuttingSearch,
    Part,
    Phase,
    Report,
    Search,
    Status,
    Task,
    Tried,
    sum_tallies,
)
from exactcover.backends.dlx import CLAMPS
from exactcover.backends.heuristics.orders import is_fixed_order
from exactcover.backends.tasks import (
    below_chosen,
    opening_of,
    require,
    require_cuts,
    with_branching,
)
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout, pieces_left
from exactcover.search.plan import Flags, Plan, filtered_at_node, watch
from exactcover.search.stepping import FilteredTop, SteppingSearch
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
    return Engine(plan, strategy, task).start()


def start_cutting(plan: Plan, strategy: Strategy, task: Task | None = None) -> CuttingSearch:
    """The same search, for callers that cut it or look into it.

    Raises `CapabilityError` if a backend of the stages cannot be cut.
    """
    require_cuttable(strategy)
    return Engine(plan, strategy, task).start()


def cuttable(strategy: Strategy) -> bool:
    """Whether the engines of all stages can be cut and looked into."""
    return all(get_engine(stage.backend).capabilities.cuts for stage in strategy.stages)


def require_cuttable(strategy: Strategy) -> None:
    """Raise `CapabilityError` if an engine of the stages cannot be cut."""
    for stage in strategy.stages:
        require_cuts(get_backend(stage.backend))


@dataclass(frozen=True)
class Leg:
    """Consecutive stages of one backend.

    remaining  it searches while at most this many pieces are left; None: from the start
    branching  a task that branches as the stages do
    """

    backend: Backend
    remaining: int | None
    branching: Task

    def task(self, task: Task, cut: int | None) -> Task:
        """A task for this leg, cut there."""
        how = self.branching
        return replace(
            task, cut=cut, heuristic=how.heuristic, settings=how.settings, phases=how.phases
        )


def legs_of(strategy: Strategy, problem: Problem, layout: Layout | None) -> list[Leg]:
    """The legs of a strategy, checked here once for all searches that go through them.

    Raises if a backend cannot take the problem, follow its stages, or hand over to the next one.
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
                f"backends can hand over: {', '.join(names_of(lambda can: can.cuts))}"
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


class Engine:
    """Searches a plan, or subtrees of it, by the stages of a strategy. Each thread needs its own.

    Stages above a subtree are dropped: their engines would only hand it over. So are filters at
    every step that end above it.

    task    what it adds to the plan, see `start_search`
    pieces  left at the root

    A search can be cut and looked into if the strategy is `cuttable`.
    """

    def __init__(self, plan: Plan, strategy: Strategy, task: Task | None = None) -> None:
        self._plan, self._strategy = plan, strategy
        self._root = self._checked(task or Task())
        self.pieces = pieces_left(plan.problem, plan.subject.layout, self._root.chosen)
        self._descents: dict[int, Descent] = {}  # by the pieces left where they begin
        self._alike: dict[tuple[Strategy, bool], Descent] = {}

    def _checked(self, task: Task) -> Task:
        """The task within the plan, with the plan's triggers."""
        plan, problem, layout = self._plan, self._plan.problem, self._plan.subject.layout
        legs_of(self._strategy, problem, layout)  # also of the stages above the root
        chosen = (*plan.forced, *(one for one in task.chosen if one not in plan.forced))
        watched = None
        if plan.triggers is not None and layout is not None:
            watched = watch(plan.triggers, layout, pieces_left(problem, layout))
        whole = replace(task, chosen=chosen, watch=watched)
        whole = below_chosen(problem, replace(whole, heuristic=DEFAULT, settings={}, phases=()))
        assert whole.allowed is not None
        return replace(whole, allowed=plan.alive & whole.allowed)

    def start(self, task: Task | None = None, left: int | None = None) -> CuttingSearch:
        """A search of the subtree below a state with this number of pieces left.

        The task of a state may be reduced to its options, and a cut. Without a state it is a search
        of the whole tree, cut where the task says so.
        """
        root, cut = self._root, self._root.cut if task is None else task.cut
        if cut is not None or root.tally:
            require_cuttable(self._strategy)
        if task is None or task.allowed is None:
            begin = replace(root, cut=cut)
        else:
            begin = replace(task, watch=root.watch, tally=root.tally)
        return self._descent(self.pieces if left is None else left).start(begin)

    def _descent(self, left: int) -> Descent:
        """The stages below a state with this number of pieces left, made ready."""
        if left not in self._descents:
            strategy = self._strategy.below(left)
            # A part that dlx has handed back goes on by dlx, so that the nodes stay the same.
            plain = left == self.pieces and _places_one(self._plan, strategy, left)
            if (strategy, plain) not in self._alike:
                first = self._strategy.at(self.pieces).backend
                parted = strategy.stages[0].backend == first
                task = replace(self._root, parted=parted)
                self._alike[strategy, plain] = Descent(self._plan, strategy, task, plain=plain)
            self._descents[left] = self._alike[strategy, plain]
        return self._descents[left]


class Descent:
    """A task made ready for many searches below it, by all legs of a strategy.

    plain  whether Python places the pieces of the first leg
    """

    def __init__(self, plan: Plan, strategy: Strategy, task: Task, *, plain: bool) -> None:
        self._problem, self._layout, self._task = plan.problem, plan.subject.layout, task
        self._legs, self._top = legs_of(strategy, plan.problem, self._layout), _top(plan, strategy)
        if plain:
            above = self._legs.pop(0).branching.branching
            down_to = self._legs[0].remaining
            assert down_to is not None  # only the first stage may have none
            self._top = FilteredTop(_all_alive, down_to, above)

    @cached_property
    def _openings(self) -> list[Callable[[Task], CuttingSearch]]:
        """The engines made ready, once the top is searched down to the first of them.

        The last one may be one that cannot be cut; `require_cuttable` refuses it where needed.
        """
        openings, task = [], replace(self._task, parted=self._task.parted and self._top is None)
        for leg in self._legs:
            made = opening_of(leg.backend, self._problem, self._layout, leg.task(task, None))
            openings.append(cast("Callable[[Task], CuttingSearch]", made))
            task = replace(task, parted=False)  # an engine below searches many trees
        return openings

    def start(self, task: Task) -> CuttingSearch:
        """A search of a subtree; legs below its cut have no part in it."""
        cuts: list[int | None] = []
        for leg in self._legs[1:]:
            assert leg.remaining is not None  # only the first stage may have none
            if task.cut is not None and task.cut >= leg.remaining:
                break
            cuts.append(leg.remaining)
        below = [partial(self._begin, number, cut) for number, cut in enumerate([*cuts, task.cut])]
        if self._top is None:
            first = below.pop(0)(task)
        else:
            first = SteppingSearch(self._problem, self._layout, task, self._top)
            if task.cut is not None and task.cut >= self._top.down_to:
                return first
        return HandedSearch(first, below, tally=task.tally) if below else first

    def _begin(self, number: int, cut: int | None, task: Task) -> CuttingSearch:
        """The search of a subtree by one leg."""
        return self._openings[number](self._legs[number].task(task, cut))


def _places_one(plan: Plan, strategy: Strategy, left: int) -> bool:
    """Whether the first leg is dlx, which places one of the pieces left as Python would."""
    first, *later = strategy.stages
    return (
        bool(later)
        and first.backend == "dlx" != later[0].backend
        and first.heuristic in CLAMPS
        and later[0].remaining == left - 1
        and not (strategy.stepwise or plan.first or plan.triggers)
        and "multiplicities" not in plan.problem.needs
    )


def _all_alive(_: tuple[int, ...], alive: Flags, __: int) -> Flags:
    """No filter."""
    return alive


def _top(plan: Plan, strategy: Strategy) -> FilteredTop | None:
    """How the top of the tree is searched; None: the engine searches the whole tree."""
    if not strategy.stepwise and not plan.first:
        return None
    phases = []
    for stage in strategy.stages:  # nodes are branched on as dlx would
        known = stage.heuristic in CLAMPS or is_fixed_order(stage.heuristic)
        phases.append(Phase(stage.heuristic if known else "s", stage.remaining))
    return FilteredTop(
        partial(filtered_at_node, plan, strategy),
        down_to=min((one.down_to or 0 for one in strategy.stepwise), default=NEVER),
        phases=tuple(phases),
        first=plan.first,
    )


class HandedSearch:
    """A search in progress: one engine's search, and below its current state that of the next.

    Only the last engine may be one that cannot be cut.
    """

    def __init__(
        self, first: CuttingSearch, below: Sequence[Callable[[Task], CuttingSearch]], *, tally: bool
    ) -> None:
        """A search, not yet begun.

        below  for each engine below the first: it starts a search of a subtree
        """
        self._begin_below, self._tallies = below, tally
        self._searches = [first]  # each below the current state of the one before it
        self._begun = [0.0]  # the progress of each before its current state
        self._counted = [(0, 0)]  # the fits of each, and the solutions
        self._last_done = False
        self._fits = self._nofits = 0  # of the searches that are over, as is the tally
        self._tally: Mapping[int, Tried] = {}
        self._found = 0

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on for about `steps` choices, see `Search.advance`."""
        batches: list[Batch] = []
        held = 0
        while True:
            if self._last_done:
                self._leave()
            search, level = self._searches[-1], len(self._searches) - 1
            fits, found = self._counted[level]
            if level < len(self._begin_below):
                batch = search.advance(max(steps, 1), capacity=1)
                after = search.report(brief=True)
                self._counted[level] = after.fits, after.found
                steps -= after.fits - fits + OVERHEAD
                if len(batch):
                    self._searches.append(self._begin_below[level](search.below()))
                    self._begun.append(0.0)
                    self._counted.append((0, 0))
                    continue
                self._begun[level] = search.report().progress
            else:
                batch = search.advance(max(steps, 1), capacity=capacity - held, keep=keep)
                after = search.report(brief=True)
                self._counted[level] = after.fits, after.found
                steps -= after.fits - fits
                self._found += after.found - found
                held += len(batch)
                batches.append(batch)
            done = batch.status is Status.DONE
            self._last_done = done and level > 0
            if held == capacity or batch.status is Status.FULL:
                return Batch.joined(batches, Status.FULL)
            if done and not level:
                return Batch.joined(batches, Status.DONE)
            if not done or steps <= 0:
                return Batch.joined(batches, Status.BUDGET)

    def _leave(self) -> None:
        """Leave the last search, which is done, and go on with the one above."""
        report, self._last_done = self._searches.pop().report(brief=not self._tallies), False
        self._begun.pop()
        self._counted.pop()
        self._begun[-1] = self._searches[-1].report().progress
        self._fits += report.fits
        self._nofits += report.nofits
        if self._tallies:
            self._tally = sum_tallies([self._tally, report.tally])

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search, of all engines together.

        A subtree below a state counts as much as its state. An engine that cannot show its options
        is left out of those chosen.
        """
        reports = [search.report(brief=brief) for search in self._searches]
        fits = self._fits + sum([report.fits for report in reports])
        nofits = self._nofits + sum([report.nofits for report in reports])
        if brief:
            return Report(fits, nofits, self._found)
        progress, share = 0.0, 1.0
        for report, begun in zip(reports[:-1], self._begun, strict=False):
            progress += share * begun
            share *= max(0.0, report.progress - begun)
        return Report(
            fits,
            nofits,
            self._found,
            progress=progress + share * reports[-1].progress,
            position=[frame for report in reports for frame in report.position],
            chosen=next(filter(None, (report.chosen for report in reversed(reports))), ()),
            tally=sum_tallies([self._tally, *(report.tally for report in reports)]),
        )

    def below(self) -> Task:
        """The subtree below the state last handed out, once a batch of one is full."""
        return self._searches[-1].below()

    def give_back(self) -> list[Part]:
        """Hand back the branches not begun of the highest node that has any, above or below."""
        share = 1.0
        for level, search in enumerate(self._searches):
            before, parts = search.report().progress, search.give_back()
            if parts:
                if before:  # its tree is smaller now, so what is behind is a larger share of it
                    self._begun[level] *= search.report().progress / before
                return [replace(part, share=share * part.share) for part in parts]
            share *= max(0.0, before - self._begun[level])
        return []
