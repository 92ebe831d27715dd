"""Totals that copies of a piece can make, against every choice written out."""

from __future__ import annotations

from itertools import combinations_with_replacement

from hypothesis import given
from hypothesis import strategies as st

from exactcover.problem.filters.totals import with_copies


@given(
    before=st.sets(st.integers(0, 20), max_size=3),
    amounts=st.sets(st.integers(0, 6), max_size=3),
    low=st.integers(0, 4),
    spare=st.integers(0, 4),
    most=st.integers(0, 25),
)
def test_each_total_is_a_choice_of_copies(
    before: set[int], amounts: set[int], low: int, spare: int, most: int
) -> None:
    high = low + spare
    before = {total for total in before if total <= most}
    wanted = {
        total + sum(chosen)
        for total in before
        for copies in range(low, high + 1)
        for chosen in combinations_with_replacement(sorted(amounts), copies)
    }
    bits = with_copies(sum(1 << total for total in before), amounts, low, high, most)
    assert bits == sum(1 << total for total in wanted if total <= most)
