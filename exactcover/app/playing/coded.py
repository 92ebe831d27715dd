"""The placements and the solutions of a puzzle in few bytes, for a page without a server.

A page counts positions of the player, so it needs all solutions. The code holds one of each class
under the symmetries of the puzzle, and generators of the symmetries; the page makes the others.

The options are numbered anew, by the cells that they cover: a solution that is written by its
lowest cells first then has small steps from one option to the next. Solutions are sorted, and each
is written as

    the number of leading options that it shares with the one before
    the number of further options
    the steps from each option to the next

in groups of seven bits, the lowest first, where the highest bit says that more follow. All arrays
are compressed with deflate. `play-listed.js` reads them.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from exactcover.problem import IntArray
from exactcover.puzzle import Model

Rows = list[tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Coding:
    """The placements of a model in the order of the code.

    model   the puzzle
    order   int32 [placements]: the option of each
    number  int32 [options]: the placement of each option; -1: it places no piece
    """

    model: Model
    order: IntArray
    number: IntArray

    @classmethod
    def of(cls, model: Model) -> Coding:
        """Placements by their cells, ascending; holes are left out."""
        shapes = model.layout.option_shape
        keys = {
            option: (sorted(model.cells_of(option).tolist()), int(shapes[option]))
            for option in np.flatnonzero(shapes >= 0).tolist()
        }
        order = np.array(sorted(keys, key=keys.__getitem__), np.int32)
        number = np.full(model.problem.n_options, -1, np.int32)
        number[order] = np.arange(order.size, dtype=np.int32)
        return cls(model, order, number)

    def row(self, options: Iterable[int]) -> tuple[int, ...]:
        """A solution as placements, ascending."""
        return tuple(sorted(one for one in self.number[[*options]].tolist() if one >= 0))

    def symmetries(self) -> IntArray:
        """All symmetries that solutions are counted up to, as permutations of the placements."""
        permutations = self.model.symmetries.selected("rotations")
        return self.number[permutations[:, self.order]]

    def data(self, rows: Rows, *, complete: bool) -> dict[str, Any]:
        """The data with which a page plays, ready for JSON.

        rows      solutions, one of each class if they are complete
        complete  whether these are all
        """
        model = self.model
        on_board = model.puzzle.space.find(model.free.cells)
        cells = [np.sort(on_board[model.cells_of(option)]) for option in self.order.tolist()]
        extra = [self._further_items(option) for option in self.order.tolist()]
        symmetries = self.symmetries() if complete else np.zeros((0, 0), np.int32)
        return {
            "sizes": deflated([len(one) for one in cells]),
            "cells": deflated(np.concatenate(cells) if cells else []),
            "shapes": deflated(model.layout.option_shape[self.order]),
            "pieces": [
                [[piece.name, piece.low, piece.high] for piece in group.members]
                for group in model.groups
            ],
            "extra": [[int(x) for x in one] for one in extra] if any(extra) else [],
            "stationary": [
                model.puzzle.space.find(piece.cells).tolist() for piece in model.puzzle.stationary
            ],
            "rows": deflated_bytes(coded(rows)),
            "different": len(rows),
            "complete": complete,
            "total": _total(rows, symmetries) if complete else len(rows),
            "generators": [deflated(one) for one in generators(symmetries)],
            "why": model.reason,
        }

    def _further_items(self, option: int) -> list[int]:
        """The items of an option besides its shape and its cells, each with its colour."""
        problem, layout = self.model.problem, self.model.layout
        own = set(layout.cell_item.tolist())
        found = []
        for item, colour in zip(
            problem.items_of(option).tolist(), problem.colours_of(option).tolist(), strict=True
        ):
            if item not in own and item >= problem.primary:
                found += [item, colour]
        return found


# -- solutions ------------------------------------------------------------------------------------


def coded(rows: Rows) -> bytes:
    """Solutions as bytes; each is ascending."""
    numbers: list[int] = []
    before: tuple[int, ...] = ()
    for row in sorted(rows):
        shared = 0
        while shared < min(len(row), len(before)) and row[shared] == before[shared]:
            shared += 1
        numbers += [shared, len(row) - shared]
        last = row[shared - 1] if shared else 0
        for one in row[shared:]:
            numbers.append(one - last)
            last = one
        before = row
    return b"".join(map(_in_sevens, numbers))


def _in_sevens(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    made.append(number)
    return bytes(made)


# -- symmetries -----------------------------------------------------------------------------------


def generators(group: IntArray) -> list[IntArray]:
    """A few permutations of a group, the identity first, that make all others."""
    if not len(group):
        return []
    known = {group[0].tobytes()}
    made = [group[0]]
    chosen: list[IntArray] = []
    for one in group:
        if one.tobytes() in known:
            continue
        chosen.append(one)
        waiting = list(made)
        while waiting:
            start = waiting.pop()
            for step in chosen:
                after = step[start]
                if after.tobytes() not in known:
                    known.add(after.tobytes())
                    made.append(after)
                    waiting.append(after)
    return chosen


def _total(rows: Rows, group: IntArray) -> int:
    """How many solutions the classes of these have: the order of the group over each stabilizer."""
    total = 0
    for row in rows:
        moved = np.sort(group[:, list(row)], axis=1)
        total += len(group) // int((moved == np.array(row)).all(axis=1).sum())
    return total


# -- arrays ---------------------------------------------------------------------------------------


def deflated(numbers: Sequence[int] | npt.NDArray[np.integer]) -> dict[str, str]:
    """Whole numbers from 0, in the smallest type that holds them."""
    array = np.asarray(numbers, np.int64)
    high = int(array.max(initial=0))
    kind = "Uint8" if high < 1 << 8 else "Uint16" if high < 1 << 16 else "Uint32"
    return {"type": kind, **deflated_bytes(array.astype(f"<u{int(kind[4:]) // 8}").tobytes())}


def deflated_bytes(content: bytes) -> dict[str, str]:
    """Bytes as base64 of their raw deflate stream."""
    packer = zlib.compressobj(9, wbits=-15)
    return {"deflated": b64encode(packer.compress(content) + packer.flush()).decode()}
