"""Taking one solution apart: the shortest moves until a part comes off, then each part again.

A part of a solution that cannot be taken apart shows that the solution cannot: the moves that take
the solution apart take the part apart too, if the other pieces are left out. So it does not matter
which of several parts comes off first, and two pieces that can never come apart settle it, unless
they are of a group that may hold together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from exactcover.base.text.names import joined
from exactcover.burrs.blocking import Blocking, Image, Ints, MoveStates
from exactcover.burrs.disassembly import (
    Disassembly,
    GroupMove,
    Positions,
    Separation,
)
from exactcover.errors import ExactCoverError
from exactcover.puzzle import Piece, Placement

APART, STUCK, UNDECIDED = "apart", "stuck", "undecided"

MAX_STATES = 1_000_000
"""The states of one search, unless its user says another number."""

MOST_PIECES = 64
"""A set of pieces is a word of bits."""

SLICE = 0.02
"""A call of the kernel takes about this many seconds."""


@dataclass(frozen=True)
class TakenApart:
    """Whether a solution comes apart.

    status       apart; stuck: no sequence of moves takes it apart; undecided: a limit ended the
                 search
    disassembly  how it comes apart, if it does
    reason       why it is stuck or undecided
    holding      the numbers of placements that cannot come apart, if it is stuck
    states       the states that were looked at
    """

    status: str
    disassembly: Disassembly | None = None
    reason: str = ""
    holding: tuple[int, ...] = ()
    states: int = 0

    @property
    def level(self) -> str:
        """The level, such as `7.3.1`; empty if it does not come apart."""
        return "" if self.disassembly is None else self.disassembly.level

    def __repr__(self) -> str:
        said = f"level {self.level}" if self.disassembly else self.reason
        return f"<TakenApart: {self.status}, {said}>"


Searching = Generator[None, None, TakenApart]


def taking_apart(
    placements: Sequence[Placement],
    pieces: Sequence[Piece],
    blocking: Blocking,
    max_states: int = MAX_STATES,
) -> Iterator[TakenApart | None]:
    """Take a solution apart: None after each slice of work, and the outcome last.

    pieces      of the puzzle; the first placements are the stationary ones: one piece
    blocking    of their lattice; it may have been used for other solutions
    max_states  the most states of each search; with more the outcome is undecided
    """
    yield (yield from _OneSolution(placements, pieces, blocking, max_states).search())


class _Unsettled(Exception):
    """A search that ended without taking its pieces apart, with the outcome."""

    def __init__(self, outcome: TakenApart) -> None:
        super().__init__()
        self.outcome = outcome


class _OneSolution:
    """The search for a disassembly of one solution.

    bodies     the placements of each body: one, or the stationary ones
    states     the states that were looked at
    """

    def __init__(
        self,
        placements: Sequence[Placement],
        pieces: Sequence[Piece],
        blocking: Blocking,
        max_states: int,
    ) -> None:
        self.placements, self.fixed = tuple(placements), sum(one.stationary for one in pieces)
        self.groups = {one.name: dict(one.groups) for one in pieces}
        fixed = self.fixed
        self.blocking, self.max_states = blocking, max_states
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
        self.states = 0

    def search(self) -> Searching:
        """Take it apart."""
        places = [tuple(origin.tolist()) for _, origin in self.images]
        every = tuple(range(len(self.bodies)))
        try:
            separation = yield from self._separated(every, dict(zip(every, places, strict=True)))
        except _Unsettled as found:
            return found.outcome
        lattice = self.blocking.lattice
        disassembly = Disassembly(lattice, self.placements, self.fixed, separation)
        return TakenApart(APART, disassembly, states=self.states)

    def _separated(
        self, part: tuple[int, ...], places: Positions
    ) -> Generator[None, None, Separation | None]:
        """How the bodies of a part come apart, if they are where `places` says."""
        if len(part) == 1:
            return None
        try:
            found = yield from self._first_off(part, places)
        except _Unsettled as unsettled:
            if unsettled.outcome.holding == self._numbers(part) and self._may_hold(part):
                return None
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
            steps = steps or self._steps_out(part, group, step, places)
            moves.append(GroupMove(self._numbers(group), step, steps))
            for body in group:
                places[body] = tuple(x + steps * d for x, d in zip(places[body], step, strict=True))
        left = tuple(body for body in part if body not in group)
        stays = yield from self._separated(left, places)
        leaves = yield from self._separated(group, places)
        return Separation(self._numbers(part), tuple(moves), stays, leaves)

    def _may_hold(self, part: Sequence[int]) -> bool:
        """Whether a group has room for all pieces of a part, so that they need not come apart."""
        copies = Counter(self.placements[number].piece for number in self._numbers(part))
        room = [self.groups[name] for name in copies]
        return any(
            all(one.get(group, 0) >= n for one, n in zip(room, copies.values(), strict=True))
            for group in room[0]
        )

    def _numbers(self, bodies: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(number for body in bodies for number in self.bodies[body]))

    def _steps_out(
        self, part: Sequence[int], group: Sequence[int], step: Sequence[int], places: Positions
    ) -> int:
        """The steps after which the box round a group is clear of the box round the others."""
        moving, others = (
            np.concatenate(
                [
                    self.blocking.vectors(self.images[body][0], places[body])
                    for body in part
                    if (body in group) == inside
                ]
            )
            for inside in (True, False)
        )
        way = np.array(step)
        ahead = others.max(axis=0) - moving.min(axis=0)
        behind = moving.max(axis=0) - others.min(axis=0)
        gaps = (np.where(way > 0, ahead, behind) + 1)[way != 0]
        return max(1, int((-(-gaps // abs(way[way != 0]))).min()))

    def _first_off(
        self, part: tuple[int, ...], places: Positions
    ) -> Generator[None, None, list[tuple[tuple[int, ...], int, int]]]:
        """The moves until bodies come off: the group, the direction and the steps of each.

        The last move has 0 steps: it goes on without end.
        """
        from exactcover.burrs import moves_kernel as kernel

        states = _States(self, part, places)
        budget, paired = 64, len(part) < 3
        while True:
            began = perf_counter()
            before = int(states.arrays.progress[kernel.HEAD])
            blocking = self.blocking
            ended = kernel.spread(states.arrays, budget, blocking.shapes, blocking.table)
            self.states += int(states.arrays.progress[kernel.HEAD]) - before
            if ended == kernel.SEPARATED:
                return states.way_out()
            if ended == kernel.EXHAUSTED:
                raise _Unsettled(self._stuck(part))
            if ended == kernel.TOO_FAR:
                raise _Unsettled(self._undecided("pieces moved too far"))
            if ended == kernel.ROWS_FULL:
                self.blocking.enlarge()
            elif ended == kernel.STATES_FULL and not states.enlarge():
                raise _Unsettled(
                    self._undecided(
                        f"more than {self.max_states:,} state{'s' * (self.max_states != 1)}"
                    )
                )
            seconds = perf_counter() - began
            if ended == kernel.GOING_ON:
                budget = max(16, int(budget * min(2.0, SLICE / max(seconds, 1e-4))))
            yield
            if not paired and seconds > SLICE / 4:
                paired = True
                if pair := self._stuck_pair(part, places):
                    raise _Unsettled(self._stuck(pair))

    def _stuck_pair(self, part: Sequence[int], places: Positions) -> tuple[int, ...]:
        """Two bodies of a part that can never come apart, or nothing."""
        for number, a in enumerate(part):
            for b in part[number + 1 :]:
                if self._may_hold((a, b)):
                    continue
                gap = (y - x for x, y in zip(places[a], places[b], strict=True))
                key = (self.images[a][0], self.images[b][0], *gap)
                if key not in self.blocking.apart:
                    self.blocking.apart[key] = self._comes_apart((a, b), places)
                if not self.blocking.apart[key]:
                    return a, b
        return ()

    def _comes_apart(self, pair: tuple[int, int], places: Positions) -> bool:
        """Whether two bodies come apart when they are alone; True if that is not decided."""
        try:
            for _ in self._first_off(pair, places):
                pass
        except _Unsettled as found:
            return found.outcome.status != STUCK
        return True

    # -- outcomes -----------------------------------------------------------------------------

    def _stuck(self, part: Sequence[int]) -> TakenApart:
        numbers = self._numbers(part)
        names = joined((self.placements[number].piece for number in numbers), " ")
        return TakenApart(STUCK, None, f"{names} cannot come apart", numbers, self.states)

    def _undecided(self, reason: str) -> TakenApart:
        return TakenApart(UNDECIDED, None, reason, (), self.states)


class _States:
    """The states of one search, in arrays that grow."""

    def __init__(self, solution: _OneSolution, part: tuple[int, ...], places: Positions) -> None:
        from exactcover.burrs.moves_kernel import enter

        self.part = part
        images = np.array([solution.images[body][0] for body in part], np.int64)
        at = np.array([places[body] for body in part], np.int64)
        self._most = solution.max_states + 1  # a place is kept free
        self.arrays = _room_for(min(512, self._most), images, np.array([0, 1, 0, 0], np.int64))
        self.arrays.positions[0] = at - at[0]
        enter(self.arrays)

    def enlarge(self) -> bool:
        """Make room for twice as many states; False at the limit."""
        from exactcover.burrs.moves_kernel import TAIL, enter

        old, count = self.arrays, int(self.arrays.progress[TAIL])
        capacity = min(2 * len(old.positions), self._most)
        if capacity == len(old.positions):
            return False
        self.arrays = new = _room_for(capacity, old.images, old.progress)
        new.positions[:count], new.parents[:count] = old.positions[:count], old.parents[:count]
        new.moves[:count], new.groups[:count] = old.moves[:count], old.groups[:count]
        enter(new)
        return True

    def way_out(self) -> list[tuple[tuple[int, ...], int, int]]:
        """The moves to the state in hand, and the one that takes a group off."""
        from exactcover.burrs.moves_kernel import HEAD, WAY

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
