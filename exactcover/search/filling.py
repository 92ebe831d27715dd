"""A floor or a box filled by an engine that sees its pieces: no matrix of cells is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd

from exactcover.backends import get_backend
from exactcover.backends.base import Task
from exactcover.backends.floors import FloorBackend, PlacedSearch
from exactcover.backends.tasks import with_branching
from exactcover.rectangles import Kind, Whole, symmetries
from exactcover.rectangles.places import One
from exactcover.search.plan import Applied
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Subject
from exactcover.search.unique import NO_SYMMETRY

BY_SKYLINE = Strategy((Stage("skyline", "largest"),))
"""The strategy for a puzzle that keeps its rectangles or bricks."""

BY_CPSAT = Strategy((Stage("nooverlap", "s"),))
"""The strategy if a side is too long for the tables of skyline."""


def for_rectangles(whole: Whole) -> Strategy:
    """The strategy for a floor or a box."""
    from exactcover.backends.skyline.tables import LONGEST

    kinds: Sequence[Kind] = whole.kinds
    unit = gcd(*whole.sides, *(side for kind in kinds for side in kind.sizes[0]))
    return BY_SKYLINE if max(whole.sides) <= LONGEST * unit else BY_CPSAT


def fills(subject: Subject, strategy: Strategy) -> bool:
    """Whether a strategy fills the floor or box of a subject, without a matrix of cells."""
    if subject.model is None or subject.model.places is None or strategy.filters:
        return False
    return len(strategy.stages) == 1 and isinstance(_engine(strategy), FloorBackend)


def filling(subject: Subject, strategy: Strategy) -> FillingSearch | None:
    """The search by such a strategy; None: it is another strategy or subject."""
    return FillingSearch(subject, strategy) if fills(subject, strategy) else None


def _engine(strategy: Strategy) -> object:
    return get_backend(strategy.stages[0].backend)


class FillingSearch(PlacedSearch):
    """A `Reporting` search of a floor or a box; solutions count as the subject says."""

    def __init__(self, subject: Subject, strategy: Strategy) -> None:
        model, engine = subject.model, _engine(strategy)
        assert model is not None
        assert model.places is not None
        assert isinstance(engine, FloorBackend)
        self.subject, self.strategy, self.reason = subject, strategy, subject.reason
        [stage] = strategy.stages
        asked = Task(heuristic=stage.heuristic, settings=dict(stage.settings))
        task = with_branching(engine, None, asked)
        whole, counted = model.places.whole, subject.counted
        if counted == "rotations" and model.puzzle.turns_over:
            counted = "reflections"  # a mirror is one more way to turn
        super().__init__(engine.fill(whole, counted, task), model.places)
        self._motions = symmetries(whole, counted)
        self.symmetric: Counter[str] = Counter()

    applied: tuple[Applied, ...] = ()

    def look_at(self, solutions: Sequence[tuple[One, ...]]) -> None:
        """Count the groups of symmetries of the solutions that are handed out."""
        if len(self._motions) > 1:
            self.symmetric.update(map(self._group, solutions))

    def _group(self, solution: tuple[One, ...]) -> str:
        """The symmetries that fix a solution, in words."""
        whole = self.places.whole
        fixing = [one for one in self._motions if one.solution(whole, solution) == solution]
        if len(fixing) == 1:
            return NO_SYMMETRY
        mirrors = sum(not one.is_turn for one in fixing)
        with_mirrors = f" ({mirrors} of them mirrors)" if mirrors else ""
        return f"{len(fixing)} symmetries{with_mirrors}"
