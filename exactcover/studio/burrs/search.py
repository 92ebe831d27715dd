"""Taking one solution apart: the shortest moves until a part comes off, then each part again.

A part of a solution that cannot be taken apart shows that the solution cannot: the moves that take
the solution apart take the part apart too, if the other pieces are left out. So it does not matter
which of several parts comes off first, and two pieces that can never come apart settle it, unless
they are of a group that may hold together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from time import perf_counter

import numpy as np

from exactcover.errors import ExactCoverError
from exactcover.puzzle import Piece, Placement
from exactcover.studio.burrs.blocking import Blocking, Image, Ints, MoveStates

APART, STUCK, UNDECIDED = "apart", "stuck", "undecided"

MAX_STATES = 1_000_000
"""The states of one search, unless its user says another number."""

MOST_PIECES = 64
"""A set of pieces is a word of bits."""

SLICE = 0.02
"""A call of the kernel takes about this many seconds."""

Vector = tuple[int, ...]

Places = dict[int, Vector]
"""Where each body is."""


@dataclass(frozen=True)
class GroupMove:
    """Some pieces move together along a straight line; the others stay.

    pieces     the numbers of the placements that move
    step       a lattice vector
    steps      how many times they move by it
    among      the numbers of the placements that hold together before the move
    separates  whether a part comes off with this move: the pieces that it moves
    """

    pieces: tuple[int, ...]
    step: Vector
    steps: int
    among: tuple[int, ...]
    separates: bool

    @property
    def vector(self) -> Vector:
        """How far they move."""
        return tuple(self.steps * x for x in self.step)


@dataclass(frozen=True)
class TakenApart:
    """Whether a solution comes apart, and how.

    Its moves end a separation when one part comes off. Then the part that stays is taken apart,
    then the part that came off. Its level is the number of moves of each separation, in this order:
    `7.3.1`. BurrTools counts the same way.

    status   apart; stuck: no sequence of moves takes it apart; undecided: a limit ended the search
    names    of the placements; copies of a piece are numbered
    moves    in order, if it comes apart
    reason   why it is stuck or undecided
    holding  the numbers of placements that cannot come apart, if it is stuck
    """

    status: str
    names: tuple[str, ...] = ()
    moves: tuple[GroupMove, ...] = ()
    reason: str = ""
    holding: tuple[int, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of moves of each separation; the first one is the level of the puzzle."""
        ends = [number for number, move in enumerate(self.moves, 1) if move.separates]
        return tuple(end - start for start, end in zip([0, *ends], ends, strict=False))

    @property
    def level(self) -> str:
        """These numbers as BurrTools writes them, `0` if there is one piece; empty if it does not
        come apart."""
        return (".".join(map(str, self.numbers)) or "0") if self.status == APART else ""

    def lines(self) -> list[str]:
        """The moves as lines of text, numbered as in the level.

        >>> import exactcover as ec
        >>> from exactcover.studio.burrs import apart
        >>> apart(ec.first(ec.puzzle_of(["I3", "I3"], "box 3 2 1", "cubic"))).lines()
        ['1  I3_1 comes off: 0 -1 0']
        """
        lines = []
        for number, move in enumerate(self.moves, 1):
            moving = " ".join(self.names[piece] for piece in move.pieces)
            verb = "comes" if len(move.pieces) == 1 else "come"
            off, way = (f" {verb} off", move.step) if move.separates else ("", move.vector)
            lines.append(f"{number}  {moving}{off}: {' '.join(map(str, way))}")
        return lines

    def __repr__(self) -> str:
        said = f"level {self.level}" if self.status == APART else self.reason
        return f"<TakenApart: {self.status}, {said}>"


def take_apart(
    placements: Sequence[Placement],
    pieces: Sequence[Piece],
    blocking: Blocking,
    max_states: int = MAX_STATES,
    between: Callable[[], str] = lambda: "",
) -> TakenApart:
    """Take a solution apart.

    pieces      of the puzzle; the first placements are the stationary ones: one piece
    blocking    of their lattice; it may have been used for other solutions
    max_states  the most states of each search; with more the outcome is undecided
    between     called after each slice of work; a reason to stop ends it undecided
    """
    search = _OneSolution(placements, pieces, blocking, max_states, between)
    every = tuple(range(len(search.bodies)))
    places = {body: tuple(origin.tolist()) for body, (_, origin) in enumerate(search.images)}
    try:
        moves = search.separated(every, places)
    except _Unsettled as found:
        return found.outcome
    return TakenApart(APART, search.names, tuple(moves))


