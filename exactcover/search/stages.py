"""The stages of a strategy as one engine: phases of one backend, hand-over where it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from exactcover.backends import get_backend, names_of
from exactcover.backends.base import Backend, Opening, Phase, Search, Task
from exactcover.backends.tasks import opening_of, with_branching
from exactcover.errors import CapabilityError
from exactcover.problem import Problem
from exactcover.problem.layout import Layout
from exactcover.search.handover import HandingOver
from exactcover.search.strategy import Stage, Strategy


class Phased:
    """A backend whose searches go through stages that name it, whatever heuristic a task names.

    The stages are checked here, once, and at no search that goes through them.
    """

    def __init__(self, stages: Sequence[Stage], layout: Layout | None) -> None:
        backend = get_backend(stages[0].backend)
        self.name, self.summary = backend.name, backend.summary
        self.capabilities = replace(backend.capabilities, opens=True)
        self._backend = backend
        # The first of them holds from wherever the search comes in.
        first, *others = stages
        phases = [Phase(first.heuristic, None, dict(first.settings))]
        phases += [Phase(s.heuristic, s.remaining, dict(s.settings)) for s in others]
        self._how = with_branching(backend, layout, Task(phases=tuple(phases)))

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names."""
        return self._backend.start(problem, layout, self.by_stages(task))

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> Opening:
        """The task made ready for many searches below it."""
        return PhasedOpening(self, opening_of(self._backend, problem, layout, self.by_stages(task)))

    def by_stages(self, task: Task) -> Task:
        """The task with these stages."""
        how = self._how
        return replace(task, heuristic=how.heuristic, settings=how.settings, phases=how.phases)


@dataclass(frozen=True)
class PhasedOpening:
    """A task made ready for searches that go through stages."""

    engine: Phased
    opening: Opening

    def start(self, task: Task) -> Search:
        """A search of a subtree of the task."""
        return self.opening.start(self.engine.by_stages(task))


def engine_of(strategy: Strategy, layout: Layout | None) -> Backend:
    """The engine that searches by the stages of a strategy, each change of backend a hand-over.

    Raises where a backend cannot follow its stages, or cannot hand over to the next one.
    """
    runs = groupby(strategy.stages, key=lambda stage: stage.backend)
    *above, last = [tuple(stages) for _, stages in runs]
    engine: Backend = Phased(last, layout)
    for stages in reversed(above):
        upper = Phased(stages, layout)
        remaining = last[0].remaining
        if not upper.capabilities.cuts:
            raise CapabilityError(
                f"{strategy}: {upper.name} cannot hand over to {last[0].backend}; these backends "
                f"can hand over: {', '.join(names_of(lambda can: can.cuts))}"
            )
        assert remaining is not None  # only the first stage may have none
        engine, last = HandingOver(upper, engine, remaining), stages
    return engine


def stage_at(strategy: Strategy, remaining: int) -> Stage:
    """The stage that searches while so many pieces are left."""
    first, *later = strategy.stages
    started = [one for one in later if one.remaining is not None and remaining <= one.remaining]
    return started[-1] if started else first
