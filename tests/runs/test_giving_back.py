"""A search that hands back branches, and the searches of these, find what one search finds."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends.base import Branching, Status, sum_tallies
from exactcover.backends.node import ROOT, Node
from exactcover.search.plan import Plan, make_plan
from exactcover.search.stages import Stages
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers.drawn_strategies import LATTICES, drawn_plan, drawn_strategy, found_by
from tests.helpers.examples import few, some
from tests.helpers.summed import Summed, searched


def check(
    plan: Plan,
    strategy: Strategy,
    seed: int,
    steps: tuple[int, ...] = (1, 2, 5, 20),
    often: float = 0.4,
) -> None:
    alone = searched(plan, strategy, Branching(tally=True))
    wanted = sorted(found_by(alone, 1 << 16, 100))
    drawn = Random(seed)
    stages = Stages(plan, strategy, Branching(tally=True))
    waiting: list[tuple[Node, Summed | None]] = [(ROOT, None)]
    found: list[tuple[int, ...]] = []
    done: list[Summed] = []
    while waiting:
        subtree, search = waiting.pop(drawn.randrange(len(waiting)))
        if search is None:
            search = Summed(stages.begin(subtree))
        before = search.report().progress
        batch = search.advance(drawn.choice(steps), capacity=drawn.choice((1, 3)))
        found += [batch.solution(number) for number in range(len(batch))]
        if drawn.random() < often:
            parts = search.give_back()
            assert sum(part.share for part in parts) <= 1 + 1e-9
            waiting += [(part, None) for part in parts]
        assert before - 1e-9 <= search.report().progress <= 1 + 1e-9
        if batch.status is Status.DONE:
            assert not search.give_back()
            done.append(search)
        else:
            waiting.append((subtree, search))
    assert sorted(found) == wanted
    assert sum(search.report().found for search in done) == len(wanted)
    lists = strategy.stepwise and any(stage.backend == "fila" for stage in strategy.stages)
    if not lists and (plan.problem.low == plan.problem.high).all():
        assert sum(search.report().fits for search in done) == alone.report().fits
        assert sum(search.report().nofits for search in done) == alone.report().nofits
        assert sum_tallies([search.report().tally for search in done]) == alone.report().tally


@pytest.mark.parametrize("name", LATTICES)
@given(data=st.data())
@few
def test_tilings(name: str, data: st.DataObject) -> None:
    plan = drawn_plan(data, name)
    strategy = drawn_strategy(data, plan.problem, geometry=True)
    check(plan, strategy, data.draw(st.integers(0, 1 << 16)))


@pytest.mark.parametrize(
    ("name", "strategy", "often"),
    some(
        [
            ("pentominoes_20x3", "dlx:s", 0.1),
            ("pentominoes_20x3", "bsx:s", 0.1),
            ("pentominoes_20x3", "fila:f nof=4", 0.1),
            ("pentominoes_20x3", "fila:e; fila:f@8", 0.1),
            ("pentominoes_20x3", "fila:s; dlx:s@7", 0.05),
            ("pentominoes_20x3", "dlx:s; fila:f@11", 0.05),
            ("somacube", "redundancy; fila:f", 0.1),
            ("somacube", "volume; parity; dlx:s", 0.05),
            ("somacube", "fit@7; dlx:s", 0.05),
        ],
        one_in=4,
        first=1,
    ),
)
def test_known_puzzles(name: str, strategy: str, often: float) -> None:
    how = Strategy.parse(strategy)
    plan = make_plan(Subject.of(ec.read(name), "rotations"), how)
    check(plan, how, 1, steps=(1000, 20_000), often=often)


def test_parts_below_a_hand_over_are_shares_of_the_tree_that_is_left() -> None:
    """Once the engine above has handed back its branches, each that it keeps is a larger share."""
    strategy = Strategy.parse("fila:f; bsx:s@9")
    plan = make_plan(Subject.of(ec.read("pentominoes_20x3")), strategy)
    search = searched(plan, strategy)
    search.advance(4000)
    assert [part.left for _ in range(2) for part in search.give_back()] == [11] * 28 + [10]
    root, (behind, branches), *_ = search.report().position
    assert root == (0, 1)
    assert behind == branches - 1 > 0
    left = search.search.share
    below = search.give_back()
    assert 0 < sum(part.share for part in below) <= left / branches
