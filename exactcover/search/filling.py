"""A floor filled by an engine that sees rectangles: no matrix of cells is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd

from exactcover.backends import get_backend
from exactcover.backends.base import Task
from exactcover.backends.floors import FloorBackend, PlacedSearch
from exactcover.backends.tasks import with_branching
from exactcover.rectangles import Floor, Placed, symmetries
from exactcover.search.plan import Applied
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Subject
from exactcover.search.unique import NO_SYMMETRY

BY_SKYLINE = Strategy((Stage("skyline", "largest"),))
"""The strategy for a puzzle that keeps its rectangles."""

BY_CPSAT = Strategy((Stage("nooverlap", "s"),))
"""The strategy if a side is too long for the tables of skyline."""


def for_rectangles(floor: Floor) -> Strategy:
    """The strategy for a floor."""
    from exactcover.backends.skyline.tables import LONGEST

    sides = [side for kind in floor.rectangles for side in kind.sizes[0]]
    unit = gcd(floor.width, floor.height, *sides)
    return BY_SKYLINE if max(floor.width, floor.height) <= LONGEST * unit else BY_CPSAT


def fills(subject: Subject, strategy: Strategy) -> bool:
    """Whether a strategy fills the floor of a subject, without a matrix of cells."""
    if subject.model is None or subject.model.places is None or strategy.filters:
        return False
    return len(strategy.stages) == 1 and isinstance(_engine(strategy), FloorBackend)


def filling(subject: Subject, strategy: Strategy) -> FillingSearch | None:
    """The search of a floor by such a strategy; None: it is another strategy or subject."""
    return FillingSearch(subject, strategy) if fills(subject, strategy) else None


def _engine(strategy: Strategy) -> object:
    return get_backend(strategy.stages[0].backend)


class FillingSearch(PlacedSearch):
    """A `Reporting` search of a floor; solutions count as the subject says."""

    def __init__(self, subject: Subject, strategy: Strategy) -> None:
        model, engine = subject.model, _engine(strategy)
        assert model is not None
        assert model.places is not None
        assert isinstance(engine, FloorBackend)
        self.subject, self.strategy, self.reason = subject, strategy, subject.reason
        [stage] = strategy.stages
        asked = Task(heuristic=stage.heuristic, settings=dict(stage.settings))
        task = with_branching(engine, None, asked)
        floor = model.places.floor
        super().__init__(engine.fill(floor, subject.counted, task), model.places)
        self._motions = symmetries(floor, subject.counted)
        self.symmetric: Counter[str] = Counter()

    applied: tuple[Applied, ...] = ()

    def look_at(self, solutions: Sequence[tuple[Placed, ...]]) -> None:
        """Count the groups of symmetries of the solutions that are handed out."""
        if len(self._motions) > 1:
            self.symmetric.update(map(self._group, solutions))

    def _group(self, solution: tuple[Placed, ...]) -> str:
        """The symmetries that fix a solution, in words."""
        floor = self.places.floor
        fixing = [one for one in self._motions if one.solution(floor, solution) == solution]
        if len(fixing) == 1:
            return NO_SYMMETRY
        mirrors = sum((one.swap + one.mirror_x + one.mirror_y) % 2 for one in fixing)
        with_mirrors = f" ({mirrors} of them mirrors)" if mirrors else ""
        return f"{len(fixing)} symmetries{with_mirrors}"
