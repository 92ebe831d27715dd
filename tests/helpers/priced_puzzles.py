"""Random small puzzles that say what pieces and cells cost."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st

from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.puzzle import Model, Puzzle
from tests.helpers.plain_puzzles import plain_puzzles, told

PRICES = (0, 0, 1, 3, -2, 0.1, 0.2, 2.25)


@st.composite
def priced(draw: st.DrawFn, lattice: str = "square", most_cells: int = 8) -> Puzzle:
    """A small puzzle that says what some of its pieces and cells cost."""
    try:
        puzzle = told(draw(plain_puzzles(get_lattice(lattice), most_cells)))
        groups = puzzle.groups
    except PuzzleError:
        assume(False)
    price = st.sampled_from(PRICES)
    by_name = {}
    for group in groups:
        cost = draw(price)
        by_name |= {piece.name: cost for piece in group.members}
    cells = draw(st.lists(price, min_size=len(puzzle.space), max_size=len(puzzle.space)))
    costs = dict(zip(map(tuple, puzzle.space.cells.tolist()), cells, strict=True))
    return replace(
        puzzle,
        pieces=tuple(replace(p, cost=by_name.get(p.name, 0)) for p in puzzle.pieces),
        region=replace(puzzle.region, costs=costs),
    )


def small_model(puzzle: Puzzle) -> Model:
    """Its model, if the plain reference can take it."""
    try:
        model = puzzle.model
    except PuzzleError:
        assume(False)
    assume(model.problem.n_options < 40)
    return model
