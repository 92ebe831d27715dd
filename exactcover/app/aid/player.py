"""An aid for somebody who solves a puzzle by hand.

    aid = ec.Aid(ec.read("pentominoes_10x6"))
    aid.place("X", [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)])
    aid.left, aid.forced, aid.hint()

Positions are those of the player: solutions that differ by a symmetry are different solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Self
from weakref import finalize

import numpy as np

from exactcover.app.aid.hints import Hint, completing, known_rows, most_kept, placing, taking_back
from exactcover.app.aid.listing import Background, Seen, classes
from exactcover.app.aid.positions import Position, numbered
from exactcover.app.aid.prospects import Prospect, prospect, searched_reason, simple_reason
from exactcover.base.values.arguments import check_kind, check_seconds, check_whole
from exactcover.puzzle import Cell, Placement, Puzzle
from exactcover.puzzle.rectangles import need_cells

MEBIBYTE = 1 << 20

COMPARED = 20_000_000
"""Numbers of options in all turned copies of all solutions, up to which classes are counted."""

CONCLUDED = "Every way to go on was tried, and none leads to a solution."


class Aid:
    """How a puzzle stands while its pieces are placed by hand.

        >>> import exactcover as ec
        >>> with ec.Aid(ec.read("pentominoes_20x3")) as aid:
        ...     print(aid.wait())
        ...     print(aid.place("X", [(2, 1), (1, 1), (3, 1), (2, 0), (2, 2)]))
        8 solutions left
        4 solutions left

    puzzle   a Puzzle
    seconds  how long each answer may wait for an exact number. Default: 0.1
    memory   MiB that lists of solutions may take. Default: 64

    A number of solutions that is not exact yet improves in the background: ask again. The searches
    end with `close`, or a `with` statement, and 60 seconds after the last question.
    """

    def __init__(self, puzzle: Puzzle, *, seconds: float = 0.1, memory: int = 64) -> None:
        check_kind("puzzle", puzzle, Puzzle, "a Puzzle, as `read` and `Puzzle.of` give it")
        check_seconds("seconds", seconds, optional=False)
        check_whole("memory", memory, least=1, optional=False)
        self.puzzle, self.seconds = puzzle, seconds
        need_cells(puzzle.model, "playing by hand")
        self._empty = Position(puzzle.model)
        self._position = self._empty
        self._different: int | None = None
        self._background = Background(puzzle.model, memory * MEBIBYTE)
        self.close = finalize(self, self._background.close)

    def __repr__(self) -> str:
        many = len(self._position.placed)
        return f"<Aid for {self.puzzle!r}: {many} pieces placed>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- moves --------------------------------------------------------------------------------

    @property
    def placed(self) -> tuple[Placement, ...]:
        """The pieces placed, in the order of the moves; without stationary ones."""
        return self._position.placements

    def place(self, piece: str, cells: Iterable[Sequence[int]]) -> Prospect:
        """Place a piece and return what is left.

        piece  the name of the piece
        cells  the cells that it is to cover

        Raises `PuzzleError` if the piece cannot lie there; the position then stays as it is.
        """
        self._position = self._position.with_piece(piece, cells)
        return self.prospect()

    def remove(self, piece: str | Sequence[int]) -> Prospect:
        """Take a piece away and return what is left.

        piece  the name of the piece, or a cell that it covers
        """
        self._position = self._position.without_piece(numbered(self._position, piece))
        return self.prospect()

    def arrange(self, placements: Iterable[Placement]) -> None:
        """Place exactly these pieces, in this order; they are checked first.

        placements  pieces with their cells
        """
        position = self._empty
        for one in placements:
            position = position.with_piece(one.piece, one.cells)
        self._position = position

    def places(self, piece: str, cell: Sequence[int] | None = None) -> list[tuple[Cell, ...]]:
        """The places of a piece on the empty board, each as its cells.

        piece  the name of the piece
        cell   a cell that the places must cover. Default: None, any cell
        """
        return self._empty.places(piece, cell)

    # -- what is left ------------------------------------------------------------------------

    def prospect(self, seconds: float | None = None) -> Prospect:
        """The solutions left, and the placements and cells that are forced or lost.

        seconds  how long to wait for an exact number. Default: None, as the aid was made
        """
        check_seconds("seconds", seconds)
        return self._stands(self.seconds if seconds is None else seconds)

    def wait(self) -> Prospect:
        """The same, once the number of solutions left is exact."""
        return self._stands(None)

    @property
    def left(self) -> int:
        """How many solutions are left, or are known so far: `prospect` says which."""
        return self.prospect().left

    @property
    def forced(self) -> tuple[Placement, ...]:
        """The placements that every solution left has, besides those placed."""
        return self.prospect().forced

    @property
    def dead(self) -> tuple[Cell, ...]:
        """The cells that no placement, or no solution left, covers."""
        return self.prospect().dead

    @property
    def stuck(self) -> tuple[str, ...]:
        """The pieces that must still be placed and fit nowhere."""
        return self.prospect().stuck

    def _stands(self, seconds: float | None) -> Prospect:
        position = self._position
        why = simple_reason(position)
        if why is not None:
            n_options = position.model.problem.n_options
            return prospect(position, Seen((), np.zeros(n_options, np.int64), done=True), why)
        return prospect(position, self._background.ask(position, seconds))

    def different(self) -> int | None:
        """How many solutions of the empty board no rotation takes to each other.

        None: not all are listed yet, or they are too many to be compared.
        """
        if self._different is None:
            every = self._background.every()
            group = self.puzzle.model.symmetries.selected("rotations")
            if every.all_kept and every.rows.size * len(group) <= COMPARED:
                self._different = classes(every.rows, group)
        return self._different

    def rest(self) -> None:
        """Let the search in the background end; the next question starts it again."""
        self._background.rest()

    def finish(self, seconds: float = 2.0) -> tuple[Placement, ...] | None:
        """The placements that complete the position to a solution; None: none is known.

        seconds  how long to search for one. Default: 2
        """
        check_seconds("seconds", seconds, optional=False)
        position, ground = self._position, self._background
        if simple_reason(position) is not None:
            return None
        seen = ground.ask(position, seconds, one=True)
        rows = known_rows([seen, ground.every()], position.options)
        return completing(position, rows[0]) if len(rows) else None

    # -- hints --------------------------------------------------------------------------------

    def hint(self, seconds: float = 2.0) -> Hint:
        """The next step: a placement of a solution, or pieces to take back.

        seconds  how long to search for it. Default: 2
        """
        check_seconds("seconds", seconds, optional=False)
        position, ground = self._position, self._background
        reason = simple_reason(position)
        if reason is None:
            ground.ask(position, self.seconds)
            seen = ground.ask(position, seconds, one=True)
            rows = known_rows([seen, ground.every()], position.options)
            if len(rows):
                return placing(position, seen, rows)
            if not seen.done:
                why = f"No solution was found in {seconds:g} s; try again later."
                return Hint(None, (), why, known=False)
            reason = searched_reason(position, seconds / 2) or CONCLUDED
        known = most_kept(position, ground.known())
        hint = taking_back(position, known, partial(ground.ask, one=True), seconds, reason)
        ground.ask(position, 0.0)
        return hint
