"""The coded solutions of a page: what is decoded is what `solve` finds, on random puzzles."""

from __future__ import annotations

import zlib
from base64 import b64decode
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.lattices import get_lattice
from exactcover.problem import IntArray
from exactcover.studio.playing import coded, deflated
from tests.helpers.examples import few
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = ("square", "hexagonal", "cubic", "fcc", "sticks-square", "hypercubic")


def parted(lengths: dict[str, str], whole: dict[str, str]) -> list[tuple[int, ...]]:
    """An array in parts of these lengths, as `aid.js` reads them."""
    numbers = iter(inflated(whole).tolist())
    return [tuple(islice(numbers, length)) for length in inflated(lengths).tolist()]


def inflated(packed: dict[str, str]) -> IntArray:
    """The numbers of an array."""
    content = zlib.decompress(b64decode(packed["deflated"]), wbits=-15)
    return np.frombuffer(content, f"<u{int(packed['type'][4:]) // 8}")


@pytest.mark.parametrize("name", LATTICES)
@given(data=st.data())
@few
def test_a_code_holds_all_solutions(name: str, data: st.DataObject) -> None:
    try:
        puzzle = told(data.draw(plain_puzzles(get_lattice(name), 8, mixed=True)))
    except ec.PuzzleError:  # such as stationary pieces that cross
        return
    found = list(ec.solve(puzzle, counted="all"))
    code = coded(puzzle.model, found)
    places, shapes = parted(code["sizes"], code["cells"]), inflated(code["shapes"]).tolist()
    covered = [
        sorted((places[place], shapes[place]) for place in row)
        for row in parted(code["lengths"], code["rows"])
    ]
    shape_of = {piece.name: at for at, group in enumerate(puzzle.model.groups)
                for piece in group.members}  # fmt: skip
    expected = [
        sorted(
            (tuple(sorted(puzzle.space.find(np.array(one.cells)).tolist())), shape_of[one.piece])
            for one in solution.placements
            if one.piece in shape_of
        )
        for solution in found
    ]
    assert sorted(covered) == sorted(expected)
    assert code["total"] == len(found)


@pytest.mark.parametrize("numbers", [[], [0], [255], [256], [65_536, 3], [1 << 31]])
def test_arrays_keep_their_numbers(numbers: list[int]) -> None:
    assert inflated(deflated(numbers)).tolist() == numbers
