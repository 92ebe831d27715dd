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
from dataclasses import dataclass
from itertools import pairwise
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

from exactcover.backends.arrays import Long
from exactcover.backends.base import Report, Status
from exactcover.backends.cpsat.model import word_of
from exactcover.backends.rectangles.engine import Filled
from exactcover.base.patience import patiently
from exactcover.base.values import Convention
from exactcover.problem.rectangles import Floor, FloorPlaces, Placed, Size, symmetries

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

WAIT = 0.01
"""Seconds that a call waits for solutions."""


class NoOverlapFilling:
    """All solutions of a floor by CP-SAT."""

    def __init__(self, floor: Floor, counted: Convention = "all") -> None:
        self._floor, self._motions = floor, symmetries(floor, counted)
        self._taken = 0
        self._found: deque[tuple[Placed, ...]] = deque()
        self._ended = Event()
        self._errors: list[Exception] = []
        self._thread: Thread | None = None
        if floor.area != floor.rectangles_area:
            self._ended.set()

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search; CP-SAT does not say how far it is."""
        done = self._ended.is_set() and not self._found
        return Report(0, 0, self._taken, progress=float(done))

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Filled:
        """Wait for a moment; return the solutions so far."""
        if self._thread is None and not self._ended.is_set():
            self._begin()
        self._ended.wait(WAIT)
        if self._errors:
            raise self._errors[0]
        ended = self._ended.is_set()  # asked first: the last solution comes before the end
        taken: list[tuple[Placed, ...]] = []
        while self._found and len(taken) < capacity:
            taken.append(self._found.popleft())
        self._taken += len(taken)
        status = Status.FULL if len(taken) == capacity else Status.BUDGET
        if ended and not self._found:
            status = Status.DONE
        return Filled(status, taken if keep else [])

    def _begin(self) -> None:
        from ortools.sat.python import cp_model

        floor, motions = self._floor, self._motions
        model, copies = _stated(floor)
        every = symmetries(floor)
        known: set[tuple[Placed, ...]] = set()
        found, ended, errors = self._found, self._ended, self._errors

        class ImageListing(cp_model.CpSolverSolutionCallback):
            """Keeps the images of each solution that count."""

            def on_solution_callback(self) -> None:
                values = self.response_proto.solution
                one = tuple(sorted(copy.placed(values) for copy in copies))
                images = {motion.solution(floor, one) for motion in every}
                if min(images) not in known:
                    known.add(min(images))
                    firsts = (min(m.solution(floor, image) for m in motions) for image in images)
                    found.extend(sorted(set(firsts)))

        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False

        def work() -> None:
            try:
                word_of(solver.solve(model, ImageListing()), stopped=False)
            except Exception as error:  # raised again in `advance`
                errors.append(error)
            finally:
                ended.set()

        self._thread = Thread(target=work, name="nooverlap", daemon=True)
        self._thread.start()
        finalize(self, solver.stop_search)


# -- the model ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Copy:
    """The variables of a copy: its kind, starts and sizes along the axes, and how it lies."""

    kind: int
    starts: tuple[Any, ...]
    sizes: tuple[Any, ...]
    ways: tuple[Size, ...]
    chosen: tuple[Any, ...]

    def placed(self, values: Long) -> Placed:
        """Where it lies in a solution."""
        lies = [bool(values[one.index]) for one in self.chosen]
        size = self.ways[lies.index(True)] if lies else self.ways[0]
        x, y = (int(values[one.index]) for one in self.starts)
        return Placed(self.kind, x, y, *size)


def _stated(floor: Floor) -> tuple[cp_model.CpModel, list[Copy]]:
    """The model, and the variables of each copy in it."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    every = FloorPlaces.of(floor, [kind.sizes for kind in floor.rectangles], normal=True)
    pieces: list[Copy] = []
    for number, kind in enumerate(floor.rectangles):
        copies = [_copy(model, floor, number, kind.sizes) for _ in range(kind.copies)]
        for one, other in pairwise(copies):
            ranks = [copy.starts[0] * floor.height + copy.starts[1] for copy in (one, other)]
            model.add(ranks[0] < ranks[1])
        pieces += copies
    for piece in patiently(pieces):
        for at, size in enumerate(piece.ways):
            way = every.by_size[piece.kind, size]
            for start, allowed in zip(piece.starts, way.starts, strict=True):
                held = model.add_linear_expression_in_domain(
                    start, cp_model.Domain.from_values([*allowed])
                )
                if piece.chosen:
                    held.only_enforce_if(piece.chosen[at])
    _lay_flat(model, floor.sides, pieces)
    _keep_one_image(model, floor, pieces)
    return model, pieces


def _copy(model: cp_model.CpModel, floor: Floor, kind: int, ways: tuple[Size, ...]) -> Copy:
    """The variables of a copy, within the sides of the floor."""
    chosen = tuple(model.new_bool_var("") for _ in ways) if len(ways) > 1 else ()
    if chosen:
        model.add_exactly_one(chosen)
    starts, sizes = [], []
    for axis, side in enumerate(floor.sides):
        lengths = [way[axis] for way in ways]
        start = model.new_int_var(0, max(0, side - min(lengths)), "")
        size: Any = lengths[0]
        if chosen:
            size = sum(one * length for one, length in zip(chosen, lengths, strict=True))
        model.add(start + size <= side)
        starts.append(start)
        sizes.append(size)
    return Copy(kind, tuple(starts), tuple(sizes), ways, chosen)


def _lay_flat(model: cp_model.CpModel, sides: Size, pieces: Sequence[Copy]) -> None:
    """No two rectangles overlap; also no line across, or upright, is crossed by too many."""
    intervals: list[list[Any]] = []
    sizes: list[list[Any]] = []
    for axis, side in enumerate(sides):
        intervals.append([])
        sizes.append([])
        for piece in patiently(pieces):
            lengths = {way[axis] for way in piece.ways}
            size: Any = piece.sizes[axis]
            if piece.chosen:  # an interval takes a variable, or an affine expression of one
                size = model.new_int_var(min(lengths), max(lengths), "")
                model.add(size == piece.sizes[axis])
            end = model.new_int_var(0, side, "")
            interval = model.new_interval_var(piece.starts[axis], size, end, "")
            intervals[axis].append(interval)
            sizes[axis].append(size)
    model.add_no_overlap_2d(*intervals)
    for axis in range(2):
        model.add_cumulative(intervals[axis], sizes[1 - axis], sides[1 - axis])


def _keep_one_image(model: cp_model.CpModel, floor: Floor, pieces: Sequence[Copy]) -> None:
    """Leave out symmetric solutions, as far as the place of one rectangle tells them apart.

    If some rectangle occurs once, the largest of them lies in the half with the lowest corner,
    along each axis, and on a square floor it lies one way. At least one of the images of each
    solution is left, mirror images counted.
    """
    kinds = floor.rectangles
    single = [number for number, kind in enumerate(kinds) if kind.copies == 1]
    if not single:
        return
    chosen = max(single, key=lambda number: kinds[number].area)
    [copy] = [one for one in pieces if one.kind == chosen]
    for start, size, side in zip(copy.starts, copy.sizes, floor.sides, strict=True):
        model.add(2 * start + size <= side)
    if any(motion.swaps for motion in symmetries(floor)):
        (x, y), (across, up) = copy.starts, copy.sizes
        is_square = kinds[chosen].width == kinds[chosen].height
        model.add(x <= y if is_square else across >= up)
