"""Puzzles of rectangles, searched by their sizes: no matrix of cells is made.

`for_rectangles` is the automatic strategy of a puzzle that keeps its rectangles, and `filling` its
search.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from exactcover.backends.base import Slice, Where
from exactcover.backends.rectangles import FOR_FLOORS, RULES
from exactcover.problem.rectangles import FloorMotions
from exactcover.puzzle.rectangles import FloorModel, places_of
from exactcover.puzzle.symmetry import group_words
from exactcover.search.begun import Begun
from exactcover.search.judge import NO_SYMMETRY
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


def filling(subject: Subject, strategy: Strategy) -> Begun | None:
    """The search of a floor by an engine of rectangles, begun; None: it is another search."""
    if not fills(subject, strategy):
        return None
    return Begun(FillingSearch(subject, strategy), strategy, reason=subject.reason)


def fills(subject: Subject, strategy: Strategy) -> bool:
    """Whether a strategy is an engine of rectangles alone, and the puzzle is a floor."""
    if len(strategy.stages) > 1 or strategy.filters or subject.model is None:
        return False
    return strategy.stages[0].backend in FOR_FLOORS and subject.model.puzzle.floor is not None


class FillingSearch:
    """A search of a floor; solutions count as the subject says.

    It hands out the numbers of the places of each solution, which are the options of the problem.
    """

    def __init__(self, subject: Subject, strategy: Strategy) -> None:
        assert subject.model is not None
        self._places, counted = places_of(subject.model), subject.counted
        if counted == "rotations" and subject.model.puzzle.turns_over:
            counted = "reflections"  # a mirror is one more way to turn
        [stage] = strategy.stages
        engine = FOR_FLOORS[stage.backend]
        floor, rule = self._places.floor, dict(stage.settings).get("rule", RULES[0])
        self._filling = engine.fill(floor, counted, stage.heuristic, rule)
        self._motions = FloorMotions.of(floor, self._filling.poses, counted)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Slice:
        """Go on with the search, see `Search.advance`."""
        made, places = self._filling.advance(steps, capacity=capacity)
        fixing = self._motions.fixing(places)
        symmetric = Counter[str]()
        if len(fixing) > 1:
            sizes = fixing.sum(axis=0)
            symmetric[NO_SYMMETRY] += int((sizes == 1).sum())
            for number in np.flatnonzero(sizes > 1).tolist():
                mirrors = int(fixing[~self._motions.turns, number].sum())
                symmetric[group_words(int(sizes[number]), mirrors)] += 1
        made = replace(made, found=int(fixing[0].sum()), symmetric=+symmetric)
        if not (keep and fixing[0].any()):
            return made
        options = self._places.numbers(places[fixing[0]], self._filling.poses)
        options.sort(axis=1)
        starts = np.arange(len(options) + 1) * options.shape[1]
        return replace(made, starts=starts, options=options.ravel())

    def where(self) -> Where:
        """Where the search is."""
        return self._filling.where()
