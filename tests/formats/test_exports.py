"""What is exported has just the solutions of the problem: read back, solved, compared.

CNF and OPB are read by a few lines here and solved by trying everything, which also shows that each
solution is one model. LP and MPS are read by HiGHS. The reference is `tests/helpers/naive.py`.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from scipy.sparse import csc_array

from exactcover.errors import ConversionError, FormatError
from exactcover.formats import Document, parse, read_file, write
from exactcover.problem import Problem
from tests.helpers import naive
from tests.helpers.random_puzzles import problems

Clauses = list[list[int]]


def exported(problem: Problem, form: str) -> str:
    return write([Document("x", problem)], form)


def cnf_models(text: str) -> list[frozenset[int]]:
    """Every model of a CNF, as the set of its true variables."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("c")]
    (_, form, n, m), *rest = lines
    clauses = [[int(word) for word in line[:-1]] for line in rest]
    assert form == "cnf"
    assert len(clauses) == int(m)
    assert all(line[-1] == "0" for line in rest)
    assert all(clause for clause in clauses)
    assert all(1 <= abs(literal) <= int(n) for clause in clauses for literal in clause)

    def models(variable: int, left: Clauses, true: tuple[int, ...]) -> list[frozenset[int]]:
        if not all(left):
            return []
        if variable > int(n):
            return [frozenset(true)]
        found = []
        for literal in (variable, -variable):
            rest = [[x for x in c if x != -literal] for c in left if literal not in c]
            found += models(variable + 1, rest, (*true, variable) if literal > 0 else true)
        return found

    return models(1, clauses, ())


TERM = re.compile(r"([+-]\d+) x(\d+)")


def opb_models(text: str) -> list[tuple[frozenset[int], int]]:
    """Every model of an OPB file, with its cost."""
    head = re.match(r"\* #variable= (\d+) #constraint= (\d+)\n", text)
    assert head
    rows, costs = [], []
    for line in text.splitlines():
        if line.startswith("*"):
            continue
        assert line.endswith(" ;")
        terms = [(int(factor), int(variable)) for factor, variable in TERM.findall(line)]
        if line.startswith("min:"):
            costs = terms
            continue
        sense, right = re.search(r" (>=|=) ([+-]?\d+) ;", line).groups()  # type: ignore[union-attr]
        rows.append((terms, sense, int(right)))
    n = int(head[1])
    assert len(rows) == int(head[2])
    models = []
    for values in product((0, 1), repeat=n):
        sums = [sum(f * values[v - 1] for f, v in terms) for terms, _, _ in rows]
        if all(
            total == right if sense == "=" else total >= right
            for total, (_, sense, right) in zip(sums, rows, strict=True)
        ):
            true = frozenset(v + 1 for v in range(n) if values[v])
            models.append((true, sum(f * values[v - 1] for f, v in costs)))
    return models


def options_of(true: frozenset[int], problem: Problem) -> tuple[int, ...]:
    return tuple(v - 1 for v in sorted(true) if v <= problem.n_options)


@given(problems())
def test_cnf_has_just_the_solutions(problem: Problem) -> None:
    models = [options_of(true, problem) for true in cnf_models(exported(problem, "cnf"))]
    assert sorted(models) == sorted(naive.solutions(problem))


@given(problems())
def test_opb_has_just_the_solutions(problem: Problem) -> None:
    try:
        text = exported(problem, "opb")
    except ConversionError:  # of costs that the format cannot say: see `test_many_decimal_places`
        return
    assume(int(text.split()[2]) <= 13)
    models = opb_models(text)
    assert sorted(options_of(true, problem) for true, _ in models) == sorted(
        naive.solutions(problem)
    )
    if problem.costs is not None and len(models) > 1:
        costs = {options_of(true, problem): cost for true, cost in models}
        exact = {chosen: sum(map(float, problem.costs[list(chosen)])) for chosen in costs}
        scale = re.search(r"problem times (\d+)", text)
        for chosen, cost in costs.items():
            factor = int(scale[1]) if scale else 1
            assert cost / factor == pytest.approx(exact[chosen], rel=1e-9, abs=1e-6)


