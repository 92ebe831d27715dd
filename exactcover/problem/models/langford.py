"""Langford pairs: two each of 1..n in a row, with k numbers between the two of k.

A row reversed is another one. One of the two is kept by allowing one number its places in
the first half only; it is n or n - 1, whichever cannot be its own mirror image.
"""

from __future__ import annotations

from exactcover.problem import Problem


def langford(n: int, *, mirrored: bool = False) -> Problem:
    """The rows of Langford pairs; options are named `(number, first place)`, both from 1.

    With `mirrored`, rows and their reversals both count.
    """
    halved = 0 if mirrored else n - (n % 2 == 0)
    options = {
        (k, place): [("number", k), ("place", place), ("place", place + k + 1)]
        for k in range(1, n + 1)
        for place in range(1, 2 * n - k)
        if k != halved or 2 * place < 2 * n - k
    }
    numbers = [("number", k) for k in range(1, n + 1)]
    places = [("place", place) for place in range(1, 2 * n + 1)]
    return Problem.from_options(options, primary=[*numbers, *places])
