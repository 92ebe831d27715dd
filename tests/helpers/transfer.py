"""A second opinion on counts that nobody can list: a transfer matrix of dictionaries.

The items that are covered once at most are taken in some order. Whatever covers the first open one
is chosen among the options whose first item it is; so all that matters of what was chosen is which
items further on are covered, and how often the others are. That is the key of a dictionary, and the
number of ways to come there is its value. Python's whole numbers know no bound, and nothing of the
engines is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from exactcover.backends import Branching
from exactcover.backends.automaton import count
from exactcover.problem import Problem
from exactcover.puzzle import Puzzle

State = tuple[int, tuple[int, ...]]
"""What is covered of the items further on, as bits, and how often each ranged item is."""

Step = tuple[int, tuple[int, ...]]
"""What an option adds to a state."""


def transfer_count(problem: Problem, order: Sequence[int] | None = None) -> int:
    """How many solutions a problem without colours has.

    order  the items that are covered once at most: primary ones with 1..1 and secondary ones, in
           the order in which they are filled; None: as they are numbered
    """
    assert not problem.colours.any()
    low, high = problem.low.tolist(), problem.high.tolist()
    ranged = [item for item in range(problem.primary) if (low[item], high[item]) != (1, 1)]
    single = [item for item in range(problem.n_items) if item not in ranged]
    if order is None:
        order = single
    assert sorted(order) == single, "an order names every item that is covered once at most"
    steps = _steps(problem, order, ranged)
    most = [high[item] for item in ranged]

    states: dict[State, int] = {(0, (0,) * len(ranged)): 1}
    for place, item in enumerate(order):
        following: dict[State, int] = {}
        for (covered, used), ways in states.items():
            rest = covered >> 1
            if covered & 1:
                following[rest, used] = following.get((rest, used), 0) + ways
                continue
            if item >= problem.primary:
                following[rest, used] = following.get((rest, used), 0) + ways
            for mask, more in steps[place]:
                if not mask & rest:
                    sums = _sum(used, more) if ranged else used
                    if not ranged or _within(sums, most):
                        key = mask | rest, sums
                        following[key] = following.get(key, 0) + ways
        states = following

    for _, more in steps[len(order)]:  # options that cover nothing but ranged items
        following = dict(states)
        for (covered, used), ways in states.items():
            key = covered, _sum(used, more)
            if _within(key[1], most):
                following[key] = following.get(key, 0) + ways
        states = following
    least = [low[item] for item in ranged]
    return sum(ways for (_, used), ways in states.items() if _within(least, used))


def _steps(problem: Problem, order: Sequence[int], ranged: Sequence[int]) -> list[list[Step]]:
    """By the place of an option's first item in the order: what it covers after it, and counts.

    The last list has the options with no item in the order. An option without a primary item is
    never chosen, so it is in none.
    """
    place_of = {item: place for place, item in enumerate(order)}
    steps: list[list[Step]] = [[] for _ in range(len(order) + 1)]
    for option in range(problem.n_options):
        items = problem.items_of(option).tolist()
        if not any(item < problem.primary for item in items):
            continue
        places = sorted(place_of[item] for item in items if item in place_of)
        first = places[0] if places else len(order)
        mask = sum(1 << (place - first - 1) for place in places[1:])
        steps[first].append((mask, tuple(int(item in items) for item in ranged)))
    return steps


def _sum(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _within(least: Sequence[int], most: Sequence[int]) -> bool:
    return all(a <= b for a, b in zip(least, most, strict=True))


# -- plain boards ---------------------------------------------------------------------------------

Cell = tuple[int, ...]
Graph = dict[Cell, set[Cell]]


def box(*sides: int) -> Graph:
    """The cells of a box in as many dimensions as it has sides, each with its neighbours."""
    return graph(product(*map(range, sides)))


def graph(cells: Iterable[Cell]) -> Graph:
    """Cells of a cubic lattice of any dimension, each with those that share a side with it."""
    listed = list(cells)
    found: Graph = {cell: set() for cell in listed}
    for one in listed:
        for axis in range(len(one)):
            other = (*one[:axis], one[axis] + 1, *one[axis + 1 :])
            if other in found:
                found[one].add(other)
                found[other].add(one)
    return found


DOMINO = ((0, 0), (1, 0))


def by_automaton(puzzle: Puzzle, order: str = "narrow", **told: object) -> int:
    """The count of the automaton, with this order of cells and these settings."""
    model = puzzle.model
    words = {name: str(value) for name, value in told.items()}
    return count(model.problem, model.layout, Branching.by(order, words)).run()
