"""The tables of `planes`: what each option excludes, compared with sets in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from exactcover.backends.planes import backend
from exactcover.backends.planes.tables import PlanesTables, Words
from exactcover.problem import Problem
from tests.helpers.small_problems import problems

FEATURES = backend.capabilities.features


@given(problems(FEATURES))
def test_the_tables_hold_what_each_option_excludes(problem: Problem) -> None:
    check_tables(problem)


def test_the_tables_of_items_with_few_options() -> None:
    """Compared in pairs, since unions of their many words take longer."""
    check_tables(Problem.from_options([[item, item + 1] for item in range(400)]))


def check_tables(problem: Problem) -> None:
    """By sets in plain Python: conflicts, and the bits of the options and items that are left."""
    tables = PlanesTables.of(problem)
    planes, rows = tables.planes, tables.option_of.tolist()
    assert rows == np.flatnonzero(problem.choosable).tolist()
    for row, option in enumerate(rows):
        conflict = {other for other in range(len(rows)) if _bit(planes.conflict[row], other)}
        assert conflict == {
            number for number, other in enumerate(rows) if _exclude(problem, option, other)
        }
        gone = np.zeros_like(tables.root)
        for other in conflict:
            for entry in range(planes.starts[other], planes.starts[other + 1]):
                gone[planes.words[entry]] |= planes.bits[entry]
        assert np.array_equal(gone[: planes.opens], planes.gone[row, : planes.opens])
        covered = np.bitwise_count(planes.gone[row, planes.opens :]).sum()
        assert covered == (problem.items_of(option) < problem.primary).sum()


def _bit(words: Words, number: int) -> bool:
    return bool(int(words[number // 64]) >> number % 64 & 1)


def _exclude(problem: Problem, one: int, other: int) -> bool:
    """Whether two options cannot both be chosen, or are the same."""
    if one == other:
        return True
    mine = dict(zip(problem.items_of(one).tolist(), problem.colours_of(one).tolist(), strict=True))
    theirs = zip(problem.items_of(other).tolist(), problem.colours_of(other).tolist(), strict=True)
    return any(item in mine and not (colour and colour == mine[item]) for item, colour in theirs)
