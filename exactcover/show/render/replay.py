"""A recording made ready to be shown: which piece each option places where, and in which colour.

A placement keeps its colour while it lies on the board. A piece that occurs once has the same
colour all the time where there are enough colours; else a placement takes the first colour after
its own that no piece beside it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exactcover.problem.layout import pieces_left
from exactcover.puzzle import Model, Puzzle
from exactcover.search.recording import Moment, Recording
from exactcover.show.render.palette import PALETTE, touching_cells

HOLE = -1
"""The piece of an option that leaves a cell empty."""


@dataclass(frozen=True)
class PlacedPiece:
    """A piece on the board.

    piece   its number in the puzzle, or HOLE
    cells   its cells, as numbered in `Puzzle.space`
    colour  its number in the palette
    """

    piece: int
    cells: tuple[int, ...]
    colour: int


class Replay:
    """A recording whose moments are boards.

    `for moment, placed in replay` gives the pieces on the board at each moment, in the order of
    placing; `added[number]` are those that moment `number` puts on what it keeps, and `fixed` the
    stationary ones.
    """

    def __init__(self, puzzle: Puzzle, recording: Recording) -> None:
        self.puzzle, self.recording = puzzle, recording
        self._model: Model = puzzle.model
        self._place_of = puzzle.space.find(self._model.free.cells)
        self._beside: list[list[int]] = [[] for _ in range(len(puzzle.space))]
        for a, b in touching_cells(puzzle.space).tolist():
            self._beside[a].append(b)
            self._beside[b].append(a)
        self._number = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
        few = len(self._number) <= len(PALETTE)
        self._own_colours = few and all(piece.high == 1 for piece in puzzle.movable)
        self.fixed = tuple(
            PlacedPiece(self._number[piece.name], tuple(puzzle.space.find(piece.cells).tolist()), 0)
            for piece in puzzle.stationary
        )
        self.added = self._all_added()

    def __iter__(self) -> Iterator[tuple[Moment, tuple[PlacedPiece, ...]]]:
        placed: tuple[PlacedPiece, ...] = ()
        for moment, added in zip(self.recording.moments, self.added, strict=True):
            placed = (*placed[: moment.kept], *added)
            yield moment, placed

    def _all_added(self) -> list[tuple[PlacedPiece, ...]]:
        stack: list[PlacedPiece] = []
        owner = [-1] * len(self.puzzle.space)
        shapes: list[int] = []
        made: list[tuple[PlacedPiece, ...]] = []
        for moment in self.recording.moments:
            for gone in stack[moment.kept :]:
                for cell in gone.cells:
                    owner[cell] = -1
            del stack[moment.kept :], shapes[moment.kept :]
            for option in moment.placed:
                shape = int(self._model.layout.option_shape[option])
                placed = self._placed(option, shape, Counter(shapes)[shape], stack, owner)
                for cell in placed.cells:
                    owner[cell] = len(stack)
                stack.append(placed)
                shapes.append(shape)
            made.append(tuple(stack[moment.kept :]))
        return made

    def _placed(
        self,
        option: int,
        shape: int,
        copies: int,
        stack: Sequence[PlacedPiece],
        owner: Sequence[int],
    ) -> PlacedPiece:
        """A piece as it is placed beside `copies` of its shape."""
        cells = tuple(self._place_of[self._model.cells_of(option)].tolist())
        if shape < 0:
            return PlacedPiece(HOLE, cells, 0)
        names = self._model.groups[shape].names(copies + 1)
        piece = self._number[names[-1]]
        if self._own_colours:
            return PlacedPiece(piece, cells, piece)
        taken = {stack[owner[b]].colour for a in cells for b in self._beside[a] if owner[b] >= 0}
        wishes = [(piece + step) % len(PALETTE) for step in range(len(PALETTE))]
        colour = next((one for one in wishes if one not in taken), piece % len(PALETTE))
        return PlacedPiece(piece, cells, colour)


def pieces_at_first(replay: Replay) -> int:
    """How many pieces are left before the first is placed, as a tally counts them."""
    subject = replay.recording.subject
    return pieces_left(subject.problem, subject.layout)
