"""How a solution is taken apart: values that can be replayed, printed and stored.

A separation begins with some pieces that hold together. Its moves end when one part of them comes
off; then each of the two parts is separated on its own. Its level is the number of moves of each
separation, the part that stays before the part that comes off: `7.3.1`. BurrTools counts the same
way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from exactcover.base.text.names import joined, numbered
from exactcover.burrs.blocking import Blocking, Image
from exactcover.errors import ExactCoverError
from exactcover.lattices.base import Lattice
from exactcover.puzzle import Placement

Vector = tuple[int, ...]
Positions = dict[int, Vector]
"""How far each piece is moved from its place in the solution."""


@dataclass(frozen=True)
class GroupMove:
    """Some pieces move together along a straight line; the others stay.

    pieces  the numbers of the placements that move
    step    a lattice vector
    steps   how many times they move by it
    """

    pieces: tuple[int, ...]
    step: Vector
    steps: int

    @property
    def vector(self) -> Vector:
        """How far they move."""
        return tuple(self.steps * x for x in self.step)


@dataclass(frozen=True)
class Separation:
    """Pieces come apart into two parts.

    pieces  the numbers of the placements that hold together at first
    moves   the last one takes off a part: the pieces that it moves
    stays   how the pieces that stay come apart; None: they are one piece, or the stationary ones
    leaves  how the part that is taken off comes apart
    """

    pieces: tuple[int, ...]
    moves: tuple[GroupMove, ...]
    stays: Separation | None = None
    leaves: Separation | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of moves of each separation."""
        after = [part.numbers for part in (self.stays, self.leaves) if part is not None]
        return len(self.moves), *(number for numbers in after for number in numbers)

    @property
    def kept(self) -> tuple[int, ...]:
        """The pieces that stay when the part comes off."""
        return tuple(piece for piece in self.pieces if piece not in self.moves[-1].pieces)


@dataclass(frozen=True)
class Played:
    """A move of a replay.

    separation  the separation that it belongs to
    move        the move
    before      how far its pieces are moved before the move
    after       and after it
    """

    separation: Separation
    move: GroupMove
    before: Positions
    after: Positions

    @property
    def separates(self) -> bool:
        """Whether a part comes off with this move."""
        return self.move is self.separation.moves[-1]


