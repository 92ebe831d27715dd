"""What reaches an engine: a valid task in one form. All else ends in an error that says why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Backend, Branching, get_backend
from exactcover.backends.base import NUMBER, Capabilities, Phase
from exactcover.errors import CapabilityError, ProblemError, StrategyError
from exactcover.problem import Problem
from exactcover.search.plan import make_plan
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers import naive
from tests.helpers.loopback import PLAIN, Asked, loopback
from tests.helpers.small_problems import EVERYTHING, branching, finished, langford, problems
from tests.helpers.summed import searched, started

PROBLEM = Problem.from_options(
    [["a", "x:red"], ["b", "x:red"], ["b", "x:blue"], ["a", "b"], ["x"], ["c"], ["c"], ["c"]],
    secondary=["x"],
    colored=True,
    multiplicity={"c": (0, 2)},
)


def everything(asked: Asked) -> Backend:
    """It takes every problem, and remembers the tasks that reach it."""
    can = Capabilities(features=EVERYTHING, heuristics=("h", "i"), settings={"seed": NUMBER})
    return loopback(asked, "everything", can)


def reached(problem: Problem, task: Branching) -> Branching:
    """The task as the engine is given it."""
    asked: Asked = []
    started(everything(asked), problem, None, task)
    [(_, _, given)] = asked
    return given


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "error", "message"),
    [
        (branching((8,)), ProblemError, "node chooses .* there is no option 8"),
        (branching((0, 0)), ProblemError, "node chooses .* an option is chosen twice"),
        (branching((0, 3)), ProblemError, "node chooses .* item 'a' is covered 2 times, not 1"),
        (branching((0, 2)), ProblemError, "node chooses .* item 'x' is covered twice"),
        (branching((5, 6, 7)), ProblemError, "item 'c' is covered 3 times"),
        (branching((4,)), ProblemError, "node chooses .* option 4 has no primary item"),
        (
            branching(allowed=np.ones((8, 1), bool)),
            ProblemError,
            "node allows options by 8 booleans",
        ),
        (Branching.by("x"), StrategyError, "everything has no heuristic 'x'.* taken by"),
        (Branching.by("s", {"sead": "7"}), StrategyError, "no setting 'sead'; it has seed"),
        (
            Branching(phases=(Phase("h"), Phase("i", 3))),
            StrategyError,
            "everything:i@3 is one too many",
        ),
        (
            Branching(tally=True),
            CapabilityError,
            "searches of everything cannot be cut; .* can: dlx",
        ),
    ],
)
def test_what_makes_no_sense_reaches_no_engine(
    task: Branching, error: type[Exception], message: str
) -> None:
    asked: Asked = []
    with pytest.raises(error, match=message):
        started(everything(asked), PROBLEM, None, task)
    assert asked == []


def test_a_problem_that_needs_more_reaches_no_engine() -> None:
    asked: Asked = []
    with pytest.raises(CapabilityError, match=r"colours and multiplicities, .*'loopback' cannot"):
        started(loopback(asked, "loopback", PLAIN), PROBLEM, None, Branching())
    assert asked == []


@pytest.mark.parametrize(
    ("engine", "settings", "message"),
    [
        ("fila", {"nof": "11"}, "nof=11: it is adjacent, or a number"),
        ("dlx", {"seed": "-1"}, "seed=-1: it is a number"),
        ("automaton", {"memory": "7" * 5000}, "it is a number of MiB"),
        ("memo", {"memory": "0"}, "memory=0: it is a number of MiB"),
    ],
)
def test_settings_have_values_that_make_sense(
    engine: str, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(StrategyError, match=message):
        started(get_backend(engine), langford(3), None, Branching.by("s", settings))


@pytest.mark.parametrize("engine", ["dlx", "fila", "automaton"])
def test_an_order_of_cells_needs_cells(engine: str) -> None:
    """But for `random`, which can order whatever there is."""
    backend = get_backend(engine)
    with pytest.raises(CapabilityError, match="'R' orders cells, and the problem has none"):
        started(backend, langford(3), None, Branching.by("R"))
    for seed in ("1", "2"):
        task = Branching.by("random", {"seed": seed})
        assert finished(started(backend, langford(7), None, task)).found == 52


# -- what is given --------------------------------------------------------------------------------


@given(data=st.data())
def test_what_is_allowed_conflicts_with_nothing_chosen(data: st.DataObject) -> None:
    """Beside what is chosen it has all options of solutions that have it, and no others."""
    problem = data.draw(problems(EVERYTHING))
    solutions = list(naive.solutions(problem))
    chosen: tuple[int, ...] = ()
    if solutions:
        whole = data.draw(st.sampled_from(sorted(solutions)))
        chosen = tuple(data.draw(st.permutations(whole)))[: data.draw(st.integers(0, len(whole)))]
    allowed = np.array(
        data.draw(st.lists(st.booleans(), min_size=problem.n_options, max_size=problem.n_options)),
        bool,
    )
    given = reached(problem, branching(chosen, allowed)).root.allowed
    assert given is not None
    assert not (given & ~allowed).any()
    for option in np.flatnonzero(given).tolist():
        reached(problem, branching((*chosen, option)))
    for option in np.flatnonzero(allowed & ~given).tolist():
        with pytest.raises(ProblemError):
            reached(problem, branching((*chosen, option)))


def test_a_task_comes_in_one_form() -> None:
    given = reached(PROBLEM, branching([np.int64(0)], settings={"seed": "7"}))  # type: ignore[arg-type]
    assert given.root.chosen == (0,)
    assert type(given.root.chosen[0]) is int
    assert given.heuristic == "h"  # what it has first, where none is named
    assert given.settings == {"seed": "7"}
    assert given.root.allowed is not None
    assert np.flatnonzero(given.root.allowed).tolist() == [1, 5, 6, 7]
    phase = Phase("i", 4, {"seed": "8"})
    given = reached(PROBLEM, Branching(phases=(phase,)))
    assert (given.heuristic, given.settings) == ("i", {"seed": "8"})
    assert given.phases == (phase,)


# -- the stages of a strategy ---------------------------------------------------------------------


CUT = ["dlx:s", "dlx:s; fila:f@7; bsx:s@6", "volume@7; dlx:s; fila:f@7"]
NOT_CUT = ["automaton:f", "dlx:s; automaton:f@7", "fit@7; automaton:f"]


@pytest.mark.parametrize(
    ("text", "can"), [*((t, True) for t in CUT), *((t, False) for t in NOT_CUT)]
)
def test_only_where_all_engines_can_be_cut_the_search_can(text: str, can: bool) -> None:
    """Whatever combines the searches: stages, hand-overs, filters at every step."""
    model = ec.read("tetracubes_8x2x2").model
    strategy = Strategy.parse(text)
    plan = make_plan(Subject(model.problem, model), strategy)
    search = searched(plan, strategy)
    assert finished(search, 1 << 16).found == 1792
    if can:
        search = searched(plan, strategy, Branching(tally=True))
        finished(search, 1 << 16)
        assert sum(tried.fits for tried in search.report().tally.values()) == search.report().fits
    else:
        for how, cut in ((None, 3), (Branching(tally=True), None)):
            with pytest.raises(CapabilityError, match=r"cannot be cut; .* can: dlx, fila, bsx$"):
                searched(plan, strategy, how, cut)


@pytest.mark.parametrize("text", ["dlx:s", "dlx:s; fila:f@5", "volume@9; dlx:s"])
def test_whoever_searches_what_is_chosen_is_checked_before(text: str) -> None:
    model, strategy = ec.read("pentominoes_20x3").model, Strategy.parse(text)
    with pytest.raises(ProblemError, match="node chooses option"):
        searched(make_plan(Subject(model.problem, model), strategy), strategy, branching((0, 0, 1)))
