"""The digest of a puzzle or a problem: equal wherever it is stated, by which file and version.

A published number of solutions belongs to one puzzle, and a digest names it. Whatever leaves the
solutions as they are is left out: names of pieces, their order, how each is drawn, costs, titles.
Pieces of one shape are counted together. So a file has the same digest in every format, and after
every later version. `docs/verify.md` describes the bytes; they must never change, since
published records hold digests. (The digest of a ledger, `problem.layout.digest_of`, is another: it
depends on the numbers of the options.)
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.lattices.lattice_file import fields_of
from exactcover.lattices.registry import is_registered
from exactcover.problem import Problem
from exactcover.puzzle.pieces import Cell, Piece, summed
from exactcover.puzzle.puzzle import Kind, Puzzle


def digest(content: Puzzle | Problem) -> str:
    """SHA-256 of what a puzzle or a problem says, in 64 hexadecimal digits.

    >>> import exactcover as ec
    >>> digest(ec.Puzzle.of("domino x 2", "2x2")) == digest(
    ...     ec.Puzzle.of(["domino", [(5, 5), (5, 6)]], "2x2")
    ... )
    True
    """
    made = _Digest()
    if isinstance(content, Puzzle):
        _add_puzzle(made, content)
    else:
        _add_problem(made, content)
    return made.hexadecimal()


class _Digest:
    """Parts, each after its heading and its length, so that no two lists of parts look alike."""

    def __init__(self) -> None:
        self._sha = sha256()

    def add(self, heading: str, part: bytes) -> None:
        self._sha.update(f"{heading} {len(part)}\n".encode())
        self._sha.update(part)

    def text(self, heading: str, text: str) -> None:
        self.add(heading, text.encode())

    def cells(self, heading: str, cells: npt.NDArray[np.int64]) -> None:
        self.add(heading, _of_cells(cells))

    def each(self, heading: str, parts: Iterable[bytes]) -> None:
        """Parts whose order means nothing."""
        for part in sorted(parts):
            self.add(heading, part)

    def hexadecimal(self) -> str:
        return self._sha.hexdigest()


def _add_puzzle(made: _Digest, puzzle: Puzzle) -> None:
    lattice, region = puzzle.lattice, puzzle.region
    made.text("exactcover", "puzzle")
    known = is_registered(lattice)
    made.text("lattice", lattice.name if known else _json(fields_of(lattice)))
    made.cells("cells", region.cells)
    made.cells("optional", region.optional)
    if region.empty is not None:
        made.text("empty", "{}..{}".format(*region.empty))
    if puzzle.periods is not None:
        made.cells("periods", puzzle.periods.rows)
    # With it a mirror is one more turn, also for pieces that look the same in a mirror.
    made.text("turns over", str(puzzle.turns_over).lower())
    made.each("stationary", (_of_cells(piece.cells) for piece in puzzle.stationary))
    colours = _Colours(puzzle)
    made.each("colour", colours.of_cells())
    made.each("piece", _of_pieces(puzzle, colours))


class _Colours:
    """Colours without their names: a colour of the board is the list of its cells, and one of a
    piece is the list of colours of the board on which it may lie."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle, self._paint = puzzle, puzzle.paint
        ground = {} if puzzle.paint is None else puzzle.paint.cells
        by_colour = defaultdict[int, list[Cell]](list)
        for cell, colour in ground.items():
            if colour:
                by_colour[colour].append(cell)
        listed = sorted((sorted(cells), colour) for colour, cells in by_colour.items())
        self._cells = [np.array(cells, np.int64) for cells, _ in listed]
        self._number = {colour: number for number, (_, colour) in enumerate(listed)}

    def of_cells(self) -> list[bytes]:
        """The cells of each colour of the board."""
        return [_of_cells(cells) for cells in self._cells]

    def of_piece(self, piece: Piece) -> bytes:
        """The orientations of a painted piece: how many, and the first; empty if it has no
        paint."""
        paint, lattice = self._paint, self._puzzle.lattice
        if paint is None or not paint.has(piece):
            return b""
        words = [self._word(colour) for colour in paint.pieces[piece.name]]
        moved = lattice.moved(piece.cells, self._puzzle.motions(piece))
        vectors = lattice.vectors(moved)  # a view
        vectors -= vectors.min(axis=1, keepdims=True)
        forms = {
            tuple(sorted(zip(map(tuple, form), words, strict=True))) for form in moved.tolist()
        }
        return f"{len(forms)} {_json(min(forms))}".encode()

    def _word(self, colour: int) -> str:
        """On which colours of the board a colour of a piece may lie."""
        if not colour:
            return "any"
        assert self._paint is not None, "only paint has colours"
        allowed = (self._number.get(on) for own, on in self._paint.allowed if own == colour)
        return " ".join(map(str, sorted(number for number in allowed if number is not None)))


def _of_pieces(puzzle: Puzzle, colours: _Colours) -> Iterator[bytes]:
    """The movable pieces, those of one shape together."""
    alike = defaultdict[tuple[Kind, bytes], list[Piece]](list)
    for piece in puzzle.movable:
        alike[puzzle.kind(piece), b"" if piece.within is None else _of_cells(piece.within)].append(
            piece
        )
    for ((size, forms, form, _, crossing), mask), pieces in alike.items():
        low, high = summed((piece.low, piece.high) for piece in pieces)
        copies = f"{low}..{'any' if high is None else high}"
        said = f"{size} cells, {forms} forms, {copies} copies, crossing {str(crossing).lower()}"
        parts = said.encode(), _words(form), colours.of_piece(pieces[0]), mask
        yield b"".join(b"%d\n%b" % (len(part), part) for part in parts)


def _add_problem(made: _Digest, problem: Problem) -> None:
    """A plain problem: its items by their names, and its options as sets of items."""
    made.text("exactcover", "problem")
    low, high, primary = problem.low.tolist(), problem.high.tolist(), problem.primary
    made.each(
        "item",
        (
            (
                f"{low[item]}..{high[item]} {name}" if item < primary else f"secondary {name}"
            ).encode()
            for item, name in enumerate(problem.items)
        ),
    )
    starts, entries = problem.starts.tolist(), problem.entries.tolist()
    if problem.colours.any():
        words = list(map(problem.word, entries, problem.colours.tolist()))
    else:
        names = list(map(str, problem.items))
        words = [names[item] for item in entries]
    made.each(
        "option",
        ("\0".join(sorted(words[start:end])).encode() for start, end in pairwise(starts)),
    )


def _of_cells(cells: npt.NDArray[np.int64]) -> bytes:
    """Cells as sorted rows of whole numbers."""
    rows = np.ascontiguousarray(cells, np.int64)
    if rows.ndim != 2 or not rows.size:
        return b""
    return f"{rows.shape[1]}\n".encode() + rows[np.lexsort(rows.T[::-1])].astype("<i8").tobytes()


def _words(raw: bytes) -> bytes:
    """Whole numbers of this machine in the order of bytes that all machines share."""
    return np.frombuffer(raw, np.int64).astype("<i8").tobytes()


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
