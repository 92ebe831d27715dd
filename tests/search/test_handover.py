"""Hand-over between engines: whatever the stages, each solution is found, and found once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import get_backend
from exactcover.backends.base import Branching, Status
from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice, lattices
from exactcover.problem import Problem
from exactcover.problem.layout import Layout, pieces_left
from exactcover.search.plan import Plan, make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.drawn_strategies import drawn_strategy, found_by
from tests.helpers.examples import few, some
from tests.helpers.naive_tiling import tilings
from tests.helpers.plain_puzzles import plain_puzzles, told
from tests.helpers.small_problems import branching
from tests.helpers.summed import searched, started

LATTICES = [name for name, lattice in lattices().items() if lattice.dimension <= 4]


def check(
    problem: Problem, layout: Layout | None, plan: Plan, data: st.DataObject, wanted: list[object]
) -> None:
    strategy = drawn_strategy(data, problem, geometry=layout is not None)
    steps, capacity = data.draw(st.sampled_from((3, 100, 1 << 16))), data.draw(st.integers(1, 3))
    search = searched(plan, strategy, Branching(tally=True))
    assert sorted(found_by(search, steps, capacity)) == wanted
    # States of a cut, wherever it lies in the stages, share the solutions among them.
    cut = data.draw(st.integers(0, pieces_left(problem, layout) + 1))
    search = searched(plan, strategy, Branching(), cut)
    parts: list[tuple[int, ...]] = []
    while True:
        batch = search.advance(steps, capacity=1)
        if len(batch):
            node = search.below()
            assert batch.solution(0) == tuple(sorted(node.chosen))
            assert search.report().chosen == node.chosen
            rest = branching(node.chosen, node.allowed, tally=True)
            parts += found_by(started(get_backend("dlx"), problem, layout, rest), 1 << 16, 100)  # type: ignore[arg-type]
        if batch.status is Status.DONE:
            break
    assert sorted(parts) == wanted


@pytest.mark.parametrize("name", some(LATTICES, one_in=3, first=0))
@given(data=st.data())
@few
def test_every_list_of_stages_finds_the_tilings(name: str, data: st.DataObject) -> None:
    plain = data.draw(plain_puzzles(get_lattice(name), 8))
    try:
        model = told(plain).model
    except PuzzleError:
        return
    if model.reason:
        return
    plan = make_plan(Subject(model.problem, model), Strategy.parse("dlx:s"))
    search = started(get_backend("dlx"), model.problem, model.layout, Branching(tally=True))
    wanted = sorted(found_by(search, 1 << 16, 100))  # type: ignore[arg-type]
    assert len(wanted) == len(tilings(plain))
    check(model.problem, model.layout, plan, data, wanted)  # type: ignore[arg-type]


P5 = (2339, 2_091_215, 4_682_886)


@pytest.mark.parametrize(
    ("strategy", "figures"),
    some(
        [
            ("redundancy; volume; dlx:s; fila:f@11 nof=adjacent", P5),
            ("redundancy; volume; bsx:s; fila:f@11 nof=adjacent", P5),
            ("redundancy; volume@12; dlx:s; fila:f@11 nof=adjacent", P5),
            ("redundancy; volume; dlx:s; dlx:f@8; bsx:s@7", None),
        ],
        one_in=2,
    ),
)
def test_the_article_through_a_whole_strategy(
    strategy: str, figures: tuple[int, int, int] | None
) -> None:
    """P5, whoever places the first piece."""
    solving = ec.Solving(
        ec.read("pentominoes_10x6"), counted="rotations", strategy=strategy, tally=True
    )
    result = solving.run()
    if figures is not None:
        assert (result.solutions, result.fits, result.nofits) == figures
    assert result.solutions == 2339
    assert sum(row.fits for row in result.by_remaining) == result.fits
    assert sum(row.nofits for row in result.by_remaining) == result.nofits
    assert [row.remaining for row in result.by_remaining] == list(range(12, 0, -1))
    first, second = result.by_remaining[:2]
    stages = solving.strategy.stages
    assert (first.stage, second.stage) == (
        str(stages[0]),
        str(stages[1 if stages[1].remaining == 11 else 0]),
    )
