"""Problems that every engine is tried on: random tiny ones, and classics with published counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from exactcover.backends import Backend, Branching, Node, Search, Slice, Status, started
from exactcover.problem import Problem

Option = tuple[int, ...]

EVERYTHING = frozenset({"secondary", "colours", "multiplicities"})
"""All that a problem may need of an engine."""


@st.composite
def problems(draw: st.DrawFn, features: frozenset[str]) -> Problem:
    """Problems of up to 7 items and 10 options that need no more than these features."""
    n_items = draw(st.integers(0, 7))
    primary = draw(st.integers(0, n_items)) if "secondary" in features else n_items
    row = st.lists(st.integers(0, n_items - 1), unique=True, max_size=4) if n_items else st.just([])
    rows = draw(st.lists(row, max_size=10))
    entries = [item for row in rows for item in row]
    colours = [0] * len(entries)
    if "colours" in features and draw(st.booleans()):
        colours = [draw(st.integers(0, 2)) if item >= primary else 0 for item in entries]
    ranges = [(1, 1)] * primary
    if "multiplicities" in features and draw(st.booleans()):
        ranges = [
            (low, low + more)
            for low, more in (
                draw(st.tuples(st.sampled_from((1, 0, 2)), st.integers(0, 2)))
                for _ in range(primary)
            )
        ]
    return Problem.from_arrays(
        n_items,
        np.cumsum([0, *map(len, rows)]),
        np.array(entries, np.int32),
        primary=primary,
        colours=colours,
        low=np.array([low for low, _ in ranges], np.int32),
        high=np.array([high for _, high in ranges], np.int32),
    )


@st.composite
def problems_with_places(draw: st.DrawFn, features: frozenset[str]) -> Problem:
    """Problems that often have many solutions, and branch several times on the way to each.

    Every option has a place, which is covered once, and beside it some items with a range, and some
    secondary ones, where these features are allowed.
    """
    places = draw(st.sampled_from((4, 3, 5, 1)))
    ranges = draw(st.sampled_from((1, 2, 0))) if "multiplicities" in features else 0
    others = draw(st.sampled_from((1, 0, 2, 3))) if "secondary" in features else 0
    beside = [places + item for item in range(ranges + others)]
    rows = [
        [place, *(item for item in beside if draw(st.booleans()))]
        for place in range(places)
        for _ in range(draw(st.sampled_from((2, 3, 4, 1))))
    ]
    entries = [item for row in rows for item in row]
    colours = [0] * len(entries)
    if "colours" in features and draw(st.integers(0, 3)):
        colours = [draw(st.integers(0, 3)) if item >= places + ranges else 0 for item in entries]
    low = [draw(st.integers(0, 2)) for _ in range(ranges)]
    high = [max(2, least) + draw(st.integers(0, 1)) for least in low]
    return Problem.from_arrays(
        places + ranges + others,
        np.cumsum([0, *map(len, rows)]),
        np.array(entries, np.int32),
        primary=places + ranges,
        colours=colours,
        low=np.array([1] * places + low, np.int32),
        high=np.array([1] * places + high, np.int32),
    )


def branching(
    chosen: Sequence[int] = (),
    allowed: npt.NDArray[np.bool_] | None = None,
    heuristic: str = "s",
    settings: Mapping[str, str] | None = None,
    **more: Any,
) -> Branching:
    """Branching below these options, by a heuristic unless there are phases."""
    root = Node((*chosen,), allowed)
    if "phases" in more:
        return Branching(root=root, **more)
    return replace(Branching.by(heuristic, settings), root=root, **more)


def solve(
    backend: Backend,
    problem: Problem,
    task: Branching | None = None,
    *,
    steps: int = 1 << 20,
    capacity: int = 1 << 12,
) -> list[Option]:
    """All solutions, in the order in which the engine finds them."""
    return drained(started(backend, problem, None, task or Branching()), steps, capacity)


def drained(search: Search, steps: int = 1 << 20, capacity: int = 1 << 12) -> list[Option]:
    """All solutions of a search, in the order in which it finds them."""
    found: list[Option] = []
    while True:
        made = search.advance(steps, capacity=capacity)
        assert made.found == len(made) <= capacity
        assert (made.status is Status.FULL) <= (len(made) > 0)
        found += made.solutions
        if made.status is Status.DONE:
            return found


def finished(search: Search, steps: int = 1 << 20, *, keep: bool = False) -> Slice:
    """The sum of the slices of a search that is done, without rows."""
    slices = [search.advance(steps, keep=keep)]
    while slices[-1].status is not Status.DONE:
        slices.append(search.advance(steps, keep=keep))
    return Slice.joined(slices, Status.DONE).without_rows()


def count(backend: Backend, problem: Problem, heuristic: str = "s") -> int:
    """How many solutions there are, without taking them."""
    made = finished(started(backend, problem, None, Branching.by(heuristic)))
    assert made.fits >= 0
    assert made.nofits >= 0
    return made.found


# -- classics -------------------------------------------------------------------------------------


def queens(n: int) -> Problem:
    """So many queens on a board of side n; diagonals are secondary."""
    return Problem.from_options(
        [(("file", x), ("rank", y), ("/", x + y), ("\\", x - y)) for x, y in _square(n)],
        primary=[(line, place) for line in ("file", "rank") for place in range(n)],
    )


def langford(n: int) -> Problem:
    """Two each of 1..n in a row, k numbers between the two of k; mirror images count apart."""
    return Problem.from_options(
        [
            (("number", k), ("place", at), ("place", at + k + 1))
            for k in range(1, n + 1)
            for at in range(2 * n - k - 1)
        ]
    )


def latin_squares(n: int, box: int = 1) -> Problem:
    """Squares filled with n symbols; with `box` above 1 boxes hold each symbol too (sudoku)."""
    return Problem.from_options(
        [
            (
                ("cell", x, y),
                ("column", x, symbol),
                ("row", y, symbol),
                *([("box", x // box, y // box, symbol)] if box > 1 else []),
            )
            for x, y in _square(n)
            for symbol in range(n)
        ]
    )


def dominating_queens(n: int, many: int) -> Problem:
    """So many queens that every cell of a board of side n is held or attacked at least once."""

    def reached(x: int, y: int) -> Iterable[tuple[int, int]]:
        return [
            (a, b) for a, b in _square(n) if a == x or b == y or a + b == x + y or a - b == x - y
        ]

    return Problem.from_options(
        [("queens", *reached(x, y)) for x, y in _square(n)],
        multiplicity={"queens": many, **dict.fromkeys(_square(n), (1, many))},
    )


def _square(n: int) -> Iterator[tuple[int, int]]:
    return product(range(n), range(n))
