"""How a solution is taken apart: values that can be replayed and printed.

A separation begins with some pieces that hold together. Its moves end when one part of them comes
off; then each of the two parts is separated on its own. Its level is the number of moves of each
separation, the part that stays before the part that comes off: `7.3.1`. BurrTools counts the same
way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactcover.base.text.names import joined, numbered
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
    stays   how the pieces that stay come apart; None: they are one piece, the stationary ones, or
            some that may hold together
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
        >>> solution = ec.first(ec.puzzle_of(["I3", "I3"], "box 3 2 1", "cubic"))
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
