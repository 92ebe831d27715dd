"""The digest of a puzzle or a problem: equal wherever it is stated, by which file and version.

A published number of solutions belongs to one puzzle, and a digest names it. Whatever leaves the
solutions as they are is left out: names of pieces, their order, how each is drawn, costs, titles.
Pieces of one shape are counted together. So a file has the same digest in every format, and after
every later version. `docs/checks.md` describes the bytes; they must never change, since
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
    >>> digest(ec.puzzle_of("domino x 2", "2x2")) == digest(
    ...     ec.puzzle_of(["domino", [(5, 5), (5, 6)]], "2x2")
    ... )
    True
    """
    sha = sha256()
    # Each part stands behind its heading and its length, so that no two lists of parts look alike.
    for heading, part in (
        _of_puzzle(content) if isinstance(content, Puzzle) else _of_problem(content)
    ):
        sha.update(f"{heading} {len(part)}\n".encode())
        sha.update(part)
    return sha.hexdigest()


def _each(heading: str, parts: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Parts whose order means nothing."""
    return ((heading, part) for part in sorted(parts))


def _of_puzzle(puzzle: Puzzle) -> Iterator[tuple[str, bytes]]:
    lattice, region = puzzle.lattice, puzzle.region
    yield "exactcover", b"puzzle"
    known = is_registered(lattice)
    yield "lattice", (lattice.name if known else _json(fields_of(lattice))).encode()
    yield "cells", _of_cells(region.cells)
    yield "optional", _of_cells(region.optional)
    if region.empty is not None:
        yield "empty", "{}..{}".format(*region.empty).encode()
    if puzzle.periods is not None:
        yield "periods", _of_cells(puzzle.periods.rows)
    # With it a mirror is one more turn, also for pieces that look the same in a mirror.
    yield "turns over", str(puzzle.turns_over).lower().encode()
    yield from _each("stationary", (_of_cells(piece.cells) for piece in puzzle.stationary))
    colours = _Colours(puzzle)
    yield from _each("colour", map(_of_cells, colours.cells))
    yield from _each("piece", _of_pieces(puzzle, colours))


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
        self.cells = [np.array(cells, np.int64) for cells, _ in listed]
        self._number = {colour: number for number, (_, colour) in enumerate(listed)}

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
    alike = defaultdict[Kind, list[Piece]](list)
    for piece in puzzle.movable:
        alike[puzzle.kind(piece)].append(piece)
    for (size, forms, form, _, crossing, groups), pieces in alike.items():
        low, high = summed((piece.low, piece.high) for piece in pieces)
        copies = f"{low}..{'any' if high is None else high}"
        said = f"{size} cells, {forms} forms, {copies} copies, crossing {str(crossing).lower()}"
        held = _json(groups).encode() if groups else b""
        parts = said.encode(), _words(form), colours.of_piece(pieces[0]), held
        yield b"".join(b"%d\n%b" % (len(part), part) for part in parts)


def _of_problem(problem: Problem) -> Iterator[tuple[str, bytes]]:
    """A plain problem: its items by their names, and its options as sets of items."""
    yield "exactcover", b"problem"
    ranges = [f"{low}..{high}" for low, high in zip(problem.low, problem.high, strict=True)]
    ranges += ["secondary"] * (problem.n_items - problem.primary)
    items = zip(ranges, problem.items, strict=True)
    yield from _each("item", (f"{said} {name}".encode() for said, name in items))
    starts, entries = problem.starts.tolist(), problem.entries.tolist()
    if problem.colours.any():
        words = list(map(problem.word, entries, problem.colours.tolist()))
    else:
        names = list(map(str, problem.items))
        words = [names[item] for item in entries]
    options = (words[start:end] for start, end in pairwise(starts))
    yield from _each("option", ("\0".join(sorted(option)).encode() for option in options))


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
