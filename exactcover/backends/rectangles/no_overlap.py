"""Rectangles in a floor and bricks in a box by CP-SAT: places are whole numbers, nothing overlaps.

It shares no code with the search by skyline, so it is the independent check of it. Rectangles are
intervals of a `NoOverlap2D`. CP-SAT has nothing of the kind for bricks: for each pair of them, one
lies beside, behind or below the other.

The solutions of the model and of the puzzle correspond one to one: copies of a kind are ordered by
their places, and every other variable follows from places and sizes. Symmetric solutions are
left out where the place of one piece tells them apart, and made from the others. If the pieces
leave no gap, they start at normal places.

CP-SAT cannot be paused. A listing runs it in a thread, and a call of `advance` waits for a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import finalize

from exactcover.backends.arrays import Long
from exactcover.backends.base import Report, Status
from exactcover.backends.cpsat.model import CpsatLimits, Stop, solved, word_of
from exactcover.backends.rectangles.placing import Filled, Filling
from exactcover.base.patience import left, patiently
from exactcover.base.values import Convention
from exactcover.problem.rectangles.places import FloorPlaces
from exactcover.problem.rectangles.sizes import Floor, One, Size, Whole, placed, symmetries

if TYPE_CHECKING:
    from exactcover.backends.cpsat.cp_sat import cp_model

WAIT = 0.01
"""Seconds that a call waits for solutions."""


@dataclass(frozen=True)
class Packed:
    """The result of CP-SAT.

    status     complete: all that was asked; impossible: there is no solution;
               limit, interrupted: it was stopped
    solutions  each as `Placed` or `Laid`, sorted; a search for one has at most one
    """

    status: str
    solutions: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Copy:
    """The variables of a copy: its kind, starts and sizes along the axes, and how it lies."""

    kind: int
    starts: tuple[Any, ...]
    sizes: tuple[Any, ...]
    ways: tuple[Size, ...]
    chosen: tuple[Any, ...]

    def placed(self, values: Long) -> One:
        """Where it lies in a solution."""
        lies = [bool(values[one.index]) for one in self.chosen]
        size = self.ways[lies.index(True)] if lies else self.ways[0]
        return placed(self.kind, [int(values[one.index]) for one in self.starts], size)


def pack_all(whole: Whole, *, time_limit: float | None = None, stop: Stop | None = None) -> Packed:
    """All solutions of a floor or a box, symmetric ones too."""
    filling = NoOverlapFilling(whole)
    end = monotonic() + (left() if time_limit is None else min(time_limit, left()))
    found: list[tuple[One, ...]] = []
    while True:
        filled = filling.advance(1)
        found += filled.solutions()
        if filled.status is Status.DONE:
            return Packed("complete" if found else "impossible", tuple(sorted(found)))
        if (stop is not None and stop()) or monotonic() >= end:
            stopped = monotonic() < end
            return Packed("interrupted" if stopped else "limit", tuple(sorted(found)))


def pack_one(
    whole: Whole,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    stop: Stop | None = None,
) -> Packed:
    """One solution, or the proof that there is none; the pieces need not fill the floor or box."""
    if whole.volume < whole.pieces_volume:
        return Packed("impossible", ())
    model, pieces = _stated(whole)
    _keep_one_image(model, whole, pieces)
    status, seen = solved(model, CpsatLimits(time_limit, workers, seed), stop, None)
    solutions = () if seen.values is None else (_solution_of(pieces, seen.values),)
    return Packed(status, solutions)


def _solution_of(pieces: Sequence[Copy], values: Long) -> tuple[One, ...]:
    """The solution that the variables have, sorted."""
    return tuple(sorted(piece.placed(values) for piece in pieces))


def _stated(whole: Whole) -> tuple[cp_model.CpModel, list[Copy]]:
    """The model, and the variables of each copy in it."""
    from exactcover.backends.cpsat.cp_sat import cp_model

    model = cp_model.CpModel()
    sides = whole.sides
    pieces: list[Copy] = []
    for number, kind in enumerate(whole.kinds):
        copies = [_piece(model, sides, number, kind.sizes) for _ in range(kind.copies)]
        for one, other in pairwise(copies):
            model.add(_rank(one, sides) < _rank(other, sides))
        pieces += copies
    if whole.volume == whole.pieces_volume:
        _put_at_normal_places(model, whole, pieces)
    if isinstance(whole, Floor):
        _lay_flat(model, sides, pieces)
    else:
        _separate(model, pieces)
    return model, pieces


def _put_at_normal_places(model: cp_model.CpModel, whole: Whole, pieces: Sequence[Copy]) -> None:
    """Leave out starts that no solution without gaps has, see `FloorPlaces`: most are."""
    from exactcover.backends.cpsat.cp_sat import cp_model

    places = FloorPlaces.of(whole, [kind.sizes for kind in whole.kinds], normal=True)
    for piece in patiently(pieces):
        for number, size in enumerate(piece.ways):
            way = places.way(piece.kind, size)
            assert way is not None
            for start, allowed in zip(piece.starts, way.starts, strict=True):
                held = model.add_linear_expression_in_domain(
                    start, cp_model.Domain.from_values([*allowed])
                )
                if piece.chosen:
                    held.only_enforce_if(piece.chosen[number])


def _keep_one_image(model: cp_model.CpModel, whole: Whole, pieces: Sequence[Copy]) -> None:
    """Leave out symmetric solutions, as far as the place of one piece tells them apart.

    If some piece occurs once, the largest of them lies in the half with the lowest corner, along
    each axis, and on a square floor it lies one way. At least one of the images of each solution
    is left, mirror images counted.
    """
    single = [number for number, kind in enumerate(whole.kinds) if kind.copies == 1]
    if not single:
        return
    chosen = max(single, key=lambda number: whole.kinds[number].volume)
    [copy] = [one for one in pieces if one.kind == chosen]
    for start, size, side in zip(copy.starts, copy.sizes, whole.sides, strict=True):
        model.add(2 * start + size <= side)
    if isinstance(whole, Floor) and any(motion.swaps for motion in symmetries(whole)):
        (x, y), (across, up) = copy.starts, copy.sizes
        model.add(x <= y if whole.rectangles[chosen].is_square else across >= up)


def _piece(model: cp_model.CpModel, sides: Size, kind: int, ways: tuple[Size, ...]) -> Copy:
    """The variables of a copy, within the sides of the whole."""
    chosen = tuple(model.new_bool_var("") for _ in ways) if len(ways) > 1 else ()
    if chosen:
        model.add_exactly_one(chosen)
    starts, sizes = [], []
    for axis, side in enumerate(sides):
        lengths = [way[axis] for way in ways]
        start = model.new_int_var(0, max(0, side - min(lengths)), "")
        size: Any = lengths[0]
        if chosen:
            size = sum(one * length for one, length in zip(chosen, lengths, strict=True))
        model.add(start + size <= side)
        starts.append(start)
        sizes.append(size)
    return Copy(kind, tuple(starts), tuple(sizes), ways, chosen)


def _rank(piece: Copy, sides: Size) -> Any:
    """The number of its place, by which copies are ordered."""
    rank: Any = 0
    for start, side in zip(piece.starts, sides, strict=True):
        rank = rank * side + start
    return rank


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


def _separate(model: cp_model.CpModel, pieces: Sequence[Copy]) -> None:
    """Any two bricks are apart along some axis; the flags follow from the places."""
    for one, other in patiently(combinations(pieces, 2)):
        apart = []
        for axis in range(len(one.starts)):
            for low, high in ((one, other), (other, one)):
                flag = model.new_bool_var("")
                end, start = low.starts[axis] + low.sizes[axis], high.starts[axis]
                model.add(end <= start).only_enforce_if(flag)
                model.add(end > start).only_enforce_if(~flag)
                apart.append(flag)
        model.add_bool_or(apart)


# -- all solutions --------------------------------------------------------------------------------


class NoOverlapFilling(Filling):
    """All solutions of a floor or a box by CP-SAT."""

    def __init__(self, whole: Whole, counted: Convention = "all") -> None:
        self._whole, self._motions = whole, symmetries(whole, counted)
        self._found: deque[tuple[One, ...]] = deque()
        self._ended = Event()
        self._errors: list[Exception] = []
        self._thread: Thread | None = None
        if whole.volume != whole.pieces_volume:
            self._ended.set()

    def report(self, *, brief: bool = False) -> Report:
        """The state of the search; CP-SAT does not say how far it is."""
        done = self._ended.is_set() and not self._found
        return Report(0, 0, self.found, progress=float(done))

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Filled:
        """Wait for a moment; return the solutions so far."""
        if self._thread is None and not self._ended.is_set():
            self._begin()
        self._ended.wait(WAIT)
        if self._errors:
            raise self._errors[0]
        ended = self._ended.is_set()  # asked first: the last solution comes before the end
        taken: list[tuple[One, ...]] = []
        while self._found and len(taken) < capacity:
            taken.append(self._found.popleft())
        self.found += len(taken)
        status = Status.FULL if len(taken) == capacity else Status.BUDGET
        if ended and not self._found:
            status = Status.DONE
        return Filled(status, taken if keep else ())

    def _begin(self) -> None:
        from exactcover.backends.cpsat.cp_sat import cp_model

        whole, motions = self._whole, self._motions
        model, copies = _stated(whole)
        _keep_one_image(model, whole, copies)
        every = symmetries(whole)
        known: set[tuple[One, ...]] = set()
        found, ended, errors = self._found, self._ended, self._errors

        class ImageListing(cp_model.CpSolverSolutionCallback):
            """Keeps the images of each solution that count."""

            def on_solution_callback(self) -> None:
                one = _solution_of(copies, self.response_proto.solution)
                images = {motion.solution(whole, one) for motion in every}
                if min(images) not in known:
                    known.add(min(images))
                    firsts = (min(m.solution(whole, image) for m in motions) for image in images)
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
