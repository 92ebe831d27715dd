"""All solutions of a puzzle, taken apart: which can be made by hand, and how hard that is.

One thread searches for solutions, and others take them apart. Each keeps what it has learned about
the pieces, so that the solutions after the first ones take less time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import local
from time import perf_counter
from typing import Any, Literal, overload

from exactcover.errors import ExactCoverError
from exactcover.lattices import Lattice
from exactcover.puzzle import Puzzle
from exactcover.search import Solution, Solving, Strategy
from exactcover.show import Page, view
from exactcover.studio.burrs.blocking import Blocking, check_lattice, in_space
from exactcover.studio.burrs.search import (
    APART,
    MAX_STATES,
    STUCK,
    UNDECIDED,
    TakenApart,
    take_apart,
)

AHEAD = 4
"""The solutions that are handed out for each of several threads."""

WAIT = 0.04
"""Seconds to wait for an outcome, before `between` is called."""


@dataclass(frozen=True)
class Apartness:
    """How many solutions of a puzzle come apart.

    status      complete: all solutions are decided; limit, interrupted, impossible as in `Result`;
                undecided: all are searched, but for some it is not decided
    assemblies  the solutions that were taken, or tried to be taken, apart
    apart       those that come apart
    stuck       those that do not
    undecided   those whose search needed too many states
    levels      level -> how many solutions have it, the highest first
    counted     what counts as one solution
    seconds     of searching
    stopped_by  which limit ended it: `time` or `solutions`
    reason      why there can be no solution
    """

    status: str
    assemblies: int
    apart: int
    stuck: int
    undecided: int
    levels: Mapping[str, int]
    counted: Literal["all", "rotations", "reflections"]
    seconds: float
    stopped_by: str = ""
    reason: str = ""

    @property
    def highest(self) -> str:
        """The highest level; empty if nothing comes apart."""
        return next(iter(self.levels), "")

    def record(self) -> dict[str, Any]:
        """The figures for a script."""
        names = ("status", "assemblies", "apart", "stuck", "undecided")
        return {name: getattr(self, name) for name in names} | {
            "levels": dict(self.levels),
            "highest": self.highest or None,
            "counted": self.counted,
            "seconds": round(self.seconds, 6),
        }

    def __repr__(self) -> str:
        level = f", highest level {self.highest}" if self.highest else ""
        return (
            f"<Apartness: {self.status}, {self.apart:,} of {self.assemblies:,} come apart{level}>"
        )


class Disassembling(Iterator[tuple[Solution, TakenApart]]):
    """Solutions of a puzzle in their order, each with how it comes apart: an iterator.

    `result` holds the outcome so far at any time. `stop` ends it, from a signal handler or another
    thread too; several workers go on until then. The arguments are those of `apart`.

    between  called with this object after each moment of work; None: nothing is
    number   of the solution handed out last, from 1
    """

    between: Callable[[Any], object] | None = None
    number: int = 0

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        counted: Any = None,
        strategy: Strategy | str | None = None,
        limit: int | None = None,
        time_limit: float | None = None,
        max_states: int | None = None,
        workers: int = 1,
    ) -> None:
        if not isinstance(puzzle, Puzzle):
            raise ExactCoverError(f"{puzzle!r}: a puzzle is needed: a plain problem has no pieces")
        _check(puzzle)
        self._puzzle, self._states, self._time = puzzle, _checked(max_states), time_limit
        self._began: float | None = None
        self._solving = Solving(
            puzzle, counted=counted, strategy=strategy, limit=limit, time_limit=time_limit
        )
        self._solving.between = self._tell
        self._most = 1 if workers == 1 else AHEAD * workers
        self._threads = ThreadPoolExecutor(workers, "apart")
        self._own = local()
        self._open: deque[tuple[Solution, Future[TakenApart]]] = deque()
        self._stopped = self._late = self._all_taken = False
        self._counts: Counter[str] = Counter()
        self._levels: Counter[tuple[int, ...]] = Counter()

    def __iter__(self) -> Disassembling:
        return self

    def __next__(self) -> tuple[Solution, TakenApart]:
        if self._began is None:
            self._began = perf_counter()
        self._hand_out()
        while self._open and not self._open[0][1].done() and not self._reason():
            wait([self._open[0][1]], WAIT)
            self._tell(self._solving)
        if not self._open or self._reason():
            self._late = bool(self._open) and not self._stopped
            self._threads.shutdown(wait=False, cancel_futures=True)
            raise StopIteration
        solution, future = self._open.popleft()
        outcome = future.result()
        self.number += 1
        self._counts[outcome.status] += 1
        if outcome.status == APART:
            self._levels[outcome.numbers] += 1
        return solution, outcome

    def run(self) -> Apartness:
        """Take all solutions apart; return the outcome."""
        for _ in self:
            pass
        return self.result

    def stop(self) -> None:
        """End it soon; any thread or signal handler may call it."""
        self._stopped = True
        self._solving.stop()

    @property
    def found(self) -> int:
        """The solutions that come apart so far."""
        return self._counts[APART]

    @property
    def progress(self) -> float:
        """The share of the search for solutions that is done, 0 to 1."""
        return self._solving.progress

    @property
    def result(self) -> Apartness:
        """The outcome so far."""
        searched = self._solving.result
        levels = sorted(self._levels.items(), reverse=True)
        status, stopped_by = searched.status, searched.stopped_by
        if self._late:
            status, stopped_by = "limit", "time"
        elif self._stopped:
            status = "interrupted"
        elif status != "impossible" and (self._open or not self._all_taken):
            status = "searching"
        elif status == "complete" and self._counts[UNDECIDED]:
            status = UNDECIDED
        return Apartness(
            status=status,
            assemblies=self._counts.total(),
            apart=self._counts[APART],
            stuck=self._counts[STUCK],
            undecided=self._counts[UNDECIDED],
            levels={".".join(map(str, numbers)) or "0": number for numbers, number in levels},
            counted=searched.counted,
            seconds=0.0 if self._began is None else perf_counter() - self._began,
            stopped_by=stopped_by if status == "limit" else "",
            reason=searched.reason,
        )

    def _hand_out(self) -> None:
        """Let threads take the next solutions apart."""
        while not self._all_taken and len(self._open) < self._most:
            if (solution := next(self._solving, None)) is None:
                self._all_taken = True
            else:
                self._open.append((solution, self._threads.submit(self._take, solution)))

    def _take(self, solution: Solution) -> TakenApart:
        """Take one apart in a thread, with a table of this thread."""
        blocking: Blocking | None = getattr(self._own, "blocking", None)
        if blocking is None:
            blocking = self._own.blocking = Blocking(self._puzzle.lattice)
        placed, pieces = solution.placements, self._puzzle.pieces
        return take_apart(placed, pieces, blocking, self._states, self._reason)

    def _reason(self) -> str:
        """Why it ends now; empty if it goes on."""
        late = self._time is not None and perf_counter() - (self._began or 0.0) >= self._time
        return "interrupted" if self._stopped else "time" if late else ""

    def _tell(self, _: object) -> None:
        if self.between is not None:
            self.between(self)


@overload
def apart(
    subject: Solution, *, max_states: int | None = None, time_limit: float | None = None
) -> TakenApart: ...


@overload
def apart(subject: Puzzle, **asked: Any) -> Disassembling: ...


def apart(
    subject: Solution | Puzzle,
    *,
    max_states: int | None = None,
    time_limit: float | None = None,
    **asked: Any,
) -> TakenApart | Disassembling:
    """Whether a solution comes apart, or which solutions of a puzzle do, and with how many moves.

        >>> import exactcover as ec
        >>> from exactcover.studio.burrs import apart
        >>> found = apart(ec.first(ec.read("somacube")))
        >>> found.status, found.level
        ('apart', '1.1.1.1.1.1')

    A move shifts some pieces together by steps along a lattice vector, while the others stay. The
    level has the number of moves until a first part comes off, then those of the parts that are
    left. No sequence of moves has fewer until the first part comes off. Pieces are never turned.

    subject     a Solution, or a Puzzle whose solutions are taken apart one after the other
    max_states  the most positions of the pieces in the search for one part; with more the outcome
                is "undecided". Default: None, 1,000,000
    time_limit  stop after this number of seconds. Default: None, no limit

    For a puzzle also:

    counted     what counts as one solution, as in `solve`. Default: None, "rotations"
    strategy    how to search for solutions, as in `solve`. Default: None, chosen for the puzzle
    limit       stop after this number of solutions. Default: None, all
    workers     how many threads take solutions apart. Default: 1

    Returns a `TakenApart` for a solution. For a puzzle, returns an iterator over pairs of a
    solution and its `TakenApart`; its `result` counts them.

    Raises `ExactCoverError` unless the pieces are solids or balls in space.
    """
    if isinstance(subject, Puzzle):
        return Disassembling(subject, max_states=max_states, time_limit=time_limit, **asked)
    if not isinstance(subject, Solution):
        raise ExactCoverError(f"apart({subject!r}): a solution or a puzzle is needed")
    if subject.model is None:
        raise ExactCoverError("a solution of a plain problem has no pieces to take apart")
    puzzle, began = subject.model.puzzle, perf_counter()
    _check(puzzle)

    def between() -> str:
        late = time_limit is not None and perf_counter() - began >= time_limit
        return f"stopped after {time_limit:g} s (time limit)" if late else ""

    states = _checked(max_states)
    return take_apart(subject.placements, puzzle.pieces, Blocking(puzzle.lattice), states, between)


def _check(puzzle: Puzzle) -> None:
    """Raise unless solutions of a puzzle can be taken apart in space."""
    check_lattice(puzzle.lattice)
    if puzzle.region.wrap:
        raise ExactCoverError("the board is wrapped: its pieces cannot be taken apart in space")


def _checked(max_states: int | None) -> int:
    if max_states is not None and not (type(max_states) is int and max_states > 0):
        raise ExactCoverError(f"max_states={max_states!r}: a whole number from 1 on is needed")
    return max_states or MAX_STATES


# -- pages ----------------------------------------------------------------------------------------


def view_apart(
    taken: Sequence[tuple[Solution, TakenApart]], *, title: str | None = None, note: str = ""
) -> Page:
    """A page on which solutions of one puzzle turn and are put together, in this order."""
    return view(
        [solution for solution, _ in taken],
        title=title,
        note=note,
        assemblies=[assembled(*one) for one in taken],
    )


FEW_STATES = 20_000
"""Positions of pieces after which a page does not say how a solution comes apart."""


def assembled(solution: Solution, found: TakenApart | None = None) -> dict[str, object] | None:
    """How a solution is put together, for the pages of `view`; None: its pieces are no solids.

    level   as of `TakenApart`
    reason  why it does not come apart, or why that is not known
    steps   the moves of taking it apart, backwards

    found  what `apart` says of the solution. Default: it is found, if that takes few states

    Each step has:

    parts   the pieces that move
    vector  the way that they move, in space
    joins   whether a part joins with this move: it comes from far away
    seen    the pieces that are there after it, each with how far it is from its place
    """
    if found is None:
        try:
            found = apart(solution, max_states=FEW_STATES)
        except ExactCoverError:  # wrapped, flat or bars
            return None
    assert solution.model is not None
    steps = _steps(solution.model.puzzle.lattice, found)
    return {"level": found.level, "reason": found.reason, "steps": steps}


def _steps(lattice: Lattice, found: TakenApart) -> list[dict[str, object]]:
    """The moves backwards. A part that came off is shown where the whole was, not far away."""
    if not found.moves:
        return []
    away: dict[tuple[int, ...], tuple[int, ...]] = {found.moves[0].among: (0, 0, 0)}
    at: dict[int, tuple[int, ...]] = dict.fromkeys(found.moves[0].among, (0, 0, 0))
    steps = []
    for move in found.moves:
        here = away[move.among]
        seen = [
            [piece, *in_space(lattice, [x - y for x, y in zip(at[piece], here, strict=True)])]
            for piece in move.among
        ]
        steps.append(
            {
                "parts": [*move.pieces],
                "vector": in_space(lattice, [-x for x in move.vector]),
                "joins": move.separates,
                "seen": seen,
            }
        )
        for piece in move.pieces:
            at[piece] = tuple(x + d for x, d in zip(at[piece], move.vector, strict=True))
        if move.separates:
            away[tuple(piece for piece in move.among if piece not in move.pieces)] = here
            away[move.pieces] = tuple(x + d for x, d in zip(here, move.vector, strict=True))
    return steps[::-1]
