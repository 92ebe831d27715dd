"""The counting engine with a memory: against dlx, published counts, and with next to no memory."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from exactcover.backends import Branching, Status, get_backend
from exactcover.backends import memo as engine
from exactcover.backends.memo import MemoSearch
from exactcover.errors import CapabilityError
from exactcover.problem import Coloured, Problem
from tests.helpers.naive import solutions
from tests.helpers.small_problems import (
    EVERYTHING,
    branching,
    langford,
    latin_squares,
    problems,
    problems_with_places,
    queens,
)
from tests.helpers.summed import started

memo = get_backend("memo")


def counted(problem: Problem, heuristic: str, *, steps: int = 1 << 30, chosen: tuple = ()) -> int:
    search = started(memo, problem, None, branching(chosen, heuristic=heuristic))
    while search.advance(steps, keep=False).status is not Status.DONE:
        assert 0 <= search.report().progress <= 1
    assert search.report().progress == 1
    return search.report().found


@given(
    problem=problems(EVERYTHING),
    heuristic=st.sampled_from(["narrow", "f"]),
    steps=st.integers(1, 9),
)
def test_as_many_as_brute_force_finds(problem: Problem, heuristic: str, steps: int) -> None:
    try:
        found = counted(problem, heuristic, steps=steps)
    except CapabilityError:
        event("an option without an item covered once")
        return
    event("solutions" if found else "none")
    assert found == len(list(solutions(problem)))


@given(problem=problems_with_places(EVERYTHING), heuristic=st.sampled_from(["narrow", "f"]))
def test_ranges_and_colours_beside_items_covered_once(problem: Problem, heuristic: str) -> None:
    assert counted(problem, heuristic) == len(list(solutions(problem)))


def composed(seed: int) -> Problem:
    """Up to four blocks, which share some items that are not covered once.

    In a block items can often be swapped, are forced, or have no option at all.
    """
    drawn = random.Random(seed)
    beside = [f"{kind}{n}" for kind in "rcs" for n in range(drawn.choice((0, 0, 1, 2)))]
    rows: list[list[object]] = []
    for block in range(drawn.randint(1, 4)):
        items = [f"{block}{letter}" for letter in "abcdef"[: drawn.randint(1, 5)]]
        sets = [some for many in (1, 2, 3) for some in combinations(items, many)]
        if drawn.random() < 0.5:
            sets = drawn.sample(sets, min(len(sets), drawn.randint(1, 9)))
        else:
            sets = [some for some in sets if len(some) <= 2][: 3 if len(items) > 4 else None]
        share = drawn.choice((0.0, 0.1, 0.4))
        for some in sets:
            row: list[object] = [*some]
            for item in beside:
                if drawn.random() < share:
                    colour = drawn.choice("xyz ").strip() if item[0] == "c" else ""
                    row.append(Coloured(item, colour) if colour else item)
            rows += [row] * drawn.choice((1, 1, 1, 1, 2))
    drawn.shuffle(rows)
    del rows[26:]
    used = {str(one.item if isinstance(one, Coloured) else one) for row in rows for one in row}
    ranges = {
        one: (low, low + drawn.randint(1, 2))
        for one in beside
        if one[0] == "r" and one in used
        for low in [drawn.choice((0, 0, 1, 2))]
    }
    return Problem.from_options(
        rows,
        secondary=[one for one in beside if one[0] in "cs" and one in used],
        multiplicity=ranges,
    )


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 20_000), marks=pytest.mark.slow)]
)
def test_problems_that_fall_apart(seeds: range) -> None:
    for seed in seeds:
        problem = composed(seed)
        many = len(list(solutions(problem)))
        for heuristic in ("narrow", "f"):
            assert counted(problem, heuristic, steps=1 + seed % 7) == many, seed


def dominoes(width: int, height: int) -> Problem:
    options = [((x, y), (x + 1, y)) for x in range(width - 1) for y in range(height)]
    options += [((x, y), (x, y + 1)) for x in range(width) for y in range(height - 1)]
    cells = [(x, y) for x in range(width) for y in range(height)]
    return Problem.from_options(options, primary=cells)


@pytest.mark.parametrize("rule", ["f", "narrow"])
@pytest.mark.parametrize(
    ("problem", "many"),
    [
        (dominoes(8, 8), 12_988_816),
        (queens(8), 92),
        (langford(8), 300),
        (latin_squares(4), 576),
        (latin_squares(4, box=2), 288),
    ],
    ids=["dominoes", "queens", "langford", "latin", "sudoku"],
)
def test_published_counts(problem: Problem, many: int, rule: str) -> None:
    assert counted(problem, rule) == many


def test_counts_of_any_size_are_exact() -> None:
    many = 150  # so many independent choices of three: the count takes four words
    rows = [[item] for item in range(many) for _ in range(3)]
    assert counted(Problem.from_options(rows), "f") == 3**many
    pairs = [[n, n + 1] for n in range(300)] + [[n] for n in range(301)]
    one, other = 1, 1  # Fibonacci
    for _ in range(301):
        one, other = other, one + other
    assert counted(Problem.from_options(pairs), "f") == one > 1 << 200
    assert (
        counted(dominoes(10, 10), "narrow") == 258_584_046_368
    )  # Kasteleyn; 258500842280 was published
    assert counted(dominoes(12, 12), "f") == 53_060_477_521_960_000


def test_next_to_no_memory_costs_time_and_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    # In a table of one place all states have the same hash, so only whole keys tell them apart.
    monkeypatch.setattr(engine, "FIRST_SLOTS", 1)
    monkeypatch.setattr(engine, "MEMORY", 0)
    for problem, many in ((dominoes(6, 6), 6728), (queens(6), 4), (langford(7), 52)):
        search = started(memo, problem, None, Branching.by("f"))
        search.advance(1 << 40, keep=False)
        assert isinstance(search.search, MemoSearch)
        assert search.report().found == many
        assert search.search.states == 1


def test_a_table_keeps_to_its_memory() -> None:
    search = started(memo, dominoes(12, 12), None, Branching.by("f", {"memory": "1"}))
    search.advance(1 << 40, keep=False)
    assert isinstance(search.search, MemoSearch)
    assert search.report().found == 53_060_477_521_960_000
    assert search.search.table.bytes <= 1 << 20


def test_below_chosen_options() -> None:
    problem = latin_squares(4)
    parts = [counted(problem, "f", chosen=(int(o),)) for o in problem.options_of(0)]
    assert sum(parts) == 576
    assert len(set(parts)) == 1
