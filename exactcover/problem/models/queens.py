"""Queens that do not attack each other: the model that secondary items are for.

Every file and every rank has just one queen, every diagonal at most one. The diagonals of a single
square are left out, since nothing else can lie on them.
"""

from __future__ import annotations

from exactcover.problem import Problem


def queens(n: int) -> Problem:
    """The ways to place n queens on a board of side n; options are named `(file, rank)`."""
    options = {
        (x, y): [("file", x), ("rank", y), *_diagonals(n, x, y)] for x in range(n) for y in range(n)
    }
    lines = [(line, place) for line in ("file", "rank") for place in _middle_first(n)]
    return Problem.from_options(options, primary=lines)


def _diagonals(n: int, x: int, y: int) -> list[tuple[str, int]]:
    return [("up", x - y)] * (abs(x - y) < n - 1) + [("down", x + y)] * (0 < x + y < 2 * n - 2)


def _middle_first(n: int) -> list[int]:
    """Lines from the middle outwards: of equals the first is branched on, and these block most."""
    return sorted(range(n), key=lambda line: abs(2 * line - n + 1))
