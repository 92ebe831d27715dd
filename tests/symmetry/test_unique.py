"""Unique counts, compared with brute force over every motion, and with published counts."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from exactcover.errors import PuzzleError
from exactcover.lattices import Lattice, lattices
from exactcover.search.solving import Solving
from tests.helpers.examples import few, some
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import tilings
from tests.helpers.plain_puzzles import plain_puzzles, told

LATTICES = [lattice for lattice in lattices().values() if lattice.dimension <= 4]


@pytest.mark.parametrize("counted", ["rotations", "reflections"])
@pytest.mark.parametrize(
    "lattice", some(LATTICES, one_in=3, first=0), ids=lambda lattice: lattice.name
)
@given(data=st.data())
@few
def test_one_solution_of_each_class_is_found(
    lattice: Lattice, counted: str, data: st.DataObject
) -> None:
    plain = data.draw(plain_puzzles(lattice, 6 if lattice.dimension == 4 else 9, mixed=True))
    try:
        puzzle = told(plain)
        solutions = tilings(plain)
        classes = orbits(plain, solutions, counted)
        event(f"{min(3, len(classes))} classes or more")
        event("symmetric" if len(solutions) > len(classes) else "not symmetric")
        for strategy in (
            None,
            "redundancy; dlx:s",
            "redundancy=cell; dlx:s",
            "redundancy=cell first; dlx:f",
            "redundancy=none; dlx:f",
        ):
            solving = Solving(puzzle, counted=counted, strategy=strategy)
            assert sum(1 for _ in solving) == len(classes)
            assert sum(solving.result.symmetric.values()) == len(classes)
    except PuzzleError:
        event("refused")
