"""The coded solutions of a page: what is decoded is what `solve` finds, on random puzzles."""

from __future__ import annotations

import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.app.playing import Coding, deflated, generators
from exactcover.lattices import get_lattice
from exactcover.problem import IntArray
from tests.helpers.examples import few
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = ("square", "hexagonal", "cubic", "fcc", "sticks-square", "hypercubic")


def parted(lengths: dict[str, str], whole: dict[str, str]) -> list[tuple[int, ...]]:
    """An array in parts of these lengths, as `play-solutions.js` reads them."""
    numbers = iter(inflated(whole).tolist())
    return [tuple(islice(numbers, length)) for length in inflated(lengths).tolist()]


def orbit(row: tuple[int, ...], steps: Sequence[IntArray]) -> set[tuple[int, ...]]:
    """All solutions that the generated symmetries make of one."""
    found, waiting = {row}, [row]
    while waiting:
        last = waiting.pop()
        after = {tuple(sorted(step[list(last)].tolist())) for step in steps} - found
        found |= after
        waiting += after
    return found


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
    coding = Coding.of(puzzle.model)
    different = [coding.row(one.options) for one in ec.solve(puzzle, counted="rotations")]
    code = coding.data(different, complete=True)
    read = parted(code["lengths"], code["rows"])
    assert read == sorted(different)
    steps = generators(coding.symmetries())
    every = [one for row in read for one in orbit(row, steps)]
    found = [coding.row(one.options) for one in ec.solve(puzzle, counted="all")]
    assert Counter(every) == Counter(found)
    assert (code["total"], code["different"]) == (len(found), len(different))


def test_the_cells_of_a_placement_are_those_of_the_board() -> None:
    puzzle = ec.read("pentominoes_8x8_corners")
    assert isinstance(puzzle, ec.Puzzle)
    coding = Coding.of(puzzle.model)
    data = coding.data([], complete=False)
    places = parted(data["sizes"], data["cells"])
    assert len(places) == puzzle.model.problem.n_options
    for place in (0, 17, len(places) - 1):
        option = int(coding.order[place])
        expected = puzzle.model.free.cells[puzzle.model.cells_of(option)]
        assert sorted(puzzle.space.cells[[*places[place]]].tolist()) == sorted(expected.tolist())
    assert places == sorted(places)


@pytest.mark.parametrize("numbers", [[], [0], [255], [256], [65_536, 3], [1 << 31]])
def test_arrays_keep_their_numbers(numbers: list[int]) -> None:
    assert inflated(deflated(numbers)).tolist() == numbers
