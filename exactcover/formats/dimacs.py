"""DIMACS CNF, for any SAT solver.

A small "at most one" is said pair by pair. Other counts go through sequential counters (Sinz 2005):
c[i, j] is true just if at least j of the first i variables are. The counters are defined both ways,
so that each solution of the problem is one model: the chosen options are its true variables among
the first. Costs have no place in CNF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from exactcover.errors import ConversionError
from exactcover.formats.constraints import Constraints, Count, constraints_of, one_problem, remarks
from exactcover.formats.document import Document

PAIRWISE = 6
"""At most one of up to this many variables is written pair by pair."""

MAX_LITERALS = 100_000_000
"""More than this are refused: a counter of a large range takes its square."""


def write_dimacs(documents: Sequence[Document]) -> str:
    """The problem of the one document."""
    problem = one_problem(documents, "cnf")
    made = constraints_of(problem)
    clauses = [f"{' '.join(map(str, clause))} 0" for clause in _clauses(made)]
    comments = ["c the true variables among the first are the chosen options"]
    if problem.costs is not None:
        comments.append("c the costs of the options are left out: cnf cannot say them")
    comments += remarks(documents[0], made, "c")
    head = f"p cnf {made.n_variables} {len(clauses)}"
    return "\n".join([*comments, head, *clauses]) + "\n"


def _clauses(made: Constraints) -> Iterator[tuple[int, ...]]:
    size = sum(len(count.variables) * (_width(count) + 1) for count in made.counts)
    if 8 * size > MAX_LITERALS:
        raise ConversionError("this problem counts too far for cnf: take opb, lp or mps")
    for union in made.unions:
        yield (-union.whole, *union.parts)
        for part in union.parts:
            yield (-part, union.whole)
    # The loop adds variables to `made`, never counts.
    for count in made.counts:
        yield from _counted(made, count)


def _width(count: Count) -> int:
    """How far a counter must count."""
    return count.high + 1 if count.high < len(count.variables) else count.low


def _counted(made: Constraints, count: Count) -> Iterator[tuple[int, ...]]:
    variables, low, high = count.variables, count.low, count.high
    if low > len(variables):
        yield (variables[0],)
        yield (-variables[0],)
    elif high == 0:
        yield from ((-variable,) for variable in variables)
    elif low == len(variables):
        yield from ((variable,) for variable in variables)
    elif low <= 1 and (high >= len(variables) or (high == 1 and len(variables) <= PAIRWISE)):
        if low:
            yield variables
        if high < len(variables):
            yield from ((-one, -other) for one, other in combinations(variables, 2))
    else:
        if low == 1:
            yield variables
        yield from _counter(made, count)


def _counter(made: Constraints, count: Count) -> Iterator[tuple[int, ...]]:
    """A sequential counter as far as it is needed, and its last values."""
    width = _width(count)
    before: list[int] = []
    for number, variable in enumerate(count.variables, 1):
        now: list[int] = []
        for j in range(1, min(number, width) + 1):
            if number == 1:
                now.append(variable)
                continue
            here = made.variable(f"at least {j} of the first {number} of a count")
            now.append(here)
            kept = before[j - 1] if j <= len(before) else None
            one_less = before[j - 2] if j > 1 else None
            # here = kept or (variable and one_less)
            if kept is not None:
                yield (-kept, here)
            yield (-variable, here) if one_less is None else (-variable, -one_less, here)
            rest = () if kept is None else (kept,)
            yield (-here, variable, *rest)
            if one_less is not None:
                yield (-here, one_less, *rest)
        before = now
    if count.high < width:
        yield (-before[count.high],)
    if count.low > 1:
        yield (before[count.low - 1],)