class _Unsettled(Exception):
    """A search that ended without taking its pieces apart, with the outcome."""

    def __init__(self, outcome: TakenApart) -> None:
        super().__init__()
        self.outcome = outcome


class _OneSolution:
    """The search for the moves that take one solution apart.

    bodies  the placements of each body: one, or the stationary ones
    """

    def __init__(
        self,
        placements: Sequence[Placement],
        pieces: Sequence[Piece],
        blocking: Blocking,
        max_states: int,
        between: Callable[[], str],
    ) -> None:
        self.pieces = [placed.piece for placed in placements]
        self.names = _numbered(self.pieces)
        self.groups = {one.name: dict(one.groups) for one in pieces}
        self.fixed = fixed = sum(one.stationary for one in pieces)
        self.blocking, self.max_states, self.between = blocking, max_states, between
        first = [tuple(range(fixed))] if fixed else []
        self.bodies = [*first, *((number,) for number in range(fixed, len(placements)))]
        if len(self.bodies) > MOST_PIECES:
            raise ExactCoverError(
                f"{len(self.bodies)} pieces: solutions of up to {MOST_PIECES} can be taken apart"
            )
        self.images: list[Image] = [
            blocking.image([cell for number in body for cell in placements[number].cells])
            for body in self.bodies
        ]

    def separated(self, part: tuple[int, ...], places: Places) -> list[GroupMove]:
        """The moves that take the bodies of a part apart, if they are where `places` says."""
        if len(part) == 1:
            return []
        among = self._numbers(part)
        try:
            found = self._first_off(part, places)
        except _Unsettled as unsettled:
            if unsettled.outcome.holding == among and self._may_hold(part):
                return []
            raise
        moves = []
        for group, way, steps in found:
            # The smaller group moves, and the stationary pieces stay.
            if (
                (0 in group and self.fixed)
                or 2 * len(group) > len(part)
                or (2 * len(group) == len(part) and part[0] in group)
            ):
                group = tuple(body for body in part if body not in group)
                way = int(self.blocking.shapes.opposite[way])
            step = tuple(self.blocking.shapes.steps[way].tolist())
            out = steps or self._steps_out(part, group, step, places)
            moves.append(GroupMove(self._numbers(group), step, out, among, not steps))
            for body in group:
                places[body] = tuple(x + out * d for x, d in zip(places[body], step, strict=True))
        stays = tuple(body for body in part if body not in group)
        return moves + self.separated(stays, places) + self.separated(group, places)

    def _may_hold(self, part: Sequence[int]) -> bool:
        """Whether a group has room for all pieces of a part, so that they need not come apart."""
        copies = Counter(self.pieces[number] for number in self._numbers(part))
        room = [self.groups[name] for name in copies]
        return any(
            all(one.get(group, 0) >= n for one, n in zip(room, copies.values(), strict=True))
            for group in room[0]
        )

    def _numbers(self, bodies: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(number for body in bodies for number in self.bodies[body]))

    def _steps_out(
        self, part: Sequence[int], group: Sequence[int], step: Sequence[int], places: Places
    ) -> int:
        """The steps after which the box round a group is clear of the box round the others."""
        boxes: list[Ints] = []
        for inside in (True, False):
            cells = [
                self.blocking.vectors(self.images[body][0], places[body])
                for body in part
                if (body in group) == inside
            ]
            boxes.append(np.concatenate(cells))
        moving, others = boxes
        way = np.array(step)
        ahead = others.max(axis=0) - moving.min(axis=0)
        behind = moving.max(axis=0) - others.min(axis=0)
        gaps = (np.where(way > 0, ahead, behind) + 1)[way != 0]
        return max(1, int((-(-gaps // abs(way[way != 0]))).min()))

    def _first_off(
        self, part: tuple[int, ...], places: Places
    ) -> list[tuple[tuple[int, ...], int, int]]:
        """The moves until bodies come off: the group, the direction and the steps of each.

        The last move has 0 steps: it goes on without end.
        """
        from exactcover.studio.burrs import moves_kernel as kernel

        states = _States(self, part, places)
        budget, paired = 64, len(part) < 3
        while True:
            began = perf_counter()
            blocking = self.blocking
            ended = kernel.spread(states.arrays, budget, blocking.shapes, blocking.table)
            if ended == kernel.SEPARATED:
                return states.way_out()
            if ended == kernel.EXHAUSTED:
                raise _Unsettled(self._stuck(part))
            if ended == kernel.ROWS_FULL:
                self.blocking.empty()
            reason = ""
            if ended == kernel.TOO_FAR:
                reason = "pieces moved too far"
            elif ended == kernel.STATES_FULL and not states.enlarge():
                reason = f"more than {self.max_states:,} state{'s' * (self.max_states != 1)}"
            if reason := reason or self.between():
                raise _Unsettled(TakenApart(UNDECIDED, reason=reason))
            seconds = perf_counter() - began
            if ended == kernel.GOING_ON:
                budget = max(16, int(budget * min(2.0, SLICE / max(seconds, 1e-4))))
            if not paired and seconds > SLICE / 4:
                paired = True
                for pair in combinations(part, 2):
                    if not self._may_hold(pair) and not self._comes_apart(pair, places):
                        raise _Unsettled(self._stuck(pair))

    def _comes_apart(self, pair: tuple[int, int], places: Places) -> bool:
        """Whether two bodies come apart when they are alone; True if that is not decided."""
        a, b = pair
        gap = (y - x for x, y in zip(places[a], places[b], strict=True))
        key = (self.images[a][0], self.images[b][0], *gap)
        if key not in self.blocking.apart:
            self.blocking.apart[key] = True
            try:
                self._first_off(pair, places)
            except _Unsettled as found:
                self.blocking.apart[key] = found.outcome.status != STUCK
        return self.blocking.apart[key]

    def _stuck(self, part: Sequence[int]) -> TakenApart:
        numbers = self._numbers(part)
        names = [self.pieces[number] for number in numbers]
        if len(names) > FEW:
            names[FEW:] = ["..."]
        return TakenApart(STUCK, (), (), f"{' '.join(names)} cannot come apart", numbers)


FEW = 12
"""The most pieces that a reason names."""


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with a number where there are several copies: `L1`, `L2`, `I5_1`."""
    times, number = Counter(names), Counter[str]()
    found = []
    for name in names:
        number[name] += 1
        own = f"{name}{'_' * name[-1:].isdigit()}{number[name]}"
        found.append(own if times[name] > 1 else name)
    return tuple(found)


class _States:
    """The states of one search, in arrays that grow."""

    def __init__(self, solution: _OneSolution, part: tuple[int, ...], places: Places) -> None:
        from exactcover.studio.burrs.moves_kernel import enter

        self.part = part
        images = np.array([solution.images[body][0] for body in part], np.int64)
        at = np.array([places[body] for body in part], np.int64)
        self._most = solution.max_states + 1  # a place is kept free
        self.arrays = _room_for(min(512, self._most), images, np.array([0, 1, 0, 0], np.int64))
        self.arrays.positions[0] = at - at[0]
        enter(self.arrays)

    def enlarge(self) -> bool:
        """Make room for twice as many states; False at the limit."""
        from exactcover.studio.burrs.moves_kernel import TAIL, enter

        old, count = self.arrays, int(self.arrays.progress[TAIL])
        capacity = min(2 * len(old.positions), self._most)
        if capacity == len(old.positions):
            return False
        self.arrays = new = _room_for(capacity, old.images, old.progress)
        for name in ("positions", "parents", "moves", "groups"):
            getattr(new, name)[:count] = getattr(old, name)[:count]
        enter(new)
        return True

    def way_out(self) -> list[tuple[tuple[int, ...], int, int]]:
        """The moves to the state in hand, and the one that takes a group off."""
        from exactcover.studio.burrs.moves_kernel import HEAD, WAY

        arrays = self.arrays
        state, way = int(arrays.progress[HEAD]), int(arrays.progress[WAY])
        found = [(self._group(len(arrays.groups) - 1), way, 0)]
        while state:
            way, steps = arrays.moves[state].tolist()
            found.append((self._group(state), way, steps))
            state = int(arrays.parents[state])
        return found[::-1]

    def _group(self, state: int) -> tuple[int, ...]:
        word = int(self.arrays.groups[state])
        return tuple(body for number, body in enumerate(self.part) if word >> number & 1)


def _room_for(capacity: int, images: Ints, progress: Ints) -> MoveStates:
    """Arrays for this number of states."""
    return MoveStates(
        images=images,
        positions=np.empty((capacity, len(images), 3), np.int16),
        parents=np.zeros(capacity, np.int32),
        moves=np.zeros((capacity, 2), np.int16),
        groups=np.zeros(capacity, np.uint64),
        table=np.full(2 << capacity.bit_length(), -1, np.int32),
        progress=progress,
    )
