"""The plain reference: every solution of a `Problem`, by a recursion that one can read and trust.

It goes through the options in order and takes or leaves each one; it leaves an option that no
primary item asks for, takes one only where nothing is overfull, and at the end keeps what has
enough. It knows no heuristics and shares nothing with the engines, which are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from exactcover.problem import Problem

Entry = tuple[int, int]
"""An item and the colour that an option gives it (0: none)."""


def solutions(problem: Problem) -> Iterator[tuple[int, ...]]:
    """Every set of options that solves the problem, once, as ascending option numbers."""
    rows: list[list[Entry]] = [
        [
            (int(item), int(colour))
            for item, colour in zip(problem.items_of(o), problem.colours_of(o), strict=True)
        ]
        for o in range(problem.n_options)
    ]
    low, high = problem.low.tolist(), problem.high.tolist()

    def fits(chosen: tuple[int, ...], row: list[Entry]) -> bool:
        for item, colour in row:
            before = [c for o in chosen for i, c in rows[o] if i == item]
            if item < problem.primary:
                if len(before) + 1 > high[item]:
                    return False
            elif before and (colour == 0 or any(c != colour for c in before)):
                return False
        return any(item < problem.primary for item, _ in row)

    def still_possible(chosen: tuple[int, ...], following: int) -> bool:
        """Whether each item could yet get enough, if nothing stood in the way."""
        left = [*chosen, *range(following, problem.n_options)]
        return all(
            sum(i == item for o in left for i, _ in rows[o]) >= low[item]
            for item in range(problem.primary)
        )

    def extend(chosen: tuple[int, ...], following: int) -> Iterator[tuple[int, ...]]:
        if not still_possible(chosen, following):
            return
        if following == problem.n_options:
            yield chosen
            return
        if fits(chosen, rows[following]):
            yield from extend((*chosen, following), following + 1)
        yield from extend(chosen, following + 1)

    yield from extend((), 0)
