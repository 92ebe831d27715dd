"""Exports of a problem for other solvers: DIMACS CNF, OPB, LP and MPS.

A problem becomes two kinds of constraint on variables that are true or false. Variable o + 1 is
true where option o is chosen. Only a colour needs more: where several options give a secondary item
the same colour, a further variable is true just if one of them is chosen. It is defined both ways,
so that a problem's solutions and its models are one to one.

OPB, LP and MPS have the same rows. Where a range has two ends it is two rows, since the formats
differ in how they say a range.

CNF says a small "at most one" pair by pair. Other counts go through sequential counters (Sinz
2005): c[i, j] is true just if at least j of the first i variables are. The counters are defined
both ways too, so that each solution of the problem is one model: the chosen options are its true
variables among the first. Costs have no place in CNF.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from textwrap import wrap

import numpy as np

from exactcover.errors import ConversionError
from exactcover.formats.contents import Document, Remarks
from exactcover.problem import Problem

MAX_SCALE = 10**18
"""Costs that need more than this factor to become whole are refused."""


@dataclass(frozen=True)
class Count:
    """Of the literals, at least `low` and at most `high` are true: variables, or negated ones."""

    literals: tuple[int, ...]
    low: int
    high: int


@dataclass
class Constraints:
    """Variables 1..n_options are the options; those up to n_variables stand for colours.

    unions  define the variables of colours
    """

    problem: Problem
    n_variables: int
    counts: list[Count] = field(default_factory=list)
    unions: list[Count] = field(default_factory=list)
    meanings: dict[int, str] = field(default_factory=dict)

    def variable(self, meaning: str) -> int:
        self.n_variables += 1
        self.meanings[self.n_variables] = meaning
        return self.n_variables


def constraints_of(problem: Problem) -> Constraints:
    """The conditions that a choice of options must meet to be a solution."""
    made = Constraints(problem, problem.n_options)
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    for option in np.flatnonzero(~problem.choosable).tolist():
        made.counts.append(Count((option + 1,), 0, 0))
    for item in range(problem.primary):
        options = tuple((problem.options_of(item) + 1).tolist())
        low, high = int(problem.low[item]), int(problem.high[item])
        if low > len(options):
            name = _word(problem.items[item])
            made.counts.append(Count((made.variable(f"{name} cannot be covered"),), 2, 2))
        elif low or high < len(options):
            made.counts.append(Count(options, low, min(high, len(options))))
    by_colour: list[dict[int, list[int]]] = [{} for _ in range(problem.n_items)]
    for place in np.flatnonzero(problem.entries >= problem.primary).tolist():
        item, colour = int(problem.entries[place]), int(problem.colours[place])
        by_colour[item].setdefault(colour, []).append(int(owners[place]) + 1)
    for item in range(problem.primary, problem.n_items):
        sorts: list[int] = []
        for colour, chosen in sorted(by_colour[item].items()):
            if colour == 0 or len(chosen) == 1:
                sorts += chosen
                continue
            whole = made.variable(f"{_entry(problem, item, colour)} is used")
            made.unions.append(Count((*chosen, -whole), 1, len(chosen) + 1))
            made.unions += [Count((whole, -part), 1, 2) for part in chosen]
            sorts.append(whole)
        if len(sorts) > 1:
            made.counts.append(Count(tuple(sorts), 0, 1))
    return made


# -- what the writers share -----------------------------------------------------------------------


def one_problem(documents: Sequence[Document], form: str) -> Problem:
    """The problem of the one document, where its solutions are those of the puzzle."""
    if len(documents) != 1:
        raise ConversionError(
            f"a {form} file holds one problem, not {len(documents)}: pick one, for example with #1"
        )
    document = documents[0]
    model = document.model
    if model is not None and model.reason and model.puzzle.region.empty is not None:
        raise ConversionError(
            f"{document.name} has no solution, which {form} could not say: {model.reason}"
        )
    return document.problem


def remarks(document: Document, made: Constraints, mark: str) -> Iterator[str]:
    """Comment lines: what the problem is, and what each variable means."""
    yield from Remarks.written(document.title, document.source, document.counts, mark)
    problem = made.problem
    for option in range(problem.n_options):
        items, colours = problem.items_of(option).tolist(), problem.colours_of(option).tolist()
        words = [_entry(problem, *entry) for entry in zip(items, colours, strict=True)]
        named = f" {_word(problem.option_name(option))}" if problem.option_names else ""
        yield f"{mark} x{option + 1} = option {option}{named}: {' '.join(words)}"
    for variable, meaning in made.meanings.items():
        yield f"{mark} x{variable} = {meaning}"


def whole_costs(problem: Problem) -> tuple[list[int], int]:
    """The costs times the least factor that makes them whole, and that factor."""
    if problem.costs is None:
        return [], 1
    exact = [Fraction(repr(float(cost))) for cost in problem.costs]
    factor = lcm(*(cost.denominator for cost in exact))
    if factor > MAX_SCALE:
        raise ConversionError("opb has whole costs only, and these have too many decimal places")
    return [int(cost * factor) for cost in exact], factor


def name_text(name: object) -> str:
    """A name as text; of a tuple its members with commas."""
    return ",".join(map(str, name)) if isinstance(name, tuple) else str(name)


def cost_text(cost: float) -> str:
    """A cost with all its digits, without a decimal point if it is whole."""
    return str(int(cost)) if cost.is_integer() and abs(cost) < 1 << 53 else repr(cost)


def _entry(problem: Problem, item: int, colour: int) -> str:
    """An item of an option, perhaps with its colour, in one word of a comment."""
    name = _word(problem.items[item])
    return f"{name}:{_word(problem.colour_name(colour))}" if colour else name


def _word(name: object) -> str:
    """A name in one word of a comment."""
    text = name_text(name)
    return "_".join("".join(c if c.isprintable() else " " for c in text).split()) or "_"


# -- linear programs in 0 and 1 -------------------------------------------------------------------


LINE = 200
"""Where lines of LP files are broken: some readers take no more than 255 characters."""

MAX_NAMES = 9_999_999
"""MPS has names of eight characters."""


@dataclass(frozen=True)
class Row:
    """A sum of variables times 1 or -1, compared by `=`, `>=` or `<=` with a number."""

    terms: tuple[tuple[int, int], ...]
    sense: str
    right: int


def rows_of(made: Constraints) -> Iterator[Row]:
    """The rows that say the constraints; a negated variable is 1 minus the variable."""
    for count in (*made.unions, *made.counts):
        terms = tuple((1, one) if one > 0 else (-1, -one) for one in count.literals)
        less = sum(one < 0 for one in count.literals)
        if count.low == count.high:
            yield Row(terms, "=", count.low - less)
            continue
        if count.low:
            yield Row(terms, ">=", count.low - less)
        if count.high < len(terms):
            yield Row(terms, "<=", count.high - less)


# -- OPB ------------------------------------------------------------------------------------------


def write_opb(documents: Sequence[Document]) -> str:
    """The problem of the one document, as the pseudo-Boolean competitions read it."""
    problem = one_problem(documents, "opb")
    made = constraints_of(problem)
    rows = []
    for row in rows_of(made):
        # There is no <=: both sides are multiplied by -1.
        sign, sense = (-1, ">=") if row.sense == "<=" else (1, row.sense)
        factors = " ".join(f"{sign * factor:+d} x{variable}" for factor, variable in row.terms)
        rows.append(f"{factors} {sense} {sign * row.right} ;")
    lines = [f"* #variable= {made.n_variables} #constraint= {len(rows)}"]
    lines += remarks(documents[0], made, "*")
    costs, factor = whole_costs(problem)
    if factor > 1:
        lines.append(f"* the costs are those of the problem times {factor}")
    if costs:
        terms = [f"{cost:+d} x{number}" for number, cost in enumerate(costs, 1) if cost]
        lines.append(f"min: {' '.join(terms or ['+0 x1'])} ;")
    return "\n".join([*lines, *rows]) + "\n"


# -- LP -------------------------------------------------------------------------------------------


def write_lp(documents: Sequence[Document]) -> str:
    """The problem of the one document, in CPLEX's LP format."""
    made = constraints_of(one_problem(documents, "lp"))
    rows = list(rows_of(made))
    variables = range(1, max(made.n_variables, 1) + 1)
    objective = [f"{cost_text(cost)} x{n}" for n, cost in _costs(made)] or ["0 x1"]
    lines = [*remarks(documents[0], made, "\\"), "Minimize"]
    lines += _broken("obj:", _plus(objective))
    lines.append("Subject To")
    for number, row in enumerate(rows, 1):
        terms = _plus([f"{'-' if factor < 0 else ''}x{one}" for factor, one in row.terms])
        lines += _broken(f"c{number}:", [*terms, row.sense, str(row.right)])
    if not rows:
        lines.append(" c1: x1 >= 0")
    lines.append("Binary")
    lines += _broken("", [f"x{variable}" for variable in variables])
    return "\n".join([*lines, "End"]) + "\n"


