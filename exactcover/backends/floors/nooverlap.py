"""Rectangles in a rectangle by CP-SAT, stated as boxes that do not overlap: a second opinion.

It shares nothing with the skyline engine, nor with a matrix of cells. Each copy of a rectangle has
a corner and perhaps a turn. Copies of a kind are in the order of their corners, so each solution
comes once. If some rectangle occurs once, it lies in one quarter of the floor, and it lies one way;
the other solutions are the mirror images and turned copies of these.

CP-SAT cannot be paused. It runs in a thread of its own, and a call of `advance` waits for a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

from exactcover.backends.base import FEATURES, Capabilities, Status, Task
from exactcover.backends.floors.base import Filling, FloorBackend
from exactcover.rectangles import Floor, Motion, Placed, symmetries

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

WAIT = 0.01
"""Seconds that a call waits for solutions."""


class NoOverlapBackend(FloorBackend):
    """The backend: its capabilities, and the start of a search."""

    name = "nooverlap"
    summary = "OR-Tools CP-SAT: rectangles that do not overlap, by an engine that is not ours"
    capabilities = Capabilities(features=frozenset(FEATURES), heuristics=("s",))

    def fill(self, floor: Floor, counted: str, task: Task) -> Filling:
        """A search for the solutions of a floor, not yet begun."""
        return NoOverlapFilling(floor, counted)


backend = NoOverlapBackend()


class Stated:
    """A model of rectangles in a room, and how a solution of it is read.

    room      what they are placed in; it may be larger than what they fill
    corners   the variables of each copy: its kind, x, y, width, height
    """

    def __init__(self, room: Floor) -> None:
        from ortools.sat.python.cp_model import CpModel

        self.model: CpModel = CpModel()
        self.room = room
        self.corners: list[tuple[int, Any, Any, Any, Any]] = []
        across: list[Any] = []
        up: list[Any] = []
        for number, kind in enumerate(room.rectangles):
            fitting = [(w, h) for w, h in kind.sizes if w <= room.width and h <= room.height]
            if not fitting:
                self.model.add_bool_or([])
                continue
            before = None
            for _ in range(kind.copies):
                corner = self._copy(number, fitting, across, up)
                code = corner[1] * room.height + corner[2]
                if before is not None:
                    self.model.add(before < code)
                before = code
        self.model.add_no_overlap_2d(across, up)
        self._sum_up(across, [one[4] for one in self.corners], room.height)
        self._sum_up(up, [one[3] for one in self.corners], room.width)

    def _sum_up(self, intervals: Sequence[Any], lengths: Sequence[Any], most: int) -> None:
        """What a line across the room meets has room beside each other: this prunes much."""
        self.model.add_cumulative(intervals, lengths, most)

    def _copy(
        self, kind: int, sizes: Sequence[tuple[int, int]], across: list[Any], up: list[Any]
    ) -> tuple[int, Any, Any, Any, Any]:
        """The variables of a copy."""
        model, room = self.model, self.room
        x = model.new_int_var(0, room.width - min(w for w, _ in sizes), "")
        y = model.new_int_var(0, room.height - min(h for _, h in sizes), "")
        width: int | IntVar = sizes[0][0]
        height: int | IntVar = sizes[0][1]
        if len(sizes) > 1:
            turned = model.new_bool_var("")
            (w, h), (other_w, other_h) = sizes
            width = model.new_int_var(min(w, other_w), max(w, other_w), "")
            height = model.new_int_var(min(h, other_h), max(h, other_h), "")
            model.add(width == w + (other_w - w) * turned)
            model.add(height == h + (other_h - h) * turned)
        end_x = model.new_int_var(0, room.width, "")
        end_y = model.new_int_var(0, room.height, "")
        across.append(model.new_interval_var(x, width, end_x, ""))
        up.append(model.new_interval_var(y, height, end_y, ""))
        corner = kind, x, y, width, height
        self.corners.append(corner)
        return corner

    def keep_one_copy(
        self, motions: Sequence[Motion], width: IntVar | int, height: IntVar | int
    ) -> None:
        """Leave out symmetric copies, as far as the place of one rectangle tells them apart.

        At least one copy of each solution is left, for these motions of a box of this size.
        """
        single = [
            number
            for number, kind in enumerate(self.room.rectangles)
            if kind.copies == 1 and any(one[0] == number for one in self.corners)
        ]
        if len(motions) == 1 or not single:
            return
        chosen = max(single, key=lambda number: self.room.rectangles[number].area)
        kind = self.room.rectangles[chosen]
        [(_, x, y, across, up)] = [one for one in self.corners if one[0] == chosen]
        self.model.add(2 * x + across <= width)
        self.model.add(2 * y + up <= height)
        if any(motion.swap for motion in motions):
            self.model.add(x <= y if kind.is_square else across >= up)

    def read(self, value: Any) -> tuple[Placed, ...]:
        """A solution; `value` gives the value of a variable."""
        return tuple(
            sorted(
                Placed(kind, *(one if isinstance(one, int) else int(value(one)) for one in corner))
                for kind, *corner in self.corners
            )
        )


@dataclass(frozen=True)
class Reported:
    """The solutions that CP-SAT has reported."""

    status: Status
    placed: tuple[tuple[Placed, ...], ...]

    def solutions(self) -> tuple[tuple[Placed, ...], ...]:
        """All solutions."""
        return self.placed


class NoOverlapFilling:
    """All solutions of a floor by CP-SAT."""

    def __init__(self, floor: Floor, counted: str) -> None:
        self.fits = self.nofits = self.found = 0
        self._floor, self._all = floor, counted == "all"
        self._found: deque[tuple[Placed, ...]] = deque()
        self._ended = Event()
        self._errors: list[Exception] = []
        self._thread: Thread | None = None
        if floor.area != floor.rectangles_area:
            self._ended.set()

    def progress(self) -> float:
        """0 until the end: CP-SAT does not say how far it is."""
        return float(self._ended.is_set() and not self._found)

    def position(self) -> Sequence[tuple[int, int]]:
        """Empty: CP-SAT shows no stack."""
        return ()

    def advance(self, steps: int, *, capacity: int = 1 << 12, keep: bool = True) -> Reported:
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
        self.found += len(taken)
        if ended and not self._found:
            return Reported(Status.DONE, tuple(taken))
        return Reported(Status.FULL if len(taken) == capacity else Status.BUDGET, tuple(taken))

    def _begin(self) -> None:
        from ortools.sat.python.cp_model import CpSolver, CpSolverSolutionCallback

        stated, floor = Stated(self._floor), self._floor
        motions, everything = symmetries(floor), self._all
        stated.keep_one_copy(motions, floor.width, floor.height)
        known: set[tuple[Placed, ...]] = set()
        found, ended, errors = self._found, self._ended, self._errors

        class Listing(CpSolverSolutionCallback):
            """Keeps each solution once, or all its copies."""

            def on_solution_callback(self) -> None:
                one = stated.read(self.value)
                copies = {motion.solution(floor, one) for motion in motions}
                first = min(copies)
                if first not in known:
                    known.add(first)
                    found.extend(sorted(copies) if everything else [first])

        solver = CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False

        def work() -> None:
            try:
                solver.solve(stated.model, Listing())
            except Exception as error:  # raised again in `advance`
                errors.append(error)
            finally:
                ended.set()

        self._thread = Thread(target=work, name="nooverlap", daemon=True)
        self._thread.start()
        finalize(self, solver.stop_search)
