"""Puzzles of rectangles, searched by their sizes: no matrix of cells is made.

`for_rectangles` is the automatic strategy of a puzzle that keeps its rectangles, and `filling` its
search.
"""

from __future__ import annotations

from collections import Counter

from exactcover.backends import get_backend
from exactcover.backends.base import Batch, Task
from exactcover.backends.rectangles.engine import FloorBackend
from exactcover.backends.tasks import with_branching
from exactcover.problem.rectangles import FloorPlaces, Placed, symmetries
from exactcover.puzzle.rectangles import FloorModel, places_of
from exactcover.puzzle.symmetry import group_words
from exactcover.search.planned import NO_SYMMETRY, SubjectReport
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Subject

BY_SKYLINE = Strategy((Stage("skyline", "largest"),))
"""The strategy for a puzzle that keeps its rectangles."""

BY_CPSAT = Strategy((Stage("nooverlap", "s"),))
"""The strategy if a side is too long for the tables of skyline."""


def for_rectangles(subject: Subject) -> Strategy | None:
    """The strategy for a puzzle that keeps its rectangles; None: it is another one."""
    if not isinstance(subject.model, FloorModel):
        return None
    from exactcover.backends.rectangles.skyline import LONGEST

    floor = subject.model.places.floor
    return BY_SKYLINE if max(floor.sides) <= LONGEST * floor.unit else BY_CPSAT


def filling(subject: Subject, strategy: Strategy) -> FillingSearch | None:
    """The search of a floor by an engine of rectangles; None: it is another search."""
    engine = get_backend(strategy.stages[0].backend)
    alone = len(strategy.stages) == 1 and not strategy.filters
    if subject.model is None or not alone or not isinstance(engine, FloorBackend):
        return None
    places = places_of(subject.model)
    return None if places is None else FillingSearch(subject, strategy, engine, places)


class FillingSearch:
    """A `SubjectSearch` search of a floor; solutions count as the subject says.

    It hands out the numbers of the places of each solution, which are the options of the problem.
    """

    def __init__(
        self, subject: Subject, strategy: Strategy, engine: FloorBackend, places: FloorPlaces
    ) -> None:
        self.subject, self.strategy = subject, strategy
        self._symmetric: Counter[str] = Counter()
        [stage] = strategy.stages
        named = Task(heuristic=stage.heuristic, settings=dict(stage.settings))
        task = with_branching(engine, None, named)
        counted = subject.counted
        turns_over = subject.model is not None and subject.model.puzzle.turns_over
        if counted == "rotations" and turns_over:
            counted = "reflections"  # a mirror is one more way to turn
        self._places, self._motions = places, symmetries(places.floor, counted)
        self._filling = engine.fill(places.floor, counted, task)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`."""
        filled = self._filling.advance(steps, capacity=capacity, keep=keep)
        if len(self._motions) > 1:
            self._symmetric.update(map(self._group, filled.solutions))
        return Batch.of(filled.status, [self._places.numbers(one) for one in filled.solutions])

    def report(self, *, brief: bool = False) -> SubjectReport:
        """The state of the search."""
        report = vars(self._filling.report(brief=brief)) | {"symmetric": self._symmetric}
        return SubjectReport(**report, strategy=self.strategy, reason=self.subject.reason)

    def _group(self, solution: tuple[Placed, ...]) -> str:
        """The symmetries that fix a solution, in words."""
        floor = self._places.floor
        fixing = [one for one in self._motions if one.solution(floor, solution) == solution]
        if len(fixing) == 1:
            return NO_SYMMETRY
        return group_words(len(fixing), sum(not one.is_turn for one in fixing))
