"""Puzzles of rectangles and bricks, searched by their sizes: no matrix of cells is made.

`for_rectangles` is the automatic strategy of a puzzle that keeps its rectangles, and `filling` its
search. `smallest` packs rectangles into a room, for `best`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Literal, get_args

from exactcover.backends import get_backend
from exactcover.backends.base import Task
from exactcover.backends.rectangles.engine import FloorBackend, PlacedSearch
from exactcover.backends.tasks import with_branching
from exactcover.errors import ExactCoverError
from exactcover.puzzle import Model
from exactcover.puzzle.rectangles import numbering_of
from exactcover.puzzle.symmetry import group_words
from exactcover.rectangles import Floor, Places, symmetries, unit_of
from exactcover.rectangles.places import One
from exactcover.search.plan import Applied
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Subject
from exactcover.search.unique import NO_SYMMETRY

if TYPE_CHECKING:
    from exactcover.backends import Least
    from exactcover.backends.cpsat import CpsatLimits, CpsatOptimum

BY_SKYLINE = Strategy((Stage("skyline", "largest"),))
"""The strategy for a puzzle that keeps its rectangles or bricks."""

BY_CPSAT = Strategy((Stage("nooverlap", "s"),))
"""The strategy if a side is too long for the tables of skyline."""

Size = Literal["height", "width", "area"]
SIZES: tuple[Size, ...] = get_args(Size)
"""The measures of the box around rectangles that `best` can make smallest."""


def for_rectangles(subject: Subject) -> Strategy | None:
    """The strategy for a puzzle that keeps its rectangles or bricks; None: it is another one."""
    from exactcover.backends.rectangles.tables import LONGEST

    model = subject.model
    if model is None or not model.keeps_rectangles or model.places is None:
        return None
    whole = model.places.whole
    return BY_SKYLINE if max(whole.sides) <= LONGEST * unit_of(whole) else BY_CPSAT


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
        return group_words(len(fixing), sum(not one.is_turn for one in fixing))


# -- the smallest box around rectangles in a room -------------------------------------------------


def room_of(model: Model | None, quantity: str) -> Floor:
    """The room that rectangles are packed into; raises if the puzzle is another one."""
    room = None if model is None else model.puzzle.room
    if room is None:
        raise ExactCoverError(
            f"least {quantity}: this is asked of rectangles in a room, a rectangle of squares that "
            'may all stay empty, as in region = { optional = "20x30" }'
        )
    return room


def smallest(
    model: Model,
    quantity: str,
    limits: CpsatLimits,
    stop: Callable[[], bool],
    tell: Callable[[CpsatOptimum], None],
) -> CpsatOptimum:
    """The packing with the least height, width or area, and a bound.

    stop  called several times a second; the search ends when it returns true
    tell  called with each new bound, and the best packing so far
    """
    from exactcover.backends.cpsat import CpsatOptimum
    from exactcover.backends.rectangles.least import least_area, least_height, least_width

    room = room_of(model, quantity)
    places = numbering_of(model.puzzle, room)

    def outcome(least: Least) -> CpsatOptimum:
        floor = least.floor
        if floor is None:
            bound = inf if least.status == "impossible" else float(least.bound)
            return CpsatOptimum(least.status, None, inf, bound)
        sizes = {"height": floor.height, "width": floor.width, "area": floor.area}
        value = float(sizes[quantity])
        return CpsatOptimum(least.status, places.numbers(least.placed), value, float(least.bound))

    kinds = room.rectangles
    search: Callable[..., Least] = partial(least_area, kinds, room=(room.width, room.height))
    if quantity == "height":
        search = partial(least_height, room.width, kinds, room=room.height)
    elif quantity == "width":
        search = partial(least_width, room.height, kinds, room=room.width)
    least = search(
        time_limit=limits.seconds,
        workers=limits.workers,
        seed=limits.seed,
        stop=stop,
        tell=lambda so_far: tell(outcome(so_far)),
    )
    return outcome(least)
