"""The aid beside all tilings of random small puzzles, which a plain reference finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.app.aid import Aid, Prospect
from exactcover.lattices import get_lattice
from exactcover.puzzle import Placement
from tests.helpers.examples import few, some
from tests.helpers.naive_tiling import Kind, PlainPuzzle, kind_of, tilings
from tests.helpers.plain_puzzles import plain_puzzles, told

Laid = tuple[Kind, frozenset[tuple[int, ...]]]

LATTICES = (
    "square",
    "hexagonal",
    "triangular",
    "cubic",
    "fcc",
    "sticks-square",
    "hypercubic",
    "prism",
    "octet",
)


class Reference:
    """A puzzle with all its tilings, and placements in the reference's words."""

    def __init__(self, plain: PlainPuzzle) -> None:
        self.plain = plain
        self.tilings = tilings(plain)
        self._kinds = {
            piece.name: kind_of(plain, piece) for piece in plain.pieces if not piece.stationary
        }

    def laid(self, placements: tuple[Placement, ...]) -> frozenset[Laid]:
        return frozenset((self._kinds[one.piece], frozenset(one.cells)) for one in placements)

    def check(self, aid: Aid) -> Prospect:
        """Compare all that the aid says of its position."""
        placed = self.laid(aid.placed)
        left = [tiling for tiling in self.tilings if placed <= tiling]
        now = aid.wait()
        assert (now.left, now.exact) == (len(left), True)
        if left:
            assert self.laid(now.forced) == frozenset.intersection(*left) - placed
            covered = {cell for tiling in left for _, cells in tiling for cell in cells}
            assert set(now.dead) == self._free() - covered
            assert (now.stuck, now.why) == ((), None)
        self._check_hint(aid, placed, left)
        return now

    def _check_hint(self, aid: Aid, placed: frozenset[Laid], left: list[frozenset[Laid]]) -> None:
        hint = aid.hint()
        assert hint.why
        if left and hint.place is not None:
            one = self.laid((hint.place,))
            assert not one <= placed
            assert any(placed | one <= tiling for tiling in left)
        elif left:
            assert placed in left
        else:
            assert hint.place is None
            if self.tilings:
                fewest = min(len(placed - tiling) for tiling in self.tilings)
                assert len(hint.undo) == fewest
                kept = placed - self.laid(hint.undo)
                assert any(kept <= tiling for tiling in self.tilings)
            else:
                assert hint.undo == ()

    def _free(self) -> set[tuple[int, ...]]:
        fixed = {cell for piece in self.plain.pieces if piece.stationary for cell in piece.cells}
        return {*self.plain.cells, *self.plain.optional} - fixed


@pytest.mark.parametrize("name", some(LATTICES, one_in=3))
@given(data=st.data())
@few
def test_random_moves(name: str, data: st.DataObject) -> None:
    reference = Reference(data.draw(plain_puzzles(get_lattice(name), 8, mixed=True)))
    try:
        puzzle = told(reference.plain)
    except ec.PuzzleError:  # such as stationary pieces that cross
        return
    with Aid(puzzle) as aid:
        reference.check(aid)
        for _ in range(data.draw(st.integers(1, 4))):
            if aid.placed and data.draw(st.integers(0, 3)) == 0:
                gone = data.draw(st.sampled_from(aid.placed))
                aid.remove(gone.cells[0])
            else:
                move(aid, puzzle, data)
            reference.check(aid)


def move(aid: Aid, puzzle: ec.Puzzle, data: st.DataObject) -> None:
    """Place a piece at random, if there is any place for one."""
    free = [tuple(cell) for cell in puzzle.model.free.cells.tolist()]
    if not free or not puzzle.movable:
        return
    name = data.draw(st.sampled_from([piece.name for piece in puzzle.movable]))
    places = aid.places(name, data.draw(st.sampled_from(free)))
    if not places:
        return
    before = aid.placed
    cells = data.draw(st.sampled_from(places))
    try:
        aid.place(name, cells)
    except ec.PuzzleError:
        assert aid.placed == before
    else:
        assert aid.placed[-1].piece == name
        assert set(aid.placed[-1].cells) == set(cells)