def _plus(terms: Iterable[str]) -> list[str]:
    """Terms with their signs, the first without a plus."""
    signed = [f"- {term[1:]}" if term.startswith("-") else f"+ {term}" for term in terms]
    return [signed[0].removeprefix("+ "), *signed[1:]]


def _broken(head: str, words: Iterable[str]) -> list[str]:
    text = " ".join([*([head] if head else []), *words])
    return wrap(
        text, LINE, initial_indent=" ", subsequent_indent="   ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _costs(made: Constraints) -> list[tuple[int, float]]:
    costs = made.problem.costs
    listed = [] if costs is None else costs.tolist()
    return [(number, cost) for number, cost in enumerate(listed, 1) if cost]


# -- MPS ------------------------------------------------------------------------------------------


def write_mps(documents: Sequence[Document]) -> str:
    """The problem of the one document, in MPS with fixed columns, which free readers take too."""
    made = constraints_of(one_problem(documents, "mps"))
    rows = list(rows_of(made))
    n_variables = max(made.n_variables, 1)
    if max(n_variables, len(rows)) > MAX_NAMES:
        raise ConversionError(f"mps has names for {MAX_NAMES:,} options and rows only: take lp")
    columns: list[list[tuple[str, str]]] = [[] for _ in range(n_variables)]
    for number, cost in _costs(made):
        columns[number - 1].append(("obj", _mps_number(cost)))
    for number, row in enumerate(rows, 1):
        for factor, variable in row.terms:
            columns[variable - 1].append((f"c{number}", str(factor)))
    letters = {"=": "E", ">=": "G", "<=": "L"}
    lines = [*remarks(documents[0], made, "*"), "NAME          COVER", "ROWS", " N  obj"]
    lines += [f" {letters[row.sense]}  c{number}" for number, row in enumerate(rows, 1)]
    lines += ["COLUMNS", "    M1        'MARKER'                 'INTORG'"]
    for number, column in enumerate(columns, 1):
        for row_name, value in column or [("obj", "0")]:
            lines.append(f"    {f'x{number}':<10}{row_name:<10}{value:>12}")
    lines += ["    M2        'MARKER'                 'INTEND'", "RHS"]
    for number, row in enumerate(rows, 1):
        if row.right:
            lines.append(f"    {'RHS':<10}{f'c{number}':<10}{row.right:>12}")
    lines.append("BOUNDS")
    lines += [f" BV BND       x{number}" for number in range(1, n_variables + 1)]
    return "\n".join([*lines, "ENDATA"]) + "\n"


def _mps_number(cost: float) -> str:
    """A number in at most twelve characters; one that would lose digits is refused."""
    text = cost_text(cost)
    if len(text) > 12:
        raise ConversionError(
            f"mps has numbers of twelve characters, and a cost is {text}: take lp"
        )
    return text


# -- DIMACS CNF -----------------------------------------------------------------------------------


PAIRWISE = 6
"""At most one of up to this many variables is written pair by pair."""

MAX_LITERALS = 100_000_000
"""More than this are refused: a counter of a large range takes its square."""


def write_cnf(documents: Sequence[Document]) -> str:
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
    size = sum(len(count.literals) * (_width(count) + 1) for count in made.counts)
    if 8 * size > MAX_LITERALS:
        raise ConversionError("this problem counts too far for cnf: take opb, lp or mps")
    # The loop adds variables to `made`, never counts.
    for count in (*made.unions, *made.counts):
        yield from _counted(made, count)


def _width(count: Count) -> int:
    """How far a counter must count."""
    return count.high + 1 if count.high < len(count.literals) else count.low


def _counted(made: Constraints, count: Count) -> Iterator[tuple[int, ...]]:
    variables, low, high = count.literals, count.low, count.high
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
    for number, variable in enumerate(count.literals, 1):
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
