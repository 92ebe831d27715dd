"""The best solution: against the list of all, and as it is asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.base import patience
from exactcover.errors import ExactCoverError, UnknownName
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle
from exactcover.search.optimum import QUANTITIES, Best, Optimizing
from tests.helpers import naive
from tests.helpers.examples import few
from tests.helpers.plain_puzzles import priced, small_model

SQUARE = ec.get_lattice("square")


@given(puzzle=priced(), quantity=st.sampled_from(QUANTITIES), most=st.booleans())
@few
def test_none_of_all_solutions_is_better(puzzle: Puzzle, quantity: str, most: bool) -> None:
    model = small_model(puzzle)
    if quantity == "cost" and model.problem.costs is None:
        with pytest.raises(ExactCoverError, match="the problem has no costs"):
            Optimizing(puzzle, least="cost")
        return
    stationary = len(puzzle.stationary)

    def value(solution: ec.Solution) -> float:
        placed = solution.placements[stationary:]
        if quantity == "pieces":
            return len(placed)
        return solution.cost if quantity == "cost" else sum(len(one.cells) for one in placed)

    values = [
        value(ec.Solution(tuple(options), model.problem, model))
        for options in naive.solutions(model.problem)
    ]
    best = ec.best(puzzle, workers=1, **{"most" if most else "least": quantity})
    if not values:
        assert (best.status, best.solution, best.value) == ("impossible", None, None)
        return
    assert best.status == "complete"
    assert best.solution is not None
    assert best.value == pytest.approx((max if most else min)(values))
    assert value(best.solution) == pytest.approx(best.value)
    assert best.bound == pytest.approx(best.value)


@pytest.mark.parametrize(
    ("name", "aim", "value"),
    [
        ("squares_13x11", "least cost", 6),  # OEIS A219158
        ("v_pentominoes_8x8", "most cells", 5 * 12),  # OEIS A214294
        ("tetrominoes_franklin", "least cost", 428),
    ],
)
def test_what_the_shipped_files_state(name: str, aim: str, value: float) -> None:
    best = ec.best(ec.read(name))
    assert (best.status, best.aim, best.value, best.bound) == ("complete", aim, value, value)


def test_what_numbers_alone_prove_needs_no_search() -> None:
    """Forty cells are ten tetrominoes; CP-SAT does not see that in a minute."""
    best = ec.best(ec.read("tetrominoes_any_8x5"), least="pieces", time_limit=30)
    assert (best.status, best.value, best.bound) == ("complete", 10, 10)


COSTLY = Problem.from_options(
    [["a", "b"], ["c"], ["a"], ["b", "c"], ["b"], ["a", "c"]], costs=[3, 2, 1, 4, 1.5, 2.5]
)


@pytest.mark.parametrize(
    ("subject", "aim"),
    [
        pytest.param("tetrominoes_franklin", {}, marks=pytest.mark.slow),
        ("v_pentominoes_8x8", {"most": "pieces"}),
        ("assignment", {"most": "cost"}),
        ("queens_8", {"least": "pieces"}),
        ("mutilated_chessboard", {"least": "pieces"}),
        (COSTLY, {}),
    ],
)
def test_the_best_value_does_not_depend_on_the_workers(
    subject: str | Problem, aim: dict[str, str]
) -> None:
    """Which of the best solutions is found does, but not for one worker."""
    given = ec.read(subject) if isinstance(subject, str) else subject
    found = [ec.best(given, workers=number, **aim) for number in (1, 4, None)]
    assert {(one.status, one.value, one.bound) for one in found} == {
        (found[0].status, found[0].value, found[0].bound)
    }
    again = ec.best(given, workers=1, **aim)
    if found[0].solution is None:
        assert (again.status, again.solution) == ("impossible", None)
        return
    assert again.solution is not None
    assert again.solution.options == found[0].solution.options


@pytest.mark.parametrize("workers", [1, 4])
def test_a_time_limit_with_workers(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second that setting up has in any case never passes, however busy the machine is."""
    monkeypatch.setattr(patience, "monotonic", lambda: 0.0)
    found = ec.best(ec.read("pentominoes_1s_10x9"), least="pieces", workers=workers, time_limit=0.0)
    assert (found.status, found.bound) == ("limit", 18)


def test_what_is_best_if_nothing_is_said() -> None:
    cells = [(x, 0) for x in range(3)]
    domino = ec.Piece("I", [(0, 0), (1, 0)], 0, 1)
    assert ec.best(ec.Puzzle(SQUARE, ec.Region([], cells), (domino,))).aim == "most cells"
    dear = ec.Piece("I", [(0, 0), (1, 0)], 0, 1, cost=3)
    found = ec.best(ec.Puzzle(SQUARE, ec.Region([], cells), (dear,)))
    assert (found.aim, found.value) == ("least cost", 0)
    with pytest.raises(ExactCoverError, match="all solutions are equally good"):
        ec.best(Problem.from_options([["a"]]))
    with pytest.raises(ExactCoverError, match="say one of them"):
        ec.best(Problem.from_options([["a"]]), least="pieces", most="pieces")
    with pytest.raises(ExactCoverError, match="costs= are for"):
        ec.best(Problem.from_options([["a"]]), least="pieces", costs=[1])
    with pytest.raises(UnknownName, match="least"):
        ec.best(Problem.from_options([["a"]]), least="fun")


def test_it_is_told_on_the_way_and_stopped_with_what_it_has() -> None:
    cross = ec.Piece("V", [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)], 0, None)
    board = [(x, y) for x in range(16) for y in range(16)]
    puzzle = ec.Puzzle(SQUARE, ec.Region([], board), (cross,))
    search = Optimizing(puzzle, most="cells", workers=2)
    told: list[Best] = []

    def tell(so_far: Best) -> None:
        told.append(so_far)
        if so_far.value is not None:
            search.stop()

    found = search.run(tell)
    assert told[0].status == "searching"
    assert found.status == "interrupted"
    assert found.solution is not None
    assert found.value is not None
    assert found.bound is not None
    assert 0 < found.value == 5 * len(found.solution.placements) <= found.bound <= 256