def highs_models(path: Path) -> list[tuple[frozenset[int], float]]:
    """Every model of an LP or MPS file as HiGHS reads it, with its cost."""
    from scipy.optimize._highspy import _core  # the reader that comes with scipy

    solver = _core._Highs()
    solver.setOptionValue("output_flag", False)
    assert solver.readModel(str(path)) == _core.HighsStatus.kOk, path.read_text()
    read = solver.getModel().lp_
    assert list(read.col_lower_) == [0] * read.num_col_
    assert list(read.col_upper_) == [1] * read.num_col_
    assert all(kind == _core.HighsVarType.kInteger for kind in read.integrality_)
    matrix = csc_array(
        (read.a_matrix_.value_, read.a_matrix_.index_, read.a_matrix_.start_),
        shape=(read.num_row_, read.num_col_),
    ).toarray()
    number = [int(name[1:]) for name in read.col_names_]
    values = np.array([*product((0, 1), repeat=read.num_col_)])
    sums = values @ matrix.T
    fits = (sums >= read.row_lower_).all(axis=1) & (sums <= read.row_upper_).all(axis=1)
    return [
        (frozenset(n for n, on in zip(number, row, strict=True) if on), float(row @ read.col_cost_))
        for row in values[fits]
    ]


@pytest.mark.parametrize("form", ["lp", "mps"])
@given(problem=problems())
def test_highs_reads_just_the_solutions(form: str, problem: Problem, tmp_path_factory: Any) -> None:
    try:
        text = exported(problem, form)
    except ConversionError:  # of costs that the format cannot say: see `test_many_decimal_places`
        return
    path = tmp_path_factory.getbasetemp() / f"problem.{form}"
    path.write_text(text)
    assume(problem.n_options + text.count("is used") <= 13)
    models = highs_models(path)
    read = {options_of(true, problem) for true, _ in models}
    if problem.n_options:
        assert len(read) == len(models)
    assert sorted(read) == sorted(naive.solutions(problem))
    for true, cost in models if problem.costs is not None else ():
        exact = float(problem.costs[list(options_of(true, problem))].sum())  # type: ignore[index]
        assert cost == pytest.approx(exact, rel=1e-9, abs=1e-6)


SMALL = Problem.from_options(
    {"first": ["a", "x:red"], "second": ["b", "x:red"], "third": ["a", "x:blue"]},
    secondary=["x"],
    colored=True,
    costs=[1.5, 2, 0],
)


def test_what_the_variables_mean_is_said() -> None:
    cnf = exported(SMALL, "cnf")
    assert "c x1 = option 0 first: a x:red\n" in cnf
    assert "c x4 = x:red is used\n" in cnf
    assert "costs of the options are left out" in cnf
    opb = exported(SMALL, "opb")
    assert "* the costs are those of the problem times 2\n" in opb
    assert "min: +3 x1 +4 x2 ;\n" in opb
    assert "\\ x2 = option 1 second: b x:red\n" in exported(SMALL, "lp")
    assert "* x3 = option 2 third: a x:blue\n" in exported(SMALL, "mps")


def test_names_cannot_break_out_of_a_comment() -> None:
    problem = Problem.from_options([["a\n1 0", "b\r-1 0"]])
    assert exported(problem, "cnf").count("\n") == 5
    assert len(cnf_models(exported(problem, "cnf"))) == 1


@pytest.mark.parametrize("form", ["cnf", "opb", "lp", "mps"])
def test_exports_hold_one_problem_and_are_not_read(form: str, tmp_path: Path) -> None:
    two = parse("a\na\n", "dlx") * 2
    with pytest.raises(ConversionError, match="holds one problem, not 2"):
        write(two, form)
    path = tmp_path / f"x.{form}"
    path.write_text("")
    with pytest.raises(FormatError, match="never read"):
        read_file(path)


def test_many_decimal_places() -> None:
    problem = Problem.from_options([["a"], ["a"]], costs=[1e-30, 0.1])
    with pytest.raises(ConversionError, match="decimal places"):
        exported(problem, "opb")
    for form in ("lp", "mps"):
        with pytest.raises(ConversionError, match="6 digits"):
            exported(Problem.from_options([["a"]], costs=[1 / 3]), form)
