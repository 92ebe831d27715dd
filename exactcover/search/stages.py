"""The stages of a strategy as one engine: phases of one backend, hand-over to the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Generic

from exactcover.backends import get_backend, names_of_kind
from exactcover.backends.base import Backend, CuttingSearch, Phase, Search, Task
from exactcover.backends.kinds import CuttingBackend, Opening, OpeningBackend, SearchT
from exactcover.backends.rectangles.engine import FloorBackend
from exactcover.backends.tasks import opening_of, with_branching
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search.handover import handing_over
from exactcover.search.strategy import Stage, Strategy


@dataclass(frozen=True)
class StageBranching:
    """How the stages branch; it replaces the branching of a task."""

    task: Task

    @classmethod
    def of(cls, backend: Backend, stages: Sequence[Stage], layout: Layout | None) -> StageBranching:
        """The stages of one backend, checked here once for all searches that go through them.

        The first stage holds from the state at which the search starts.
        """
        first, *others = stages
        phases = [Phase(first.heuristic, None, dict(first.settings))]
        phases += [Phase(s.heuristic, s.remaining, dict(s.settings)) for s in others]
        return cls(with_branching(backend, layout, Task(phases=tuple(phases))))

    def __call__(self, task: Task) -> Task:
        """The task with these stages."""
        how = self.task
        return replace(task, heuristic=how.heuristic, settings=how.settings, phases=how.phases)


class Phased(OpeningBackend):
    """A backend whose searches go through stages that name it."""

    def __init__(self, backend: Backend, branching: StageBranching) -> None:
        self.name, self.summary = backend.name, backend.summary
        self.capabilities = backend.capabilities
        self._backend, self._branching = backend, branching

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names."""
        return self._backend.start(problem, layout, self._branching(task))

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> Opening[Search]:
        """The task made ready for many searches below it."""
        opening = opening_of(self._backend, problem, layout, self._branching(task))
        return PhasedOpening(self._branching, opening)


class CuttingPhased(CuttingBackend):
    """The same for a backend whose searches can be cut."""

    def __init__(self, backend: CuttingBackend, branching: StageBranching) -> None:
        self.name, self.summary = backend.name, backend.summary
        self.capabilities = backend.capabilities
        self._backend, self._branching = backend, branching

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> CuttingSearch:
        """A search of the subtree that the task names."""
        return self._backend.start(problem, layout, self._branching(task))

    def opening(
        self, problem: Problem, layout: Layout | None, task: Task
    ) -> Opening[CuttingSearch]:
        """The task made ready for many searches below it."""
        opening = self._backend.opening(problem, layout, self._branching(task))
        return PhasedOpening(self._branching, opening)


@dataclass(frozen=True)
class PhasedOpening(Generic[SearchT]):
    """A task made ready for searches that go through stages."""

    branching: StageBranching
    opening: Opening[SearchT]

    def start(self, task: Task) -> SearchT:
        """A search of a subtree of the task."""
        return self.opening.start(self.branching(task))


def engine_of(strategy: Strategy, layout: Layout | None) -> Backend:
    """The engine that searches by the stages of a strategy, with a hand-over at each new backend.

    It is a `CuttingBackend` if all its backends are. Raises if a backend cannot follow its stages,
    or cannot hand over to the next one.
    """
    check_floor(strategy)
    runs = groupby(strategy.stages, key=lambda stage: stage.backend)
    *above, last = [tuple(stages) for _, stages in runs]
    engine = _phased(last, layout)
    for stages in reversed(above):
        upper = _phased(stages, layout)
        remaining = last[0].remaining
        if not isinstance(upper, CuttingBackend):
            raise CapabilityError(
                f"{strategy}: {upper.name} cannot hand over to {last[0].backend}; these backends "
                f"can hand over: {', '.join(names_of_kind(CuttingBackend))}"
            )
        assert remaining is not None  # only the first stage may have none
        engine, last = handing_over(upper, engine, remaining), stages
    return engine


def check_floor(strategy: Strategy) -> None:
    """Raise `CapabilityError` if an engine that fills floors is not the whole strategy."""
    names = [stage.backend for stage in strategy.stages]
    for name in names:
        if isinstance(get_backend(name), FloorBackend) and (len(names) > 1 or strategy.filters):
            raise CapabilityError(
                f"{strategy}: {name} fills the whole floor and sees no cells, so it takes no "
                "filter and no other stage; it stands alone, as in "
                f"{name}:{get_backend(name).capabilities.heuristics[0]}"
            )


def _phased(stages: Sequence[Stage], layout: Layout | None) -> Backend:
    """The backend that all these stages name, as an engine whose searches go through them."""
    backend = get_backend(stages[0].backend)
    branching = StageBranching.of(backend, stages, layout)
    if isinstance(backend, CuttingBackend):
        return CuttingPhased(backend, branching)
    return Phased(backend, branching)


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
