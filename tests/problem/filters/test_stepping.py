"""A search with filters at every step starts from any task, as every engine does."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from exactcover.problem import Problem
from exactcover.search import Strategy, Subject, make_plan, start_search
from tests.helpers import naive
from tests.helpers.small_problems import EVERYTHING, branching, drained, problems


@given(problem=problems(EVERYTHING), data=st.data())
def test_below_a_chosen_option_are_the_solutions_that_have_it(
    problem: Problem, data: st.DataObject
) -> None:
    wanted = sorted(naive.solutions(problem))
    options = sorted({option for solution in wanted for option in solution})
    assume(options)
    option = data.draw(st.sampled_from(options))
    strategy = Strategy.parse(f"fit@{data.draw(st.integers(0, 4))}; dlx:s")
    search = start_search(make_plan(Subject(problem), strategy), strategy, branching((option,)))
    assert sorted(drained(search)) == [solution for solution in wanted if option in solution]
