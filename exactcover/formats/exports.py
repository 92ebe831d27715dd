"""Exports of a problem for other solvers: DIMACS CNF, OPB, LP and MPS.

A problem becomes counts of variables that are true or false. Variable o + 1 is true where option o
is chosen. Only a colour needs more: where several options give a secondary item the same colour, a
further variable is true just if one of them is chosen. It is defined both ways, so that a problem's
solutions and its models are one to one.

OPB, LP and MPS have a row for each count; in OPB a range with two ends is two rows. OR-Tools writes
LP and MPS.

CNF says a small "at most one" pair by pair. Other counts go through sequential counters (Sinz
2005): c[i, j] is true just if at least j of the first i variables are. The counters are defined
both ways too, so that each solution of the problem is one model: the chosen options are its true
variables among the first. Costs have no place in CNF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm

import numpy as np

from exactcover.errors import ConversionError
from exactcover.formats.document import Document, Remarks
from exactcover.formats.limits import MAX_LITERALS
from exactcover.problem import Problem

LINE = 200
"""Where lines of LP files are broken: some readers take no more than 255 characters."""

DIGITS = 6
"""The digits of a number that OR-Tools writes."""

MAX_SCALE = 10**18
"""Costs that need more than this factor to become whole are refused."""

PAIRWISE = 6
"""At most one of up to this many variables is written pair by pair in CNF."""


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
            options = (made.variable(f"{_word(problem.items[item])} cannot be covered"),)
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
            whole = made.variable(f"{_entry(problem, item, colour)} is used")
            made.counts.append(Count((*chosen, -whole), 1, len(chosen) + 1))
            made.counts += [Count((whole, -part), 1, 2) for part in chosen]
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


def _remarks(document: Document, made: Constraints, mark: str) -> Iterator[str]:
    """Comment lines: what the problem is, and what each variable means."""
    yield from Remarks.written(document.title, document.source, document.counts, mark)
    problem = document.problem
    for option in range(problem.n_options):
        items, colours = problem.items_of(option).tolist(), problem.colours_of(option).tolist()
        words = [_entry(problem, *entry) for entry in zip(items, colours, strict=True)]
        named = f" {_word(problem.option_name(option))}" if problem.option_names else ""
        yield f"{mark} x{option + 1} = option {option}{named}: {' '.join(words)}"
    for variable, meaning in made.meanings.items():
        yield f"{mark} x{variable} = {meaning}"


def name_text(name: object) -> str:
    """A name as text; of a tuple its members with commas."""
    return ",".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _entry(problem: Problem, item: int, colour: int) -> str:
    """An item of an option, perhaps with its colour, in one word of a comment."""
    name = _word(problem.items[item])
    return f"{name}:{_word(problem.colour_name(colour))}" if colour else name


def _word(name: object) -> str:
    """A name in one word of a comment."""
    text = name_text(name)
    return "_".join("".join(c if c.isprintable() else " " for c in text).split()) or "_"


# -- linear programs in 0 and 1 -------------------------------------------------------------------


def write_lp(documents: Sequence[Document]) -> str:
    """The problem of the one document, in CPLEX's LP format."""
    return _linear_program(documents, "lp", "\\")


def write_mps(documents: Sequence[Document]) -> str:
    """The problem of the one document, in MPS."""
    return _linear_program(documents, "mps", "*")


