"""The planes engine: its stack and subtrees, its size, and what it shares with a batch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Branching, Status
from exactcover.backends.dlx import backend as dlx
from exactcover.backends.planes import backend, search
from exactcover.backends.tasks import checked
from exactcover.errors import CapabilityError, ProblemError
from exactcover.problem import Problem
from examples.sudoku import givens, sudoku
from tests.helpers import naive
from tests.helpers.small_problems import Option, branching, finished, langford, problems, queens
from tests.helpers.summed import started

FEATURES = backend.capabilities.features

INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def run(
    engine: object, problem: Problem, task: Branching, *, keep: bool = False
) -> tuple[int, int]:
    """Search to the end: solutions and choices."""
    search = started(engine, problem, None, task)  # type: ignore[arg-type]
    finished(search, keep=keep)
    assert search.report().nofits == 0
    return search.report().found, search.report().fits


@st.composite
def subtrees(draw: st.DrawFn) -> tuple[Problem, Branching]:
    """A small problem with secondary items and colours, some options chosen, others forbidden."""
    problem = draw(problems(FEATURES))
    numbers = draw(st.permutations(range(problem.n_options)))
    chosen = tuple(numbers[: draw(st.integers(0, min(2, len(numbers))))])
    allowed = None
    if draw(st.booleans()):
        flags = draw(st.lists(st.booleans(), min_size=len(numbers), max_size=len(numbers)))
        allowed = np.array(flags, bool)
    return problem, branching(chosen, allowed)


def below(problem: Problem, task: Branching) -> list[Option]:
    """The solutions of a subtree by the plain reference."""
    root = task.root
    return sorted(
        one
        for one in naive.solutions(problem)
        if set(root.chosen) <= set(one)
        and (root.allowed is None or all(root.allowed[o] or o in root.chosen for o in one))
    )


# -- subtrees -------------------------------------------------------------------------------------


@given(subtrees())
def test_a_prepared_search_finds_what_one_from_the_start_finds(
    subtree: tuple[Problem, Branching],
) -> None:
    problem, task = subtree
    whole = checked(backend, problem, None, Branching())
    try:
        task = checked(backend, problem, None, task)
    except ProblemError:
        return
    search = backend.prepare(problem, None, whole)(task.root, None)
    batch = search.advance(1 << 20)
    assert batch.status is Status.DONE
    assert sorted(map(batch.solution, range(len(batch)))) == below(problem, task)


def test_a_batch_that_is_counted_between_batches_that_are_kept() -> None:
    search = started(backend, langford(7), None, Branching())
    found = len(search.advance(1 << 20, capacity=20))
    before = search.report().found
    assert len(search.advance(30, keep=False)) == 0
    counted = search.report().found - before
    assert counted > 0
    assert found + counted + len(search.advance(1 << 20)) == search.report().found == 52


# -- the tree -------------------------------------------------------------------------------------


def test_the_stack_shows_every_branch() -> None:
    """Two items of three options each: three branches below each of three, all solutions."""
    problem = Problem.from_options([["a"]] * 3 + [["b"]] * 3)
    search = started(backend, problem, None, Branching())
    assert (search.report().position, search.report().progress) == ([], 0)
    stacks, shares = [], []
    while search.advance(1).status is not Status.DONE:
        stacks.append(tuple(search.report().position))
        shares.append(round(9 * search.report().progress, 6))
    assert stacks[0] == ((0, 3),)
    twice = {stack for stack in stacks if len(stack) == 2}
    assert twice == {((a, 3), (b, 3)) for a in range(3) for b in range(3)}
    assert set(shares) == set(range(10))
    assert (search.report().position, search.report().progress) == ([], 1)


def test_it_makes_fewer_choices_than_dancing_cells() -> None:
    task = branching(tuple(givens([INKALA])[0]))
    assert run(dlx, sudoku(), task) == (1, 4411)
    assert run(backend, sudoku(), task) == (1, 1145)


# -- what it refuses ------------------------------------------------------------------------------


def test_tables_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LARGEST", 1000)
    with pytest.raises(CapabilityError, match=r"64 options and 46 items.*can: dlx") as error:
        started(backend, queens(8), None, Branching())
    assert "planes" not in str(error.value).partition("can:")[2]
    verdict = ec.verify(queens(8), engines=("dlx:s", "planes:weighed", "bsx:s"))
    assert verdict.equal
    assert [engine.result for engine in verdict.engines] == ["first", "refused", "equal"]
