"""Positions of a player: the pieces placed so far, and the placements that fit beside them.

A placement is an option of the puzzle's problem. Pieces of equal shape are copies of one shape
there, so a position remembers the names that the player chose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactcover.backends.base import Task
from exactcover.backends.tasks import Residue
from exactcover.errors import PuzzleError, UnknownName
from exactcover.problem import IntArray
from exactcover.puzzle import Cell, Model, Placement

Flags = npt.NDArray[np.bool_]

Options = tuple[int, ...]
"""Numbers of options, ascending."""


@dataclass(frozen=True, eq=False)
class Position:
    """Placements that do not conflict.

    model   the puzzle
    placed  each option with the name of its piece, in the order of the moves
    """

    model: Model
    placed: tuple[tuple[int, str], ...] = ()

    @cached_property
    def options(self) -> Options:
        """The options placed, ascending."""
        return tuple(sorted(option for option, _ in self.placed))

    @cached_property
    def fits(self) -> Flags:
        """Which options can be placed besides: bool [options]."""
        fits = np.zeros(self.model.problem.n_options, bool)
        fits[Residue.of(self.model.problem, Task(self.options)).options] = True
        return fits

    @cached_property
    def covered(self) -> Flags:
        """Which free cells are covered: bool [cells]."""
        covered = np.zeros(len(self.model.free), bool)
        for option in self.options:
            covered[self.model.cells_of(option)] = True
        return covered

    @cached_property
    def pieces_that_fit(self) -> IntArray:
        """The options that fit and place a piece, ascending; a hole places none."""
        pieces = self.model.layout.option_shape >= 0
        return np.flatnonzero(self.fits & pieces).astype(np.int32)

    def coverers(self, options: IntArray) -> npt.NDArray[np.int64]:
        """How many of these options cover each free cell: int64 [cells]."""
        starts, cells = self.model.option_cells
        inside = np.zeros(starts.size - 1, bool)
        inside[options] = True
        return np.bincount(
            cells[np.repeat(inside, np.diff(starts))], minlength=len(self.model.free)
        )

    # -- pieces -------------------------------------------------------------------------------

    @cached_property
    def copies(self) -> Counter[str]:
        """How many copies of each piece are placed."""
        return Counter(name for _, name in self.placed)

    def missing(self, shape: int) -> int:
        """How many copies of a shape must still be placed."""
        group = self.model.groups[shape]
        placed = sum(self.copies[piece.name] for piece in group.members)
        return max(0, group.low - placed)

    def next_name(self, shape: int) -> str:
        """The piece of a shape that is placed next: one that must be, before one that may be."""
        members = self.model.groups[shape].members
        for piece in members:
            if self.copies[piece.name] < piece.low:
                return piece.name
        for piece in members:
            if piece.high is None or self.copies[piece.name] < piece.high:
                return piece.name
        return members[0].name

    def placement(self, option: int, name: str | None = None) -> Placement:
        """An option as a piece in its place."""
        shape = int(self.model.layout.option_shape[option])
        cells = self.model.free.cells[self.model.cells_of(option)].tolist()
        return Placement(name or self.next_name(shape), tuple(map(tuple, cells)))

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The pieces placed, in the order of the moves."""
        return tuple(self.placement(option, name) for option, name in self.placed)

    # -- moves --------------------------------------------------------------------------------

    def with_piece(self, name: str, cells: Iterable[Sequence[int]]) -> Position:
        """The position with one piece more; raises `PuzzleError` if it cannot lie there."""
        shape = self.model.shape_called(name)
        numbers = self.numbers(cells)
        option = self._option(shape, numbers)
        if option is None:
            raise PuzzleError(
                f"piece {name} does not fit on {_listed(self._cells(numbers))}: these cells have "
                "another shape, or the piece may not lie there",
                piece=name,
            )
        self._check_room(name, shape, option)
        return Position(self.model, (*self.placed, (option, name)))

    def without_piece(self, number: int) -> Position:
        """The position without the piece of this number, in the order of the moves."""
        return Position(self.model, (*self.placed[:number], *self.placed[number + 1 :]))

    def with_only(self, options: Iterable[int]) -> Position:
        """The position with only these of the placed options."""
        kept = set(options)
        return Position(self.model, tuple(one for one in self.placed if one[0] in kept))

    def places(self, name: str, cell: Sequence[int] | None) -> list[tuple[Cell, ...]]:
        """The places of a piece on the empty board that cover a cell, or all, each as its cells."""
        shape = self.model.shape_called(name)
        if cell is None:
            options = np.flatnonzero(self.model.layout.option_shape == shape).tolist()
        else:
            options = self._coverers(shape, int(self.numbers([cell])[0]))
        return [self.placement(option, name).cells for option in options]

    def numbers(self, cells: Iterable[Sequence[int]]) -> IntArray:
        """The numbers of free cells; raises `PuzzleError` for other cells."""
        lattice, free = self.model.puzzle.lattice, self.model.free
        listed = [tuple(cell) for cell in cells]
        if not listed or any(len(cell) != lattice.width for cell in listed):
            raise PuzzleError(f"a placement: each cell is {lattice.coordinates_text()}")
        found = free.find(np.array(listed, np.int64))
        if (found < 0).any():
            cell = listed[int((found < 0).argmax())]
            raise PuzzleError(f"the cell {cell} is not a free cell of the region")
        return np.asarray(found, np.int32)

    def _option(self, shape: int, numbers: IntArray) -> int | None:
        """The option that places a shape on these free cells."""
        wanted = np.sort(numbers)
        for option in self._coverers(shape, int(wanted[0])):
            if np.array_equal(np.sort(self.model.cells_of(option)), wanted):
                return option
        return None

    def _coverers(self, shape: int, number: int) -> list[int]:
        """The options of a shape that cover a free cell."""
        layout = self.model.layout
        options = self.model.problem.options_of(int(layout.cell_item[number]))
        return [int(one) for one in options[layout.option_shape[options] == shape]]

    def _check_room(self, name: str, shape: int, option: int) -> None:
        """Raise `PuzzleError` unless the piece can be placed besides those that lie there."""
        [piece] = [one for one in self.model.groups[shape].members if one.name == name]
        placed = self.copies[name]
        if piece.high is not None and placed >= piece.high:
            copies = "it is" if placed == 1 else f"all {placed} copies are"
            raise PuzzleError(f"piece {name}: {copies} placed already; take one away", piece=name)
        cells = self.model.cells_of(option)
        if self.covered[cells].any():
            cell = cells[int(self.covered[cells].argmax())]
            other = next(known for one, known in self.placed if cell in self.model.cells_of(one))
            raise PuzzleError(
                f"piece {name} does not fit there: piece {other} covers the cell "
                f"{tuple(self.model.free.cells[cell].tolist())}",
                piece=name,
            )
        if not self.fits[option]:
            raise PuzzleError(
                f"piece {name} does not fit there beside the pieces that lie on the board",
                piece=name,
            )

    def _cells(self, numbers: IntArray) -> list[Cell]:
        return [tuple(cell) for cell in self.model.free.cells[numbers].tolist()]


def numbered(position: Position, piece: str | Sequence[int]) -> int:
    """Which of the placed pieces is meant: by its name, or by a cell that it covers.

    Of several copies of a piece, the one placed last is meant.
    """
    if isinstance(piece, str):
        for number, (_, name) in reversed(list(enumerate(position.placed))):
            if name == piece:
                return number
        raise UnknownName("placed piece", piece, list(position.copies))
    [cell] = position.numbers([piece])
    for number, (option, _) in enumerate(position.placed):
        if cell in position.model.cells_of(option):
            return number
    raise PuzzleError(f"no placed piece covers the cell {tuple(piece)}")


def _listed(cells: list[Cell]) -> str:
    shown = ", ".join(map(str, cells[:8]))
    return shown + (", ..." if len(cells) > 8 else "")
