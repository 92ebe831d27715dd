"""The coded solutions of a page: what is decoded is what `solve` finds, on random puzzles."""

from __future__ import annotations

import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.app.playing import Coding, coded, deflated, generators
from exactcover.lattices import get_lattice
from exactcover.problem import IntArray
from tests.helpers.examples import few
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = ("square", "hexagonal", "cubic", "fcc", "sticks-square", "hypercubic")


def decoded(code: bytes) -> list[tuple[int, ...]]:
    """The solutions of a code, sorted, as `play-listed.js` reads them."""
    numbers = from_sevens(code)
    rows: list[tuple[int, ...]] = []
    before: tuple[int, ...] = ()
    for shared in numbers:
        row = list(before[:shared])
        last = row[-1] if row else 0
        for _ in range(next(numbers)):
            last += next(numbers)
            row.append(last)
        before = tuple(row)
        rows.append(before)
    return rows


def orbit(row: tuple[int, ...], steps: Sequence[IntArray]) -> set[tuple[int, ...]]:
    """All solutions that the generated symmetries make of one."""
    found, waiting = {row}, [row]
    while waiting:
        last = waiting.pop()
        after = {tuple(sorted(step[list(last)].tolist())) for step in steps} - found
        found |= after
        waiting += after
    return found


def from_sevens(code: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in code:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def inflated(packed: dict[str, str]) -> bytes:
    """The bytes again."""
    return zlib.decompress(b64decode(packed["deflated"]), wbits=-15)


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
    read = decoded(inflated(code["rows"]))
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
    sizes = np.frombuffer(inflated(data["sizes"]), np.uint8)
    cells = np.frombuffer(inflated(data["cells"]), np.uint8)
    assert len(sizes) == puzzle.model.problem.n_options
    points = puzzle.space.cells[cells]
    starts = np.cumsum(sizes) - sizes
    for place in (0, 17, len(sizes) - 1):
        own = points[starts[place] : starts[place] + sizes[place]]
        option = int(coding.order[place])
        expected = puzzle.model.free.cells[puzzle.model.cells_of(option)]
        assert {tuple(one) for one in own.tolist()} == {tuple(one) for one in expected.tolist()}
    firsts = cells[starts].tolist()
    assert firsts == sorted(firsts)


@given(rows=st.sets(st.frozensets(st.integers(0, 100_000), max_size=9)))
def test_rows_of_any_length(rows: set[frozenset[int]]) -> None:
    sorted_rows = sorted(tuple(sorted(row)) for row in rows)
    assert decoded(coded(sorted_rows)) == sorted_rows


@pytest.mark.parametrize("numbers", [[], [0], [255], [256], [65_536, 3], [1 << 31]])
def test_arrays_keep_their_numbers(numbers: list[int]) -> None:
    packed = deflated(numbers)
    kind = np.dtype(f"<u{int(packed['type'][4:]) // 8}")
    assert np.frombuffer(inflated(packed), kind).tolist() == numbers
