"""The stages of a strategy as one engine: phases of one backend, hand-over where it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from exactcover.backends import backends, get_backend
from exactcover.backends.base import Backend, Opening, Phase, Search, Task
from exactcover.errors import CapabilityError, StrategyError
from exactcover.handover import Each, HandingOver, opening_of
from exactcover.layout import Layout
from exactcover.problem import Problem
from exactcover.strategy import Stage, Strategy


class Phased:
    """A backend whose searches go through stages that name it."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        backend = get_backend(stages[0].backend)
        self.name, self.summary = backend.name, backend.summary
        self.capabilities = backend.capabilities
        self._backend = backend
        if len(stages) > 1 and not backend.capabilities.phases:
            raise StrategyError(
                f"{backend.name} searches in one stage: {stages[1]} is one too many"
            )
        self._stages = stages

    def start(self, problem: Problem, layout: Layout | None, task: Task) -> Search:
        """A search of the subtree that the task names."""
        return self._backend.start(problem, layout, self._told(task))

    def opening(self, problem: Problem, layout: Layout | None, task: Task) -> Opening:
        """The task made ready, where the backend can do that."""
        if not self.capabilities.opens:
            return Each(self, problem, layout)
        return Told(self, opening_of(self._backend, problem, layout, self._told(task)))

    def _told(self, task: Task) -> Task:
        """The task with these stages, whatever it was to be searched by."""
        first, *others = self._stages
        if not others:
            settings = dict(first.settings)
            return replace(task, heuristic=first.heuristic, settings=settings, phases=())
        # The first of them holds from wherever the search comes in.
        phases = [Phase(first.heuristic, None, dict(first.settings))]
        phases += [Phase(s.heuristic, s.remaining, dict(s.settings)) for s in others]
        return replace(task, phases=tuple(phases))


class Told:
    """An opening for stages: a task of whatever heuristic is searched by theirs."""

    def __init__(self, phased: Phased, opening: Opening) -> None:
        self._phased, self._opening = phased, opening

    def start(self, task: Task) -> Search:
        """A search of a subtree of the task."""
        return self._opening.start(self._phased._told(task))


def engine_of(strategy: Strategy) -> Backend:
    """The engine that searches by the stages of a strategy, each change of backend a hand-over."""
    runs = groupby(strategy.stages, key=lambda stage: stage.backend)
    *above, last = [tuple(stages) for _, stages in runs]
    engine: Backend = Phased(last)
    for stages in reversed(above):
        upper = Phased(stages)
        remaining = last[0].remaining
        if not upper.capabilities.cuts:
            able = [name for name, one in backends().items() if one.capabilities.cuts]
            raise CapabilityError(
                f"{strategy}: {upper.name} cannot hand over to {last[0].backend}; these backends "
                f"can hand over: {', '.join(able)}"
            )
        assert remaining is not None  # only the first stage may have none
        engine, last = HandingOver(upper, engine, remaining), stages
    return engine


def stage_at(strategy: Strategy, remaining: int) -> Stage:
    """The stage that searches while so many pieces are left."""
    first, *later = strategy.stages
    started = [one for one in later if one.remaining is not None and remaining <= one.remaining]
    return started[-1] if started else first
