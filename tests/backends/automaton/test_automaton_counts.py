"""Counts by the automaton: against the plain reference, dlx, published figures and formulas."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import exactcover as ec
from counts.published.__main__ import kasteleyn
from exactcover.backends import Branching, get_backend
from exactcover.backends.automaton import backend
from exactcover.backends.automaton.kernel import add_count
from exactcover.errors import BrokenSearch, CapabilityError, TooLarge
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.puzzle import Piece, Puzzle, Region
from tests.helpers.automaton_counts import count, to_the_end, total
from tests.helpers.examples import some
from tests.helpers.small_problems import branching, drained, finished
from tests.helpers.summed import started

MIB = 1 << 20


# -- random puzzles on every lattice --------------------------------------------------------------


def test_states_that_take_two_words() -> None:
    """Three cells of a group are filled by two kinds, each twice at most, in 2^3 - 2 ways."""
    groups = 16
    options = [
        [("cell", group, cell), ("kind", group, kind)]
        for group in range(groups)
        for cell in range(3)
        for kind in range(2)
    ]
    twice = {("kind", group, kind): (0, 2) for group in range(groups) for kind in range(2)}
    problem = Problem.from_options(options, multiplicity=twice)
    assert total(problem, None, Branching()) == 6**groups


WORDS = st.sampled_from((0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)) | st.integers(
    0, (1 << 64) - 1
)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
@example([((1 << 64) - 1, 1), ((1 << 64) - 1, 0), (0, 0)])  # carried through the second word
def test_counts_of_several_words_add_up(words: list[tuple[int, int]]) -> None:
    """As whole numbers do, but for what is carried out of the last word."""

    one, other = (np.array(column, np.uint64) for column in zip(*words, strict=True))
    total = other.copy()
    add_count(len(words), one, 0, total, 0)
    added, before, after = (
        int.from_bytes(count.astype("<u8").tobytes(), "little") for count in (one, other, total)
    )
    assert after == (added + before) % (1 << 64 * len(words))


# -- published counts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "solutions"),
    [
        ("pentominoes_10x6", 9356),
        pytest.param("pentominoes_square_8x8", 129_168, marks=pytest.mark.slow),
        pytest.param("pentominoes_8x8_corners", 2170 * 8, marks=pytest.mark.slow),
        ("pentominoes_1s_30x3", 46 * 4),
        ("t_tetrominoes_8x8", None),
        pytest.param("tetrominoes_any_8x5", None, marks=pytest.mark.slow),
        ("tetrominoes_two_sets_8x5", None),
        ("solid_pentominoes_10x3x2", 12 * 8),
        ("tetrahexes_7x4", None),
        ("dominoes_2x2x2x2", None),
    ],
)
def test_published_counts(name: str, solutions: int | None) -> None:
    """Where no figure is given, dlx counts too."""
    model = ec.read(name).model
    if solutions is None:
        solutions = len(
            drained(started(get_backend("dlx"), model.problem, model.layout, Branching()))
        )
    assert total(model.problem, model.layout, Branching()) == solutions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "counted", "solutions"),
    [("PT12", "all", 204_736), ("pentominoes_1s_18x5", "reflections", 686_628)],
)
def test_large_counts(name: str, counted: str, solutions: int) -> None:
    from exactcover.problem.filters.redundancy import choose

    model = ec.read(name).model
    allowed = np.ones(model.problem.n_options, bool)
    if counted != "all":
        made = choose(model.layout, model.symmetries.selected(counted))
        assert made is not None
        allowed = made.allowed
    assert total(model.problem, model.layout, branching((), allowed)) == solutions


def board(width: int, height: int, *pieces: Piece, optional: int = 0) -> Puzzle:
    cells = list(product(range(width), range(height)))
    region = Region(cells[optional:], cells[:optional]) if optional else Region(cells)
    return Puzzle(get_lattice("square"), region, pieces)


DOMINO = [(0, 0), (1, 0)]


@pytest.mark.parametrize(("width", "height"), [(2, 2), (8, 8), (12, 12), (40, 6), (4, 60)])
def test_dominoes_by_the_formula(width: int, height: int) -> None:
    """Also where the count has hundreds of bits."""
    model = board(width, height, Piece("D", DOMINO, 0, None)).model
    counted = total(model.problem, model.layout, Branching())
    assert counted == kasteleyn(width, height)


@pytest.mark.parametrize(("width", "height"), some([(200, 2), (40, 4)], one_in=2))
def test_counted_dominoes_of_two_colours(width: int, height: int) -> None:
    """Two alike shapes told apart by hand: with k of the first, so many ways more."""
    model = board(width, height, Piece("D", DOMINO, 0, None)).model
    dominoes, k = width * height // 2, 3
    plain = model.problem
    options = [list(plain.items_of(option)) for option in range(plain.n_options)]
    problem = Problem.from_options(
        [[*cells, kind] for cells in options for kind in ("red", "blue")],
        multiplicity={"red": k, "blue": dominoes - k},
    )
    ways = dominoes * (dominoes - 1) * (dominoes - 2) // 6
    counted = total(plain, model.layout, Branching())
    assert total(problem, None, Branching.by("f")) == counted * ways
    ranged = Problem.from_options(
        [[*cells, kind] for cells in options for kind in ("red", "blue")],
        multiplicity={"red": (0, k), "blue": (dominoes - k, dominoes)},
    )
    least = 1 + dominoes + dominoes * (dominoes - 1) // 2 + ways
    assert total(ranged, None, Branching.by("f")) == counted * least


# -- bounds ---------------------------------------------------------------------------------------


def test_the_tetris_cube_is_refused_early() -> None:
    model = ec.read("tetriscube").model
    task = Branching.by("s", {"memory": "200"})
    with pytest.raises(TooLarge, match=r"nodes of the automaton do not fit 200 MiB") as caught:
        total(model.problem, model.layout, task)
    error = caught.value
    assert error.expected is not None
    assert error.so_far < 2_000_000  # of sixteen million made, it has not come to the middle
    assert 1e8 < error.expected < 1e12
    assert error.limit == 200 * MIB


def test_what_did_not_fit_does_not_go_on() -> None:
    """Neither without end, nor as if it were done."""
    model = ec.read("pentominoes_10x6").model
    search = started(backend, model.problem, model.layout, Branching.by("s", {"memory": "1"}))
    for error in (TooLarge, BrokenSearch, BrokenSearch):
        with pytest.raises(error):
            finished(search)


def test_it_lists_nothing() -> None:
    model = board(4, 4, Piece("D", DOMINO, 8, 8)).model
    search = started(backend, model.problem, model.layout, Branching())
    with pytest.raises(CapabilityError, match="automaton counts solutions and lists none; dlx"):
        search.advance(1)
    assert finished(search).found == 36


@pytest.mark.parametrize("limit", some([20, 70, 120], one_in=3))
def test_no_more_memory_than_allowed(limit: int) -> None:
    """Fifteen million states: stopped before the limit, and not long before."""
    model = ec.read("pentominoes_1s_18x5").model
    counting = count(model.problem, model.layout, branching(settings={"memory": str(limit)}))
    with pytest.raises(TooLarge, match=f"the states of the count do not fit {limit} MiB") as caught:
        to_the_end(counting)
    assert caught.value.so_far < 75_000 * limit
    assert limit * MIB / 3 < counting.memory.most <= limit * MIB
