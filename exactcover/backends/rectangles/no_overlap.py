"""Rectangles in a floor by CP-SAT: places are whole numbers, and intervals of a `NoOverlap2D`.

It shares no code with the search by skyline, so it is the independent check of it.

The solutions of the model and of the puzzle correspond one to one: copies of a kind are ordered by
their places, and every other variable follows from places and sizes. Symmetric solutions are
left out where the place of one rectangle tells them apart, and made from the others. Rectangles
start at normal places, see `FloorPlaces`.

CP-SAT cannot be paused. It runs in a thread, and a call of `advance` waits for a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

import numpy as np

from exactcover.backends.arrays import Long
from exactcover.backends.base import Slice, Status, Where
from exactcover.backends.cpsat.model import CpsatRun
from exactcover.base.patience import patiently
from exactcover.base.plugins import or_tools
from exactcover.problem.rectangles import Floor, FloorMotions, FloorPlaces, Places

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

WAIT = 0.01
"""Seconds that a call waits for solutions."""


class NoOverlapSearch:
    """A search for all the ways to fill a floor, by CP-SAT; it has one order and one rule."""

    def __init__(self, floor: Floor, *_given: str) -> None:
        self.poses = floor.poses
        self._floor = floor
        self._run: CpsatRun | None = None
        self._found: deque[bytes] = deque()

    def where(self) -> Where:
        """Where the search is; CP-SAT does not say how far it is."""
        done = self._run is not None and self._run.done.is_set() and not self._found
        return Where(float(done))

    def advance(self, steps: int, *, capacity: int = 1 << 12) -> tuple[Slice, Places]:
        """Wait for a moment; return the solutions so far."""
        if self._floor.area != self._floor.rectangles_area:
            return Slice(Status.DONE), np.zeros((0, self._floor.pieces, 3), np.int64)
        if self._run is None:
            self._run = _begun(self._floor, self._found)
            finalize(self, self._run.stop)
        self._run.done.wait(WAIT)
        ended = self._run.done.is_set()  # asked first: the last solution comes before the end
        if ended:
            self._run.word()
        many = min(capacity, len(self._found))
        taken = b"".join(self._found.popleft() for _ in range(many))
        status = Status.FULL if many == capacity else Status.BUDGET
        if ended and not self._found:
            status = Status.DONE
        places = np.frombuffer(taken, np.int64).reshape(many, self._floor.pieces, 3)
        return Slice(status, found=many), places


def _begun(floor: Floor, found: deque[bytes]) -> CpsatRun:
    """CP-SAT at work; it adds each solution to those found, and its images."""
    model, copies = _stated(floor)
    motions = FloorMotions.of(floor, floor.poses, "reflections")
    known: set[bytes] = set()

    def note(values: Long) -> None:
        one = np.array([copy.place(values) for copy in copies], np.int64)
        images = {image[np.lexsort(image.T)].tobytes() for image in motions.images(one)}
        if min(images) not in known:
            known.add(min(images))
            found.extend(sorted(images))

    return CpsatRun(model, note, enumerate_all_solutions=True, num_workers=1)


# -- the model ------------------------------------------------------------------------------------


class Copy(NamedTuple):
    """The variables of a copy: which of its poses it has, its starts and sizes along the axes."""

    kind: int
    chosen: dict[int, Any]
    starts: list[Any]
    sizes: list[Any]

    def place(self, values: Long) -> list[int]:
        """Its pose and its corner in a solution."""
        pose = next(pose for pose, one in self.chosen.items() if values[one.index])
        return [pose, *(int(values[start.index]) for start in self.starts)]


def _stated(floor: Floor) -> tuple[cp_model.CpModel, list[Copy]]:
    """The model, and the variables of each copy in it."""
    cp_model = or_tools("sat.python.cp_model")
    model = cp_model.CpModel()
    places, copies = FloorPlaces.of(floor, normal=True), list[Copy]()
    for number, kind in enumerate(patiently(floor.rectangles)):
        alike = [_copy(model, places, number) for _ in range(kind.copies)]
        for one, other in pairwise(alike):
            ranks = [copy.starts[0] * floor.height + copy.starts[1] for copy in (one, other)]
            model.add(ranks[0] < ranks[1])
        copies += alike
    _lay_flat(model, floor, copies)
    _keep_one_image(model, floor, copies)
    return model, copies


def _copy(model: cp_model.CpModel, places: FloorPlaces, kind: int) -> Copy:
    """The variables of a copy, at its places."""
    from ortools.sat.python import cp_model

    ways = {pose: way for pose, way in enumerate(places.ways) if way.kind == kind}
    copy = Copy(kind, {pose: model.new_bool_var("") for pose in ways}, [], [])
    model.add_exactly_one(copy.chosen.values())
    for axis, side in enumerate(places.floor.sides):
        lengths = [way.size[axis] for way in ways.values()]
        start = model.new_int_var(0, side, "")
        size = model.new_int_var(min(lengths), max(lengths), "")
        model.add(size == sum(copy.chosen[pose] * way.size[axis] for pose, way in ways.items()))
        for pose, way in ways.items():
            allowed = cp_model.Domain.from_values([*way.starts[axis]])
            held = model.add_linear_expression_in_domain(start, allowed)
            held.only_enforce_if(copy.chosen[pose])
        copy.starts.append(start)
        copy.sizes.append(size)
    return copy


def _lay_flat(model: cp_model.CpModel, floor: Floor, copies: Sequence[Copy]) -> None:
    """No two rectangles overlap; also no line across, or upright, is crossed by too many."""
    intervals = [
        [
            model.new_interval_var(
                copy.starts[axis], copy.sizes[axis], model.new_int_var(0, side, ""), ""
            )
            for copy in copies
        ]
        for axis, side in enumerate(floor.sides)
    ]
    model.add_no_overlap_2d(*intervals)
    for axis, other in ((0, 1), (1, 0)):
        across = [copy.sizes[other] for copy in copies]
        model.add_cumulative(intervals[axis], across, floor.sides[other])


def _keep_one_image(model: cp_model.CpModel, floor: Floor, copies: Sequence[Copy]) -> None:
    """Leave out symmetric solutions, as far as the place of one rectangle tells them apart.

    If some rectangle occurs once, the largest of them lies in the half with the lowest corner,
    along each axis, and on a square floor it lies one way. At least one of the images of each
    solution is left, mirror images counted.
    """
    kinds = floor.rectangles
    single = [copy for copy in copies if kinds[copy.kind].copies == 1]
    if not single:
        return
    largest = max(single, key=lambda copy: kinds[copy.kind].area)
    for start, size, side in zip(largest.starts, largest.sizes, floor.sides, strict=True):
        model.add(2 * start + size <= side)
    if FloorMotions.of(floor, floor.poses, "reflections").swaps.any():
        (x, y), (across, up) = largest.starts, largest.sizes
        model.add(x <= y if len(largest.chosen) == 1 else across >= up)
