"""Whole strategies drawn at random, on random puzzles of any lattice, as a user gives them.

A strategy is drawn with everything that its text can say: filters and triggers, once or at every
step, and one to three stages. Solutions and counts are compared with plain references.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypedDict, TypeVar

from hypothesis import event, given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import backends, get_backend
from exactcover.base.values import CONVENTIONS, Convention
from exactcover.errors import CapabilityError, PuzzleError, StrategyError
from exactcover.lattices import lattices
from tests.helpers.examples import few
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import tilings
from tests.helpers.plain_puzzles import plain_puzzles, told

T = TypeVar("T")

LATTICES = st.sampled_from([one for one in lattices().values() if one.dimension <= 3])

LISTING = {
    "dlx": ("s", "f", "x", "R"),
    "fila": ("f", "e", "s", "x"),
    "bsx": ("s", "f"),
    "planes": ("weighed",),
}
ALONE = ("memo:narrow", "memo:f", "automaton:x", "automaton:narrow", "cpsat:s", "bsx:s", "planes")
"""Engines that take a strategy of one stage; bsx and planes take only the first of several."""

REDUNDANCY = ("", "=cell", "=none", " first", "=cell first")
ONCE = ("volume", "parity", "parity=3", "fit", "fit=1")
AT_EVERY_STEP = ("volume@{}", "parity@{}", "fit@{}", "parity-trigger@{}", "parity-trigger=3")
TRIGGERS = ("volume-trigger", "volume-trigger@{}", "parity-trigger")


LEFT = st.integers(0, 4)


def constrained(puzzle: ec.Puzzle) -> list[str]:
    """The arguments of `redundancy` that name a piece."""
    return [f"={one.name}" for one in puzzle.pieces if one.high == 1 and not one.stationary]


def drawn_strategy(data: st.DataObject, puzzle: ec.Puzzle) -> str:
    """The text of a strategy of engines that take the problem; they may refuse its stages."""
    problem = puzzle.model.problem
    able = {name for name in backends() if not get_backend(name).capabilities.missing(problem)}
    parts = []
    if data.draw(st.booleans()):
        parts.append("redundancy" + data.draw(st.sampled_from([*REDUNDANCY, *constrained(puzzle)])))
    kinds = st.sampled_from(ONCE + AT_EVERY_STEP + TRIGGERS)
    parts += [one.format(data.draw(LEFT)) for one in data.draw(st.lists(kinds, max_size=2))]
    alone = [stage for stage in ALONE if stage.partition(":")[0] in able]
    if not data.draw(st.integers(0, 3)):
        return "; ".join([*parts, data.draw(st.sampled_from(alone))])
    for remaining in [None, *sorted(data.draw(st.sets(LEFT, max_size=2)), reverse=True)]:
        engine = data.draw(st.sampled_from([name for name in LISTING if name in able]))
        stage = f"{engine}:{data.draw(st.sampled_from(LISTING[engine]))}"
        parts.append(stage if remaining is None else f"{stage}@{remaining}")
    return "; ".join(parts)


class Ways(TypedDict):
    counted: Convention
    strategy: str


def unless_refused(answer: Callable[[], T]) -> T | None:
    """The answer; None if an engine or a filter refuses the puzzle or the strategy."""
    try:
        return answer()
    except (CapabilityError, PuzzleError, StrategyError):
        return None


@given(counted=st.sampled_from(CONVENTIONS), data=st.data())
def test_any_strategy_finds_one_solution_of_each_class(
    counted: Convention, data: st.DataObject
) -> None:
    plain = data.draw(plain_puzzles(data.draw(LATTICES), 8, mixed=True))
    try:
        puzzle = told(plain)
        default = [one.options for one in ec.solve(puzzle, counted=counted)]
    except PuzzleError:
        event("the puzzle is refused")
        return
    classes = orbits(plain, tilings(plain), counted)
    assert len(default) == ec.count(puzzle, counted=counted) == len(classes)
    text = drawn_strategy(data, puzzle)
    strategy = ec.Strategy.parse(text)
    assert ec.Strategy.parse(str(strategy)) == strategy
    ways: Ways = {"counted": counted, "strategy": text}
    listed = unless_refused(lambda: [one.options for one in ec.solve(puzzle, **ways)])
    number = unless_refused(lambda: ec.count(puzzle, **ways))
    event(f"{'not ' * (listed is None)}listed, {'not ' * (number is None)}counted")
    assert number in (None, len(classes)), text
    if listed is not None:
        assert len(listed) == len(set(listed)) == len(classes), text
        assert counted != "all" or set(listed) == set(default)


@given(counted=st.sampled_from(CONVENTIONS), data=st.data())
@few
def test_any_two_filters_count_the_same_or_are_refused(
    counted: Convention, data: st.DataObject
) -> None:
    plain = data.draw(plain_puzzles(data.draw(LATTICES), 8, mixed=True))
    try:
        puzzle = told(plain)
        classes = len(orbits(plain, tilings(plain), counted))
    except PuzzleError:
        return
    kinds = [f"redundancy{one}" for one in (*REDUNDANCY, *constrained(puzzle))]
    kinds += [one.format(data.draw(LEFT)) for one in ONCE + AT_EVERY_STEP + TRIGGERS]
    one = [data.draw(st.sampled_from(kinds))]
    for first, second in [*product(one, kinds), *product(kinds, one)]:
        text = f"{first}; {second}; dlx:s"
        number = unless_refused(lambda text=text: ec.count(puzzle, counted=counted, strategy=text))
        assert number in (None, classes), text
        assert number is None or not (first + second).count("redundancy") > 1, text
