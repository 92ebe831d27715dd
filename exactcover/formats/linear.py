"""Problems as linear programs in 0 and 1: OPB for pseudo-Boolean solvers, LP and MPS for others.

The rows are the same in all three. Where a range has two ends it is two rows, since the formats
differ in how they say a range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from exactcover.errors import ConversionError
from exactcover.formats.constraints import (
    Constraints,
    constraints_of,
    one_problem,
    remarks,
    whole_costs,
)
from exactcover.formats.document import Document

LINE = 200
"""Where lines of LP files are broken: some readers take no more than 255 characters."""

MAX_NAMES = 9_999_999
"""MPS has names of eight characters."""


@dataclass(frozen=True)
class Row:
    """The sum of coefficients times variables, compared by `=`, `>=` or `<=` with a number."""

    terms: tuple[tuple[int, int], ...]
    sense: str
    right: int


def rows_of(made: Constraints) -> Iterator[Row]:
    """The rows that say the constraints."""
    for union in made.unions:
        yield Row((*((1, part) for part in union.parts), (-1, union.whole)), ">=", 0)
        for part in union.parts:
            yield Row(((1, union.whole), (-1, part)), ">=", 0)
    for count in made.counts:
        terms = tuple((1, variable) for variable in count.variables)
        if count.low == count.high:
            yield Row(terms, "=", count.low)
            continue
        if count.low:
            yield Row(terms, ">=", count.low)
        if count.high < len(terms):
            yield Row(terms, "<=", count.high)


# -- OPB ------------------------------------------------------------------------------------------


def write_opb(documents: Sequence[Document]) -> str:
    """The problem of the one document, as the pseudo-Boolean competitions read it."""
    problem = one_problem(documents, "opb")
    made = constraints_of(problem)
    rows = [_opb_row(row) for row in rows_of(made)]
    lines = [f"* #variable= {made.n_variables} #constraint= {len(rows)}"]
    lines += remarks(documents[0], made, "*")
    costs, factor = whole_costs(problem)
    if factor > 1:
        lines.append(f"* the costs are those of the problem times {factor}")
    if costs:
        terms = [f"{cost:+d} x{number}" for number, cost in enumerate(costs, 1) if cost]
        lines.append(f"min: {' '.join(terms or ['+0 x1'])} ;")
    return "\n".join([*lines, *rows]) + "\n"


def _opb_row(row: Row) -> str:
    # There is no <=: both sides are multiplied by -1.
    sign, sense = (-1, ">=") if row.sense == "<=" else (1, row.sense)
    terms = " ".join(f"{sign * factor:+d} x{variable}" for factor, variable in row.terms)
    return f"{terms} {sense} {sign * row.right} ;"


# -- LP -------------------------------------------------------------------------------------------


def write_lp(documents: Sequence[Document]) -> str:
    """The problem of the one document, in CPLEX's LP format."""
    problem = one_problem(documents, "lp")
    made = constraints_of(problem)
    rows = list(rows_of(made))
    variables = range(1, max(made.n_variables, 1) + 1)
    objective = [f"{_cost(cost)} x{n}" for n, cost in _costs(made)] or ["0 x1"]
    lines = [*remarks(documents[0], made, "\\"), "Minimize"]
    lines += _broken("obj:", _plus(objective))
    lines.append("Subject To")
    for number, row in enumerate(rows, 1):
        terms = _plus([f"{'-' if f < 0 else ''}{_factor(abs(f))}x{v}" for f, v in row.terms])
        lines += _broken(f"c{number}:", [*terms, row.sense, str(row.right)])
    if not rows:
        lines.append(" c1: x1 >= 0")
    lines.append("Binary")
    lines += _broken("", [f"x{variable}" for variable in variables])
    return "\n".join([*lines, "End"]) + "\n"


def _factor(factor: int) -> str:
    return "" if factor == 1 else f"{factor} "


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
    """The variables that cost something, and what."""
    costs = made.problem.costs
    listed = [] if costs is None else costs.tolist()
    return [(number, cost) for number, cost in enumerate(listed, 1) if cost]


def _cost(cost: float) -> str:
    return str(int(cost)) if cost.is_integer() and abs(cost) < 1 << 53 else repr(cost)


# -- MPS ------------------------------------------------------------------------------------------


def write_mps(documents: Sequence[Document]) -> str:
    """The problem of the one document, in MPS with fixed columns, which free readers take too."""
    problem = one_problem(documents, "mps")
    made = constraints_of(problem)
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
    """A number in at most twelve characters; what cannot be said so exactly is refused."""
    text = _cost(cost)
    if len(text) > 12:
        raise ConversionError(
            f"mps has numbers of twelve characters, and a cost is {text}: take lp"
        )
    return text