def _linear_program(documents: Sequence[Document], form: str, mark: str) -> str:
    """The text that OR-Tools writes, below our remarks."""
    from ortools.linear_solver.python.model_builder_helper import (
        ModelBuilderHelper,
        MPModelExportOptions,
    )

    problem = one_problem(documents, form)
    made = constraints_of(problem)
    model = ModelBuilderHelper()
    for number in range(max(made.n_variables, 1)):
        variable = model.add_var()
        model.set_var_name(variable, f"x{number + 1}")
        model.set_var_integrality(variable, True)
        model.set_var_lower_bound(variable, 0.0)
        model.set_var_upper_bound(variable, 1.0)
    costs = [] if problem.costs is None else problem.costs.tolist()
    for variable, cost in enumerate(costs):
        model.set_var_objective_coefficient(variable, cost)
    for number, count in enumerate(made.counts, 1):
        row = model.add_linear_constraint()
        model.set_constraint_name(row, f"c{number}")
        low, high = count.bounds()
        model.set_constraint_lower_bound(row, low)
        model.set_constraint_upper_bound(row, high)
        for literal in count.literals:
            model.add_term_to_constraint(row, abs(literal) - 1, 1.0 if literal > 0 else -1.0)
    for value in (*costs, *(float(side) for count in made.counts for side in count.bounds())):
        if float(f"{value:.{DIGITS}g}") != value:
            raise ConversionError(
                f"{form} has numbers of {DIGITS} digits, and here is {value:.15g}: take opb"
            )
    options = MPModelExportOptions()
    options.show_unused_variables = True
    options.max_line_length = LINE
    export = model.export_to_lp_string if form == "lp" else model.export_to_mps_string
    return "\n".join([*_remarks(documents[0], made, mark), export(options)])


# -- OPB ------------------------------------------------------------------------------------------


def write_opb(documents: Sequence[Document]) -> str:
    """The problem of the one document, as the pseudo-Boolean competitions read it."""
    problem = one_problem(documents, "opb")
    made = constraints_of(problem)
    rows = []
    for count in made.counts:
        low, high = count.bounds()
        if low == high:
            rows.append(f"{_terms(count, 1)} = {low} ;")
            continue
        if count.low:
            rows.append(f"{_terms(count, 1)} >= {low} ;")
        if count.high < len(count.literals):  # there is no <=: both sides are multiplied by -1
            rows.append(f"{_terms(count, -1)} >= {-high} ;")
    lines = [f"* #variable= {made.n_variables} #constraint= {len(rows)}"]
    lines += _remarks(documents[0], made, "*")
    if problem.costs is not None:
        exact = [Fraction(repr(cost)) for cost in problem.costs.tolist()]
        factor = lcm(*(cost.denominator for cost in exact))
        if factor > MAX_SCALE:
            raise ConversionError(
                "opb has whole costs only, and these have too many decimal places"
            )
        if factor > 1:
            lines.append(f"* the costs are those of the problem times {factor}")
        terms = [f"{int(cost * factor):+d} x{n}" for n, cost in enumerate(exact, 1) if cost]
        lines.append(f"min: {' '.join(terms or ['+0 x1'])} ;")
    return "\n".join([*lines, *rows]) + "\n"


def _terms(count: Count, sign: int) -> str:
    """The sum of the variables times a sign."""
    return " ".join(f"{sign if one > 0 else -sign:+d} x{abs(one)}" for one in count.literals)


# -- DIMACS CNF -----------------------------------------------------------------------------------


def write_cnf(documents: Sequence[Document]) -> str:
    problem = one_problem(documents, "cnf")
    made = constraints_of(problem)
    if 8 * sum(len(one.literals) * (_width(one) + 1) for one in made.counts) > MAX_LITERALS:
        raise ConversionError("this problem counts too far for cnf: take opb, lp or mps")
    # Counters add variables to `made`, never counts.
    clauses = [clause for count in made.counts for clause in _clauses(made, count)]
    comments = ["c the true variables among the first are the chosen options"]
    if problem.costs is not None:
        comments.append("c the costs of the options are left out: cnf cannot say them")
    comments += _remarks(documents[0], made, "c")
    head = f"p cnf {made.n_variables} {len(clauses)}"
    return "\n".join([*comments, head, *(f"{' '.join(map(str, c))} 0" for c in clauses)]) + "\n"


def _width(count: Count) -> int:
    """How far a counter must count."""
    return count.high + 1 if count.high < len(count.literals) else count.low


def _clauses(made: Constraints, count: Count) -> Iterator[tuple[int, ...]]:
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


def _counter(made: Constraints, count: Count) -> Iterator[tuple[int, ...]]:
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
