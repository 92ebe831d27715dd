"""What reaches an engine: a valid task in one form. All else ends in an error that says why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import Task, get_backend, started
from exactcover.backends.base import NUMBER, Capabilities, Phase
from exactcover.errors import CapabilityError, ProblemError, StrategyError
from exactcover.problem import Problem
from exactcover.search.plan import make_plan
from exactcover.search.stages import start_cutting, start_search
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from tests.helpers import naive
from tests.helpers.loopback import LoopbackBackend
from tests.helpers.small_problems import finished, langford, problems

PROBLEM = Problem.from_options(
    [["a", "x:red"], ["b", "x:red"], ["b", "x:blue"], ["a", "b"], ["x"], ["c"], ["c"], ["c"]],
    secondary=["x"],
    colored=True,
    multiplicity={"c": (0, 2)},
)


class Everything(LoopbackBackend):
    """It takes every problem, and remembers the tasks that reach it."""

    name = "everything"
    capabilities = Capabilities(
        features=frozenset({"secondary", "colours", "multiplicities"}),
        heuristics=("h", "i"),
        settings={"seed": NUMBER},
    )


def reached(problem: Problem, task: Task) -> Task:
    """The task as the engine is given it."""
    engine = Everything()
    started(engine, problem, None, task)
    [(_, _, given)] = engine.asked
    return given


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "error", "message"),
    [
        (Task((8,)), ProblemError, "task chooses option 8; there are 8"),
        (Task((-1,)), ProblemError, "task chooses option -1"),
        (Task((0, 0)), ProblemError, "task chooses option 0 twice"),
        (Task((0, 3)), ProblemError, "task chooses .* item 'a' cannot be covered by option 3"),
        (Task((0, 2)), ProblemError, "task chooses .* item 'x' cannot be covered by option 2"),
        (Task((5, 6, 7)), ProblemError, "item 'c' .* by option 7 beside 5 and 6"),
        (Task((4,)), ProblemError, "task chooses option 4, which has no primary item"),
        (Task(("a",)), ProblemError, "task chooses options by their numbers"),  # type: ignore[arg-type]
        (Task(allowed=np.ones(7, bool)), ProblemError, "task allows options by 8 booleans"),
        (Task(allowed=np.ones((8, 1), bool)), ProblemError, "task allows options by 8 booleans"),
        (Task(allowed=np.arange(8)), ProblemError, "task allows options by 8 booleans"),  # type: ignore[arg-type]
        (Task(order=np.arange(7, dtype=np.int32)), ProblemError, "each option once"),
        (Task(order=np.zeros(8, np.int32)), ProblemError, "each option once"),
        (
            Task(heuristic="x"),
            StrategyError,
            "everything has no heuristic 'x'.* taken by",
        ),
        (Task(phases=(Phase("e"),)), StrategyError, "everything has no heuristic 'e'"),
        (Task(settings={"sead": "7"}), StrategyError, "no setting 'sead'; it has seed"),
        (Task(settings={"seed": "seven"}), StrategyError, "seed=seven: it is a number"),
        (Task(phases=(Phase("h"), Phase("i", 3))), StrategyError, "everything:i@3 is one too many"),
        (Task(cut=3), CapabilityError, "searches of everything cannot be cut; .* can: dlx"),
        (Task(tally=True), CapabilityError, "searches of everything cannot be cut"),
    ],
)
def test_what_makes_no_sense_reaches_no_engine(
    task: Task, error: type[Exception], message: str
) -> None:
    engine = Everything()
    with pytest.raises(error, match=message):
        started(engine, PROBLEM, None, task)
    assert engine.asked == []


def test_a_problem_that_needs_more_reaches_no_engine() -> None:
    engine = LoopbackBackend()
    with pytest.raises(CapabilityError, match=r"colours and multiplicities, .*'loopback' cannot"):
        started(engine, PROBLEM, None, Task())
    assert engine.asked == []


@pytest.mark.parametrize(
    ("engine", "settings", "message"),
    [
        ("fila", {"words": "many"}, "words=many: it is a number"),
        ("fila", {"nof": "11"}, "nof=11: it is adjacent, or a number"),
        ("dlx", {"seed": "-1"}, "seed=-1: it is a number"),
        ("automaton", {"seed": "7" * 5000}, "it is a number of at most 18 digits"),
        ("automaton", {"memory": "7" * 5000}, "it is a number of MiB"),
        ("memo", {"patience": "5"}, "patience=5: it is a word alone"),
        ("memo", {"memory": "0"}, "memory=0: it is a number of MiB"),
        ("automaton", {"memory": ""}, "memory=: it is a number of MiB"),
    ],
)
def test_settings_have_values_that_make_sense(
    engine: str, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(StrategyError, match=message):
        started(get_backend(engine), langford(3), None, Task(settings=settings))


@pytest.mark.parametrize("engine", ["dlx", "fila", "automaton"])
def test_an_order_of_cells_needs_cells(engine: str) -> None:
    """But for `random`, which can order whatever there is."""
    backend = get_backend(engine)
    with pytest.raises(CapabilityError, match="'R' orders cells, and the problem has none"):
        started(backend, langford(3), None, Task(heuristic="R"))
    for seed in ("1", "2"):
        task = Task(heuristic="random", settings={"seed": seed})
        assert finished(started(backend, langford(7), None, task)).found == 52


# -- what is given --------------------------------------------------------------------------------


@given(data=st.data())
def test_what_is_allowed_conflicts_with_nothing_chosen(data: st.DataObject) -> None:
    """Beside what is chosen it has all options of solutions that have it, and no others."""
    problem = data.draw(problems(frozenset({"secondary", "colours", "multiplicities"})))
    solutions = list(naive.solutions(problem))
    chosen: tuple[int, ...] = ()
    if solutions:
        whole = data.draw(st.sampled_from(sorted(solutions)))
        chosen = tuple(data.draw(st.permutations(whole)))[: data.draw(st.integers(0, len(whole)))]
    allowed = np.array(
        data.draw(st.lists(st.booleans(), min_size=problem.n_options, max_size=problem.n_options)),
        bool,
    )
    given = reached(problem, Task(chosen, allowed)).allowed
    assert given is not None
    assert not (given & ~allowed).any()
    for option in np.flatnonzero(given).tolist():
        reached(problem, Task((*chosen, option)))
    for option in np.flatnonzero(allowed & ~given).tolist():
        with pytest.raises(ProblemError):
            reached(problem, Task((*chosen, option)))


def test_a_task_comes_in_one_form() -> None:
    given = reached(PROBLEM, Task([np.int64(0)], settings={"seed": "7"}))  # type: ignore[arg-type]
    assert given.chosen == (0,)
    assert type(given.chosen[0]) is int
    assert given.heuristic == "h"  # what it has first, where none is named
    assert given.settings == {"seed": "7"}
    assert given.allowed is not None
    assert np.flatnonzero(given.allowed).tolist() == [1, 5, 6, 7]
    phase = Phase("i", 4, {"seed": "8"})
    given = reached(PROBLEM, Task(phases=(phase,)))
    assert (given.heuristic, given.settings, given.phases) == ("i", {"seed": "8"}, ())


# -- the stages of a strategy ---------------------------------------------------------------------


CUT = ["dlx:s", "dlx:s; fila:f@11", "dlx:s; fila:f@11; bsx:s@10", "volume@9; dlx:s; fila:f@11"]
NOT_CUT = ["automaton:f", "dlx:s; automaton:f@11", "fit@11; automaton:f"]


@pytest.mark.parametrize(
    ("text", "can"), [*((t, True) for t in CUT), *((t, False) for t in NOT_CUT)]
)
def test_only_where_all_engines_can_be_cut_the_search_can(text: str, can: bool) -> None:
    """Whatever combines the searches: stages, hand-overs, filters at every step."""
    model = ec.read("pentominoes_20x3").model
    strategy = Strategy.parse(text)
    plan = make_plan(Subject(model.problem, model), strategy)
    search = start_search(plan, strategy)
    assert finished(search, 1 << 16).found == 8
    if can:
        search = start_cutting(plan, strategy, Task(tally=True))
        finished(search, 1 << 16)
        assert sum(tried.fits for tried in search.report().tally.values()) == search.report().fits
    else:
        with pytest.raises(CapabilityError, match=r"cannot be cut; .* can: dlx, fila, bsx$"):
            start_cutting(plan, strategy)
        for task in (Task(cut=3), Task(tally=True)):
            with pytest.raises(CapabilityError, match=r"cannot be cut; .* can: dlx, fila, bsx$"):
                start_search(plan, strategy, task)


@pytest.mark.parametrize("text", ["dlx:s", "dlx:s; fila:f@5", "volume@9; dlx:s"])
def test_whoever_searches_what_is_chosen_is_checked_before(text: str) -> None:
    model, strategy = ec.read("pentominoes_20x3").model, Strategy.parse(text)
    with pytest.raises(ProblemError, match="task chooses option"):
        start_search(make_plan(Subject(model.problem, model), strategy), strategy, Task((0, 0, 1)))


def test_a_hand_over_takes_what_both_engines_take() -> None:
    """Copies, in the words of one engine, are multiplicities in those of the other."""
    options = [["a", "p"], ["b", "p"], ["a", "q"], ["b", "q"]]
    problem = Problem.from_options(options, multiplicity={"p": (0, 2), "q": (0, 1)})
    strategy = Strategy.parse("dlx:s; fila:f@1")
    search = start_search(make_plan(Subject(problem), strategy), strategy)
    assert finished(search, 100).found == len(list(naive.solutions(problem))) == 3