@dataclass(frozen=True)
class Disassembly:
    """How the pieces of a solution come apart.

    lattice     what they lie on
    placements  the pieces in their places
    fixed       the first of them are stationary, and move as one piece
    separation  the first separation; None: there is one piece
    """

    lattice: Lattice
    placements: tuple[Placement, ...]
    fixed: int
    separation: Separation | None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of moves of each separation; the first one is the level of the puzzle."""
        return () if self.separation is None else self.separation.numbers

    @property
    def level(self) -> str:
        """These numbers as BurrTools writes them: `7.3.1`; `0` if there is one piece."""
        return ".".join(map(str, self.numbers)) or "0"

    @property
    def moves(self) -> tuple[GroupMove, ...]:
        """All moves, in order."""
        return tuple(played.move for played in self.replay())

    def replay(self) -> Iterator[Played]:
        """The moves in order, with where the pieces are before and after each."""
        if self.separation is not None:
            yield from _replay(self.separation, dict.fromkeys(self.separation.pieces, (0, 0, 0)))

    def lines(self) -> list[str]:
        """The moves as lines of text, numbered as in the level.

        >>> import exactcover as ec
        >>> solution = ec.first(ec.Puzzle.of(["I3", "I3"], "box 3 2 1", "cubic"))
        >>> ec.apart(solution).disassembly.lines()
        ['1  I3 comes off: 0 -1 0']
        """
        names = self.names
        lines = []
        for number, played in enumerate(self.replay(), 1):
            moving = joined((names[piece] for piece in played.move.pieces), " ")
            verb = "comes" if len(played.move.pieces) == 1 else "come"
            if played.separates:
                way = " ".join(map(str, played.move.step))
                lines.append(f"{number}  {moving} {verb} off: {way}")
            else:
                way = " ".join(map(str, played.move.vector))
                lines.append(f"{number}  {moving}: {way}")
        return lines

    @property
    def names(self) -> list[str]:
        """The names of the placements; copies of a piece are numbered."""
        return numbered([placed.piece for placed in self.placements])

    def check(self, blocking: Blocking | None = None) -> None:
        """Replay all moves; raise `ExactCoverError` for the first one that is not possible."""
        blocking = blocking or Blocking(self.lattice)
        images = [blocking.image(placed.cells) for placed in self.placements]
        if self.separation is None:
            if len(self.placements) > max(self.fixed, 1):
                raise ExactCoverError(f"{len(self.placements)} pieces are not taken apart")
            return
        if sorted(self.separation.pieces) != list(range(len(self.placements))):
            raise ExactCoverError("the first separation does not have all pieces")
        self._check_parts(self.separation)
        ways = {tuple(step): way for way, step in enumerate(blocking.shapes.steps.tolist())}
        for number, played in enumerate(self.replay(), 1):
            self._check_move(blocking, images, ways, played, f"move {number}")

    def _check_parts(self, separation: Separation) -> None:
        """Check that each separation has the pieces of its part, and takes all of them apart."""
        if not separation.moves:
            raise ExactCoverError("a separation without a move")
        for part, pieces in (
            (separation.stays, separation.kept),
            (separation.leaves, separation.moves[-1].pieces),
        ):
            if part is not None:
                if sorted(part.pieces) != sorted(pieces):
                    raise ExactCoverError("a separation has other pieces than its part")
                self._check_parts(part)
            elif len(pieces) != 1 and not all(piece < self.fixed for piece in pieces):
                raise ExactCoverError(f"{len(pieces)} pieces are not taken apart")

    def _check_move(
        self,
        blocking: Blocking,
        images: Sequence[Image],
        ways: Mapping[Vector, int],
        played: Played,
        where: str,
    ) -> None:
        from exactcover.burrs.moves_kernel import FREE

        move, pieces = played.move, played.separation.pieces
        moving = set(move.pieces)
        if not moving or not moving < set(pieces):
            raise ExactCoverError(f"{where}: some of its pieces must move, and some stay")
        if len({piece in moving for piece in pieces if piece < self.fixed}) > 1:
            raise ExactCoverError(f"{where}: stationary pieces move apart")
        if move.step not in ways or move.steps < 1:
            raise ExactCoverError(f"{where}: pieces cannot move by {move.vector}")
        needed = FREE if played.separates else move.steps
        names = self.names
        for a in move.pieces:
            for b in pieces:
                if b in moving:
                    continue
                (one, start), (other, end) = images[a], images[b]
                offset = (end + played.before[b]) - (start + played.before[a])
                room = blocking.room(one, other, offset)[ways[move.step]]
                if room < needed:
                    raise ExactCoverError(
                        f"{where}: {names[a]} hits {names[b]} after {room} step{'s' * (room != 1)}"
                    )


def _replay(separation: Separation, positions: Positions) -> Iterator[Played]:
    for move in separation.moves:
        before = dict(positions)
        for piece in move.pieces:
            positions[piece] = tuple(
                x + d for x, d in zip(positions[piece], move.vector, strict=True)
            )
        yield Played(separation, move, before, dict(positions))
    for part in (separation.stays, separation.leaves):
        if part is not None:
            yield from _replay(part, {piece: positions[piece] for piece in part.pieces})


Box = tuple[Vector, Vector]
"""The lowest and the highest coordinates of some cells."""


def box_of(cells: Iterable[Sequence[int]]) -> Box:
    """The box round cells."""
    axes = [*zip(*cells, strict=True)]
    return tuple(map(min, axes)), tuple(map(max, axes))


def steps_until_clear(moving: Box, others: Box, step: Sequence[int]) -> int:
    """The steps after which the box round some pieces is clear of that round the others."""
    least = []
    for axis, d in enumerate(step):
        if d > 0:
            least.append(-((moving[0][axis] - others[1][axis] - 1) // d))
        elif d < 0:
            least.append(-((others[0][axis] - moving[1][axis] - 1) // -d))
    return max(1, min(least))
