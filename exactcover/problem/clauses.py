"""A problem as conditions on variables that are true or false, and these as clauses.

Variable o + 1 is true where option o is chosen. Only a colour needs more: where several options
give a secondary item the same colour, a further variable is true just if one of them is chosen. It
is defined both ways, so that a problem's solutions and its models are one to one.

Clauses say a small "at most one" pair by pair. Other counts go through sequential counters (Sinz
2005): c[i, j] is true just if at least j of the first i variables are. The counters are defined
both ways too, so that each solution of the problem is one model: the chosen options are its true
variables among the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from exactcover.problem.problem import Problem

PAIRWISE = 6
"""At most one of up to this many variables is written pair by pair."""

MAX_LITERALS = 100_000_000
"""Clauses with more are not made: a counter of a large range takes its square."""

Clause = tuple[int, ...]
"""Variables, or negated ones, of which at least one is true."""


@dataclass(frozen=True)
class Count:
    """Of the literals, at least `low` and at most `high` are true: variables, or negated ones."""

    literals: tuple[int, ...]
    low: int
    high: int

    def bounds(self) -> tuple[int, int]:
        """The bounds of the sum in which a negated variable has the factor -1."""
        negated = sum(one < 0 for one in self.literals)
        return self.low - negated, self.high - negated


@dataclass
class Constraints:
    """Variables 1..n_options are the options; those up to n_variables have a meaning of theirs."""

    n_variables: int
    counts: list[Count] = field(default_factory=list)
    meanings: dict[int, str] = field(default_factory=dict)

    def variable(self, meaning: str) -> int:
        self.n_variables += 1
        self.meanings[self.n_variables] = meaning
        return self.n_variables


def constraints_of(problem: Problem) -> Constraints:
    """The conditions that a choice of options must meet to be a solution."""
    made = Constraints(problem.n_options)
    for option in np.flatnonzero(~problem.choosable).tolist():
        made.counts.append(Count((option + 1,), 0, 0))
    for item in range(problem.primary):
        options = tuple((problem.options_of(item) + 1).tolist())
        low, high = int(problem.low[item]), int(problem.high[item])
        if low and not options:
            options = (made.variable(f"{one_word(problem.items[item])} cannot be covered"),)
            low = high = 2
        if low or high < len(options):
            made.counts.append(Count(options, low, max(low, min(high, len(options)))))
    owners = np.repeat(np.arange(1, problem.n_options + 1), np.diff(problem.starts)).tolist()
    by_colour: list[dict[int, list[int]]] = [{} for _ in range(problem.n_items)]
    for item, colour, owner in zip(
        problem.entries.tolist(), problem.colours.tolist(), owners, strict=True
    ):
        by_colour[item].setdefault(colour, []).append(owner)
    for item in range(problem.primary, problem.n_items):
        sorts: list[int] = []
        for colour, chosen in sorted(by_colour[item].items()):
            if colour == 0 or len(chosen) == 1:
                sorts += chosen
                continue
            whole = made.variable(f"{entry_text(problem, item, colour)} is used")
            made.counts.append(Count((*chosen, -whole), 1, len(chosen) + 1))
            made.counts += [Count((whole, -part), 1, 2) for part in chosen]
            sorts.append(whole)
        if len(sorts) > 1:
            made.counts.append(Count(tuple(sorts), 0, 1))
    return made


# -- names in one word ----------------------------------------------------------------------------


def name_text(name: object) -> str:
    """A name as text; of a tuple its members with commas."""
    return ",".join(map(str, name)) if isinstance(name, tuple) else str(name)


def entry_text(problem: Problem, item: int, colour: int) -> str:
    """An item of an option, perhaps with its colour, in one word of a comment."""
    name = one_word(problem.items[item])
    return f"{name}:{one_word(problem.colour_name(colour))}" if colour else name


def one_word(name: object) -> str:
    """A name in one word of a comment."""
    text = name_text(name)
    return "_".join("".join(c if c.isprintable() else " " for c in text).split()) or "_"


# -- clauses --------------------------------------------------------------------------------------


def clauses_of(made: Constraints) -> list[Clause] | None:
    """The counts as clauses, which may add variables; None if they have too many literals."""
    if 8 * sum(len(one.literals) * (_width(one) + 1) for one in made.counts) > MAX_LITERALS:
        return None
    return [clause for count in made.counts for clause in _clauses(made, count)]


def dimacs(n_variables: int, clauses: list[Clause]) -> Iterator[str]:
    """The lines of a DIMACS file."""
    yield f"p cnf {n_variables} {len(clauses)}"
    for clause in clauses:
        yield f"{' '.join(map(str, clause))} 0"


def _width(count: Count) -> int:
    """How far a counter must count."""
    return count.high + 1 if count.high < len(count.literals) else count.low


def _clauses(made: Constraints, count: Count) -> Iterator[Clause]:
    literals, low, high = count.literals, count.low, count.high
    many = len(literals)
    if low >= many:
        yield from ((literal,) for literal in literals)
        if low > many:
            yield (-literals[0],)
    elif high == 0:
        yield from ((-literal,) for literal in literals)
    else:
        if low:
            yield literals
        if low > 1 or 1 < high < many or (high == 1 and many > PAIRWISE):
            yield from _counter(made, count)
        elif high < many:
            yield from ((-one, -other) for one, other in combinations(literals, 2))


def _counter(made: Constraints, count: Count) -> Iterator[Clause]:
    """A sequential counter as far as it is needed, and its last values."""
    width = _width(count)
    before: list[int] = []
    for number, literal in enumerate(count.literals, 1):
        now = [literal] if number == 1 else []
        for j in range(1, min(number, width) + 1) if number > 1 else ():
            here = made.variable(f"at least {j} of the first {number} of a count")
            now.append(here)
            # here = kept or (literal and less), where `kept` may be false and `less` true
            kept, less = before[j - 1 : j], before[j - 2 : j - 1] if j > 1 else []
            yield from ((-one, here) for one in kept)
            yield (-literal, *(-one for one in less), here)
            yield (-here, literal, *kept)
            yield from ((-here, one, *kept) for one in less)
        before = now
    if count.high < width:
        yield (-before[count.high],)
    if count.low > 1:
        yield (before[count.low - 1],)
