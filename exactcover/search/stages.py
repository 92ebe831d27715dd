"""The stages of a strategy as one engine: consecutive stages of one backend are a leg of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from exactcover.backends import get_backend, names_of_kind
from exactcover.backends.base import Capabilities, CuttingSearch, Phase, Task
from exactcover.backends.kinds import CuttingBackend, OpeningBackend
from exactcover.backends.rectangles.engine import FloorBackend
from exactcover.backends.tasks import with_branching
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search.handover import Leg, LegsOpening
from exactcover.search.stepping import Top
from exactcover.search.strategy import Stage, Strategy


class Engine(OpeningBackend):
    """The legs of a strategy as one engine, below a top that Python searches if there is one.

    Its searches are plain ones if its last backend cannot be cut; `cutting` refuses it where more
    is needed.
    """

    def __init__(self, legs: Sequence[Leg], top: Top | None) -> None:
        first, *below = [leg.backend for leg in legs]
        can = first.capabilities
        for lower in below:
            features = can.shared_features(lower.capabilities)
            can = Capabilities(features, can.heuristics, triggers=can.triggers)
        self.name = "; ".join([first.name, *(lower.name for lower in below)])
        self.summary, self.capabilities = first.summary, can
        self._legs, self._top = legs, top

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> CuttingSearch:
        """A search of the subtree that the task names."""
        return self.opening(problem, layout, replace(task, parted=True)).start(task)

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> LegsOpening:
        """The task made ready for many searches below it."""
        return LegsOpening(self._legs, self._top, problem, layout, task)


class CuttingEngine(Engine, CuttingBackend):
    """An engine whose backends can all be cut."""


def engine_of(strategy: Strategy, layout: Layout | None, top: Top | None = None) -> Engine:
    """The engine that searches by the stages of a strategy, with a hand-over at each new backend.

    It is a `CuttingBackend` if all its backends are. Raises if a backend cannot follow its stages,
    or cannot hand over to the next one.

    top  how the nodes above the stages are searched; None: there are none
    """
    legs: list[Leg] = []
    runs = [tuple(run) for _, run in groupby(strategy.stages, key=lambda stage: stage.backend)]
    for stages in reversed(runs):
        leg = _leg(stages, layout)
        if legs and not isinstance(leg.backend, CuttingBackend):
            raise CapabilityError(
                f"{strategy}: {leg.backend.name} cannot hand over to {legs[0].backend.name}; these "
                f"backends can hand over: {', '.join(names_of_kind(CuttingBackend))}"
            )
        legs.insert(0, leg)
    whole = isinstance(legs[-1].backend, CuttingBackend)
    return CuttingEngine(legs, top) if whole else Engine(legs, top)


def _leg(stages: Sequence[Stage], layout: Layout | None) -> Leg:
    """The leg of these stages, checked here once for all searches that go through it.

    Its first stage holds from the state at which a search starts.
    """
    first, *others = stages
    backend = get_backend(first.backend)
    if isinstance(backend, FloorBackend):
        raise backend.refusal()
    phases = [Phase(first.heuristic, None, dict(first.settings))]
    phases += [Phase(one.heuristic, one.remaining, dict(one.settings)) for one in others]
    branching = with_branching(backend, layout, Task(phases=tuple(phases)))
    return Leg(backend, first.remaining, branching)


def stage_at(strategy: Strategy, remaining: int) -> Stage:
    """The stage that searches while this number of pieces is left."""
    first, *later = strategy.stages
    started = [one for one in later if one.remaining is not None and remaining <= one.remaining]
    return started[-1] if started else first


def stages_from(strategy: Strategy, remaining: int) -> Strategy:
    """The strategy for a subtree with this number of pieces left: stages above it are dropped.

    An engine of an upper stage would only hand the subtree over, which takes longer than to start
    the engine below.
    """
    first = stage_at(strategy, remaining)
    below = strategy.stages[strategy.stages.index(first) + 1 :]
    return replace(strategy, stages=(replace(first, remaining=None), *below))
