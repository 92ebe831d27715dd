"""Rectangles in a rectangle, or bricks in a box, by CP-SAT, as things that do not overlap.

It is a second opinion: it shares nothing with the skyline engine, nor with a matrix of cells. Each
copy has a corner and perhaps a turn. Copies of a kind are in the order of their corners, so each
solution comes once. Most symmetric solutions are left out, and made from the others.

CP-SAT cannot be paused. It runs in a thread of its own, and a call of `advance` waits for a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from threading import Event, Thread
from weakref import finalize

from exactcover.backends.base import FEATURES, Capabilities, Status, Task, Tried
from exactcover.backends.cpsat.no_overlap import keep_one_image, solution_of, stated
from exactcover.backends.floors.base import Filling, FloorBackend
from exactcover.rectangles import Whole, symmetries, volume_of
from exactcover.rectangles.places import One
from exactcover.values.conventions import Convention

WAIT = 0.01
"""Seconds that a call waits for solutions."""


class NoOverlapBackend(FloorBackend):
    """The backend: its capabilities, and the start of a search."""

    name = "nooverlap"
    summary = "OR-Tools CP-SAT: pieces that do not overlap, by an engine that is not ours"
    capabilities = Capabilities(features=frozenset(FEATURES), heuristics=("s",))

    def fill(self, whole: Whole, counted: Convention, task: Task) -> Filling:
        """A search for the solutions of a floor or a box, not yet begun."""
        return NoOverlapFilling(whole, counted)


backend = NoOverlapBackend()


@dataclass(frozen=True)
class Reported:
    """The solutions that CP-SAT has reported."""

    status: Status
    placed: tuple[tuple[One, ...], ...]

    def solutions(self) -> tuple[tuple[One, ...], ...]:
        """All solutions."""
        return self.placed


class NoOverlapFilling:
    """All solutions of a floor or a box by CP-SAT."""

    def __init__(self, whole: Whole, counted: Convention) -> None:
        self.fits = self.nofits = self.found = 0
        self._whole, self._motions = whole, symmetries(whole, counted)
        self._found: deque[tuple[One, ...]] = deque()
        self._ended = Event()
        self._errors: list[Exception] = []
        self._thread: Thread | None = None
        if prod(whole.sides) != volume_of(whole.kinds):
            self._ended.set()

    def progress(self) -> float:
        """0 until the end: CP-SAT does not say how far it is."""
        return float(self._ended.is_set() and not self._found)

    def tally(self) -> Mapping[int, Tried]:
        """Empty: CP-SAT does not say what it tries."""
        return {}

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
        taken: list[tuple[One, ...]] = []
        while self._found and len(taken) < capacity:
            taken.append(self._found.popleft())
        self.found += len(taken)
        if ended and not self._found:
            return Reported(Status.DONE, tuple(taken))
        return Reported(Status.FULL if len(taken) == capacity else Status.BUDGET, tuple(taken))

    def _begin(self) -> None:
        from exactcover.backends.cpsat.cp_sat import CpSolver, CpSolverSolutionCallback

        whole, motions = self._whole, self._motions
        model, copies = stated(whole)
        keep_one_image(model, whole, copies)
        every = symmetries(whole)
        known: set[tuple[One, ...]] = set()
        found, ended, errors = self._found, self._ended, self._errors

        class Listing(CpSolverSolutionCallback):
            """Keeps the images of each solution that count."""

            def on_solution_callback(self) -> None:
                one = solution_of(whole, copies, self.response_proto.solution)
                images = {motion.solution(whole, one) for motion in every}
                if min(images) not in known:
                    known.add(min(images))
                    firsts = (min(m.solution(whole, image) for m in motions) for image in images)
                    found.extend(sorted(set(firsts)))

        solver = CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False

        def work() -> None:
            try:
                solver.solve(model, Listing())
            except Exception as error:  # raised again in `advance`
                errors.append(error)
            finally:
                ended.set()

        self._thread = Thread(target=work, name="nooverlap", daemon=True)
        self._thread.start()
        finalize(self, solver.stop_search)
