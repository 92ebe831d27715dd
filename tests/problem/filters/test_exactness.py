"""Filters remove just what they say, by their definitions in plain Python: no more and no less."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.problem.filters.registry import fit_once
from exactcover.problem.filters.totals import parity, volume
from exactcover.problem.filters.tree import Subtree, excluded_by
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.examples import some
from tests.helpers.plain_puzzles import grown
from tests.helpers.small_problems import EVERYTHING, problems

LATTICES = ["square", "hexagonal", "prism", "sticks-square"]


@st.composite
def positions(draw: st.DrawFn, lattice: str) -> Subtree:
    """Positions with up to two options chosen; no option alive conflicts with them.

    The pieces are connected and few, so that not every space can be filled.
    """
    grid = get_lattice(lattice)
    space = draw(grown(grid, draw(st.integers(4, 9))))
    pieces = []
    for number in range(draw(st.integers(1, 3))):
        low = draw(st.integers(0, 1))
        cells = draw(grown(grid, draw(st.integers(1, 4))))
        pieces.append(Piece(f"P{number}", cells, low, low + draw(st.integers(0, 2))))
    loose = draw(st.sampled_from((0, 0, 2, 4)))
    region = Region(space[loose:], space[:loose])
    try:
        model = Puzzle(grid, region, tuple(pieces), reflections=draw(st.booleans())).model
    except PuzzleError:
        assume(False)
    assume(not model.reason and model.problem.n_options)
    chosen, alive = draw_chosen(draw, model.problem, most=2)
    return Subtree(model.problem, model, chosen, alive)


def draw_chosen(draw: st.DrawFn, problem: Problem, most: int) -> tuple[tuple[int, ...], np.ndarray]:
    """Some options that do not conflict, and those that conflict with none of them."""
    chosen: tuple[int, ...] = ()
    alive = problem.choosable.copy()
    for _ in range(draw(st.integers(0, most))):
        if not alive.any():
            break
        option = int(draw(st.sampled_from(np.flatnonzero(alive).tolist())))
        alive &= ~excluded_by(problem, chosen, option)
        chosen = (*chosen, option)
    return chosen, alive


def copies_left(position: Subtree, without: int) -> list[tuple[int, int]]:
    """How many copies of each shape are left, at least and at most, without one of a shape."""
    layout = position.cells.layout
    used = [int(layout.option_shape[option]) for option in position.chosen] + [without]
    return [
        (max(0, low - used.count(shape)), max(0, high - used.count(shape)))
        for shape, (low, high) in enumerate(layout.copies.tolist())
    ]


def totals(
    copies: Iterable[tuple[int, int]], amounts: Iterable[Iterable[int]], most: int
) -> set[int]:
    """The totals up to `most` of so many copies of each piece, each of one of its amounts."""
    found = {0}
    for (low, high), own in zip(copies, amounts, strict=True):
        made, sums = set(), found
        for copy in range(high + 1):
            if copy >= low:
                made |= sums
            sums = {total + amount for total in sums for amount in own if total + amount <= most}
            if not sums or (copy > low and sums <= made):
                break
        found = made
    return found


def cells_of(position: Subtree, option: int) -> set[int]:
    starts, cells = position.cells.option_cells
    return set(cells[starts[option] : starts[option + 1]].tolist())


def parts(position: Subtree, filled: set[int]) -> Iterable[set[int]]:
    """The connected parts of the cells that are not filled."""
    starts, others = position.cells.layout.adjacent
    left = set(range(position.cells.layout.n_cells)) - filled
    while left:
        part, reached = set(), [left.pop()]
        while reached:
            cell = reached.pop()
            part.add(cell)
            beside = left.intersection(others[starts[cell] : starts[cell + 1]].tolist())
            left -= beside
            reached += beside
        yield part


@pytest.mark.parametrize("lattice", some(LATTICES, one_in=4))
@given(data=st.data())
def test_volume(lattice: str, data: st.DataObject) -> None:
    """Some part of the open cells has a volume that no pieces left make."""
    position = data.draw(positions(lattice))
    layout = position.cells.layout
    wanted = position.alive.copy()
    placeable = [shape for shape, (_, high) in enumerate(copies_left(position, -2)) if high]
    if position.cells.layout.connected[placeable].all():
        filled = set().union(*(cells_of(position, option) for option in position.chosen))
        for option in np.flatnonzero(position.alive).tolist():
            copies = copies_left(position, int(layout.option_shape[option]))
            sizes = [[size] for size in layout.shape_size.tolist()]
            makes = totals([(0, high) for _, high in copies], sizes, layout.n_cells)
            for part in parts(position, filled | cells_of(position, option)):
                least = sum(not layout.optional[cell] for cell in part)
                if not makes.intersection(range(least, len(part) + 1)):
                    wanted[option] = False
    event("removed" if (wanted != position.alive).any() else "nothing")
    assert (volume(position) == wanted).all()


@pytest.mark.parametrize("lattice", some(LATTICES, one_in=4, first=1))
@given(data=st.data())
def test_parity(lattice: str, data: st.DataObject) -> None:
    """The other pieces cannot fill what the image leaves of a colour."""
    position = data.draw(positions(lattice))
    layout = position.cells.layout
    colour = st.integers(0, data.draw(st.integers(1, 3)))
    colours = np.array([data.draw(colour) for _ in range(layout.n_cells)], np.int32)
    alive = np.flatnonzero(position.alive).tolist()
    filled = set().union(*(cells_of(position, option) for option in position.chosen))
    wanted = position.alive.copy()
    for number in range(int(colours.max()) + 1):
        black = set(np.flatnonzero(colours == number).tolist())
        open_ = black - filled
        least = sum(not layout.optional[cell] for cell in open_)
        fills = {option: len(cells_of(position, option) & black) for option in alive}
        amounts = [
            {fills[option] for option in alive if layout.option_shape[option] == shape}
            for shape in range(layout.n_shapes)
        ]
        for option in alive:
            shape = int(layout.option_shape[option])
            if shape < 0:  # it leaves a cell empty
                continue
            rest = totals(copies_left(position, shape), amounts, layout.n_cells)
            if not {fills[option] + one for one in rest}.intersection(range(least, len(open_) + 1)):
                wanted[option] = False
    event("removed" if (wanted != position.alive).any() else "nothing")
    assert (parity(position, colours) == wanted).all()


def test_parity_places_a_piece_once() -> None:
    """Four cells of each colour are to be filled: T has 3 + 1, O 2 + 2, and no second T helps."""
    square = get_lattice("square")
    o, t = [(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 0), (1, 0), (2, 0), (1, 1)]
    box = [(x, y) for y in range(4) for x in range(4)]
    pieces = (Piece("O", o), Piece("T", t))
    model = Puzzle(square, Region(box[:8], box[8:]), pieces, reflections=True).model
    position = Subtree(model.problem, model, (), model.problem.choosable.copy())
    of_t = model.layout.option_shape == model.shape_called("T")
    assert of_t.any()
    assert not parity(position, model.colourings()[0])[of_t].any()


@given(data=st.data())
def test_fit(data: st.DataObject) -> None:
    """Some item loses options by it, and has fewer left than it still needs."""
    problem = data.draw(problems(EVERYTHING))
    chosen, alive = draw_chosen(data.draw, problem, most=1)
    wanted = alive.copy()
    for option in np.flatnonzero(alive).tolist():
        beside = alive & ~excluded_by(problem, chosen, option)
        for item in range(problem.primary):
            taken = sum(item in problem.items_of(one) for one in (*chosen, option))
            its = problem.options_of(item)
            loses = bool((alive & ~beside)[its].any())
            if loses and beside[its].sum() < problem.low[item] - taken:
                wanted[option] = False
    event("removed" if (wanted != alive).any() else "nothing")
    assert (fit_once(problem, alive, chosen) == wanted).all()
