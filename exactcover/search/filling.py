"""A floor or a box filled by an engine that sees its pieces: no matrix of cells is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd

from exactcover.backends import get_backend
from exactcover.backends.base import Task
from exactcover.backends.floors import FloorBackend, PlacedSearch
from exactcover.backends.tasks import with_branching
from exactcover.rectangles import Kind, Places, symmetries
from exactcover.rectangles.places import One
from exactcover.search.plan import Applied
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Subject
from exactcover.search.unique import NO_SYMMETRY

BY_SKYLINE = Strategy((Stage("skyline", "largest"),))
"""The strategy for a puzzle that keeps its rectangles or bricks."""

BY_CPSAT = Strategy((Stage("nooverlap", "s"),))
"""The strategy if a side is too long for the tables of skyline."""


def for_rectangles(subject: Subject) -> Strategy | None:
    """The strategy for a puzzle that keeps its rectangles or bricks; None: it is another one."""
    from exactcover.backends.skyline.tables import LONGEST

    model = subject.model
    if model is None or not model.keeps_rectangles or model.places is None:
        return None
    whole = model.places.whole
    kinds: Sequence[Kind] = whole.kinds
    unit = gcd(*whole.sides, *(side for kind in kinds for side in kind.sizes[0]))
    return BY_SKYLINE if max(whole.sides) <= LONGEST * unit else BY_CPSAT


def filling(subject: Subject, strategy: Strategy) -> FillingSearch | None:
    """The search of a floor or box by an engine of rectangles; None: it is another search."""
    if subject.model is None or subject.model.places is None or strategy.filters:
        return None
    engine = get_backend(strategy.stages[0].backend)
    if len(strategy.stages) > 1 or not isinstance(engine, FloorBackend):
        return None
    return FillingSearch(subject, strategy, engine, subject.model.places)


class FillingSearch(PlacedSearch):
    """A `Reporting` search of a floor or a box; solutions count as the subject says."""

    def __init__(
        self, subject: Subject, strategy: Strategy, engine: FloorBackend, places: Places
    ) -> None:
        self.subject, self.strategy, self.reason = subject, strategy, subject.reason
        [stage] = strategy.stages
        asked = Task(heuristic=stage.heuristic, settings=dict(stage.settings))
        task = with_branching(engine, None, asked)
        whole, counted = places.whole, subject.counted
        turns_over = subject.model is not None and subject.model.puzzle.turns_over
        if counted == "rotations" and turns_over:
            counted = "reflections"  # a mirror is one more way to turn
        super().__init__(engine.fill(whole, counted, task), places)
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
