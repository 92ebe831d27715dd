"""Puzzles of rectangles and bricks, searched by their sizes: no matrix of cells is made.

`for_rectangles` is the automatic strategy of a puzzle that keeps its rectangles, and `filling` its
search. `smallest` packs rectangles into a room, for `best`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Literal, get_args

from exactcover.backends import get_backend
from exactcover.backends.base import Batch, Task
from exactcover.backends.rectangles.engine import FloorBackend
from exactcover.backends.tasks import with_branching
from exactcover.errors import ExactCoverError
from exactcover.problem.rectangles.places import FloorPlaces
from exactcover.problem.rectangles.sizes import Floor, One, symmetries
from exactcover.puzzle import Model
from exactcover.puzzle.rectangles import FloorModel, keeps_rectangles, numbering_of, places_of
from exactcover.puzzle.symmetry import group_words
from exactcover.search.planned import NO_SYMMETRY, SubjectReport
from exactcover.search.strategy import Filter, Stage, Strategy
from exactcover.search.subject import Subject

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
    """The strategy for a puzzle that keeps its rectangles or bricks; None: it is another one.

    In a room that is too small nothing is searched, so no matrix of cells is made to choose.
    """
    model = subject.model
    if isinstance(model, FloorModel) and model.places is None and model.reason:
        filters = () if subject.permutations is None else (Filter("redundancy"),)
        return Strategy((Stage("dlx", "s"),), (*filters, Filter("volume")))
    if model is None or not keeps_rectangles(model):
        return None
    from exactcover.backends.rectangles.skyline import LONGEST

    places = places_of(model)
    assert places is not None
    return BY_SKYLINE if max(places.whole.sides) <= LONGEST * places.whole.unit else BY_CPSAT


def filling(subject: Subject, strategy: Strategy) -> FillingSearch | None:
    """The search of a floor or box by an engine of rectangles; None: it is another search."""
    engine = get_backend(strategy.stages[0].backend)
    alone = len(strategy.stages) == 1 and not strategy.filters
    if subject.model is None or not alone or not isinstance(engine, FloorBackend):
        return None
    places = places_of(subject.model)
    return None if places is None else FillingSearch(subject, strategy, engine, places)


class FillingSearch:
    """A `SubjectSearch` search of a floor or a box; solutions count as the subject says.

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
        self._places, self._motions = places, symmetries(places.whole, counted)
        self._filling = engine.fill(places.whole, counted, task)

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Batch:
        """Go on with the search, see `Search.advance`."""
        filled = self._filling.advance(steps, capacity=capacity, keep=keep)
        solutions = filled.solutions()
        if len(self._motions) > 1:
            self._symmetric.update(map(self._group, solutions))
        return Batch.of(filled.status, [self._places.numbers(one) for one in solutions])

    def report(self, *, brief: bool = False) -> SubjectReport:
        """The state of the search."""
        report = vars(self._filling.report(brief=brief)) | {"symmetric": self._symmetric}
        return SubjectReport(**report, strategy=self.strategy, reason=self.subject.reason)

    def _group(self, solution: tuple[One, ...]) -> str:
        """The symmetries that fix a solution, in words."""
        whole = self._places.whole
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
    searches: dict[str, Callable[..., Least]] = {
        "area": partial(least_area, kinds, room=(room.width, room.height)),
        "height": partial(least_height, room.width, kinds, room=room.height),
        "width": partial(least_width, room.height, kinds, room=room.width),
    }
    least = searches[quantity](
        time_limit=limits.seconds,
        workers=limits.workers,
        seed=limits.seed,
        stop=stop,
        tell=lambda so_far: tell(outcome(so_far)),
    )
    return outcome(least)
