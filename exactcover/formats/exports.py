"""Exports of a problem for other solvers: DIMACS CNF, OPB, LP and MPS.

`problem.clauses` has the variables and the conditions. OPB, LP and MPS have a row for each count;
in OPB a range with two ends is two rows. OR-Tools writes LP and MPS. CNF has no place for costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import lcm

from exactcover.base.plugins import or_tools
from exactcover.errors import ConversionError
from exactcover.formats.document import Document, Remarks
from exactcover.problem import Problem
from exactcover.problem.clauses import (
    Constraints,
    Count,
    clauses_of,
    constraints_of,
    dimacs,
    entry_text,
    one_word,
)

LINE = 200
"""Where lines of LP files are broken: some readers take no more than 255 characters."""

DIGITS = 6
"""The digits of a number that OR-Tools writes."""

MAX_SCALE = 10**18
"""Costs that need more than this factor to become whole are refused."""

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
        words = [entry_text(problem, *entry) for entry in zip(items, colours, strict=True)]
        named = f" {one_word(problem.option_name(option))}" if problem.option_names else ""
        yield f"{mark} x{option + 1} = option {option}{named}: {' '.join(words)}"
    for variable, meaning in made.meanings.items():
        yield f"{mark} x{variable} = {meaning}"


# -- linear programs in 0 and 1 -------------------------------------------------------------------


def _linear_program(documents: Sequence[Document], *, form: str, mark: str) -> str:
    """The problem of the one document: the text that OR-Tools writes, below our remarks."""
    helper = or_tools("linear_solver.python.model_builder_helper", "LP and MPS need")
    problem = one_problem(documents, form)
    made = constraints_of(problem)
    model = helper.ModelBuilderHelper()
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
    options = helper.MPModelExportOptions()
    options.show_unused_variables = True
    options.max_line_length = LINE
    export = model.export_to_lp_string if form == "lp" else model.export_to_mps_string
    return "\n".join([*_remarks(documents[0], made, mark), export(options)])


write_lp = partial(_linear_program, form="lp", mark="\\")
write_mps = partial(_linear_program, form="mps", mark="*")


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
    clauses = clauses_of(made)
    if clauses is None:
        raise ConversionError("this problem counts too far for cnf: take opb, lp or mps")
    comments = ["c the true variables among the first are the chosen options"]
    if problem.costs is not None:
        comments.append("c the costs of the options are left out: cnf cannot say them")
    comments += _remarks(documents[0], made, "c")
    return "\n".join([*comments, *dimacs(made.n_variables, clauses)]) + "\n"
