"""The finder against another elimination, and proofs against all solutions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exactcover.problem import Problem
from exactcover.trust.proofs import check_certificate, find_proof
from tests.helpers import naive
from tests.helpers.small_problems import problems


def in_span(rows: list[list[int]], vector: list[int], modulus: int) -> bool:
    """Whether a vector is a combination of rows modulo m: elimination over the whole numbers.

    The rows and m times each unit vector span a lattice; Euclid's algorithm makes it triangular.
    """
    size = len(vector)
    rows = [list(row) for row in rows]
    rows += [[modulus * (place == at) for place in range(size)] for at in range(size)]
    vector = list(vector)
    for place in range(size):
        while sum(row[place] != 0 for row in rows) > 1:
            pivot = min((row for row in rows if row[place]), key=lambda row: abs(row[place]))
            for row in rows:
                if row is not pivot and row[place]:
                    factor = row[place] // pivot[place]
                    row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
        pivot = next(row for row in rows if row[place])
        if vector[place] % pivot[place]:
            return False
        factor = vector[place] // pivot[place]
        vector = [a - factor * b for a, b in zip(vector, pivot, strict=True)]
        rows = [row for row in rows if row is not pivot]
    return True


@given(
    st.integers(1, 12).flatmap(
        lambda size: st.tuples(
            st.lists(st.sets(st.integers(0, size - 1), min_size=1), max_size=24),
            st.lists(st.integers(1, 9), min_size=size, max_size=size),
        )
    ),
    st.sampled_from([2, 3, 4, 6, 8, 9, 12, 16, 27, 36]),
)
def test_a_congruence_is_found_just_where_the_total_is_not_in_the_span(
    given_problem: tuple[list[set[int]], list[int]], modulus: int
) -> None:
    options, times = given_problem
    problem = Problem.from_arrays(
        len(times),
        np.cumsum([0, *map(len, options)]),
        [item for option in options for item in sorted(option)],
        low=times,
    )
    rows = [[int(item in option) for item in range(len(times))] for option in options]
    proof = find_proof(problem, moduli=(modulus,))
    assert (proof is None) == in_span(rows, times, modulus)


@given(problems(frozenset({"secondary", "multiplicities"})))
def test_what_is_proved_has_no_solution(problem: Problem) -> None:
    proof = find_proof(problem)
    if proof is not None:
        assert check_certificate(problem, proof)
        assert not list(naive.solutions(problem))


@st.composite
def solvable_problems(draw: st.DrawFn) -> Problem:
    """Problems round a solution that was there first."""
    n_items = draw(st.integers(1, 12))
    options = draw(
        st.lists(st.sets(st.integers(0, n_items - 1), min_size=1).map(sorted), max_size=20)
    )
    chosen = [option for option in options if draw(st.booleans())]
    times = np.bincount([item for option in chosen for item in option], minlength=n_items)
    below = np.array([draw(st.sampled_from([0, 0, 0, 1])) for _ in range(n_items)])
    return Problem.from_arrays(
        n_items,
        np.cumsum([0, *map(len, options)]),
        [item for option in options for item in option],
        low=np.maximum(0, times - below),
        high=times,
    )


@given(solvable_problems())
def test_nothing_is_proved_where_there_is_a_solution(problem: Problem) -> None:
    assert find_proof(problem, moduli=range(2, 17)) is None
