"""A user's own heuristic: as good as one of ours, and refused with a reason."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import exactcover as ec
from exactcover.backends import get_backend
from exactcover.backends.base import Phase
from exactcover.backends.heuristics import heuristic, load_plugin
from exactcover.errors import StrategyError
from exactcover.search.strategy import Stage, Strategy
from tests.helpers.small_problems import branching, finished
from tests.helpers.summed import started

EXAMPLE = Path(__file__).parents[3] / "examples" / "radial.py"


def run(name: str, puzzle: str = "pentominoes_1s_30x3") -> tuple[int, int]:
    """Solutions and fits of a search."""
    model = ec.read(puzzle).model
    task = branching(heuristic=name)
    search = started(get_backend("dlx"), model.problem, model.layout, task)
    report = finished(search)
    return report.found, report.fits


# -- it chooses what it says ----------------------------------------------------------------------


def test_a_rating_sees_neighbours_pieces_and_arguments() -> None:
    """It fails unless what the state holds belongs together, several copies of a piece too."""

    @heuristic("checking", "an error where the state is wrong", arguments="low,high")
    def checking(cell, state):  # type: ignore[no-untyped-def]
        if not state.open[cell] or state.arguments[0] != 2.5 or state.arguments[1] != -1:
            raise ValueError
        many = 0
        for shape in range(state.left.size):
            many += state.left[shape]
        if many != state.remaining:
            raise ValueError
        for at in range(state.near_starts[cell], state.near_starts[cell + 1]):
            away = 0.0
            for axis in range(state.positions.shape[1]):
                away += abs(state.positions[cell, axis] - state.positions[state.near[at], axis])
            if abs(away - 1) > 1e-9:
                raise ValueError
        return 1.0 * cell

    for puzzle in ("somacube", "tetrominoes_two_sets_8x5"):
        assert run("checking@2.5,-1", puzzle) == run("f", puzzle)
    with pytest.raises(StrategyError, match="must return a number for every open cell"):
        run("checking@2.5,1", "somacube")


def test_it_is_one_phase_of_several_and_its_search_can_be_pickled() -> None:
    @heuristic("late", "the last cell")
    def late(cell, state):  # type: ignore[no-untyped-def]
        return -cell

    wanted, model = run("f", "somacube")[0], ec.read("somacube").model
    for names in (("late", "f"), ("s", "late")):
        task = branching(phases=(Phase(names[0]), Phase(names[1], 4)))
        search = started(get_backend("dlx"), model.problem, model.layout, task)
        search.advance(500)
        again = pickle.loads(pickle.dumps(search))
        for one in (search, again):
            finished(one, 1 << 16)
        assert search.report().found == again.report().found == wanted


def test_the_list_of_heuristics_has_it() -> None:
    heuristic("tight", "by number")(lambda cell, state: cell)
    for text, reason in {
        "dlx:q": r"no heuristic 'q': it has .*\btight, and orders",
        "fila:tight": "no heuristic 'tight': .*; tight is taken by dlx$",
        "dlx:tigt": r"no heuristic 'tigt': did you mean tight\?",
        "bsx:tigt": "bsx has .*: it has s, f; a heuristic of your own is taken by dlx$",
    }.items():
        with pytest.raises(StrategyError, match=reason):
            Strategy.parse(text)


# -- what is wrong with it ------------------------------------------------------------------------


def missing_field(cell: int, state: Any) -> Any:
    return state.position[cell, 0]


def other_signature(cell: int) -> float:
    return 1.0


def text(cell: int, state: Any) -> Any:
    return "near"


def forgets(cell: int, state: Any) -> Any:
    state.positions[cell, 0]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (text, r"test_own_heuristics.py:\d+: .*: it returns unicode"),
        (forgets, "it returns none, perhaps a `return` is missing"),
        (missing_field, "cannot be compiled: .*def name"),
        (other_signature, r"it must be def name\(cell, state\)"),
    ],
)
def test_what_is_wrong_with_a_function_is_told(wrong: Any, words: str) -> None:
    name = f"wrong_{wrong.__name__}"

    def make_and_run() -> None:
        heuristic(name, "does not rate a cell")(wrong)
        run(name)

    with pytest.raises(StrategyError, match=words) as caught:
        make_and_run()
    assert f"heuristic '{name}'" in str(caught.value)


def test_a_plugin_that_fails(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match="no plug-in file"):
        load_plugin(tmp_path / "none.py")
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    with pytest.raises(StrategyError, match=r"broken.py: ZeroDivisionError"):
        load_plugin(broken)


# -- in a strategy, on the command line -----------------------------------------------------------


def test_arguments_and_thresholds_in_a_strategy() -> None:
    load_plugin(EXAMPLE)
    heuristic("maybe", "with a point or without", arguments="[x,y]")(lambda cell, state: cell)
    for text, stage in {
        "dlx:radial@1,2@7": Stage("dlx", "radial@1,2", 7),
        "dlx:radial@-1.5,2,0@7": Stage("dlx", "radial@-1.5,2,0", 7),
        "dlx:maybe@7": Stage("dlx", "maybe", 7),
        "dlx:maybe@7,1@3": Stage("dlx", "maybe@7,1", 3),
        "fila:narrow@7": Stage("fila", "narrow", 7),
        "fila:random@7 seed=3": Stage("fila", "random", 7, (("seed", "3"),)),
    }.items():
        strategy = Strategy.parse(f"dlx:s; {text}")
        assert strategy.stages[1] == stage
        assert str(strategy) == f"dlx:s; {text}"
    for text, reason in {
        "dlx:radial": "it is written radial@x,y,...",
        "dlx:radial@1": "it is written radial@x,y,...",
        "dlx:radial@1,b": "after the @ stand numbers",
        "dlx:maybe@1,2,3": r"it is written maybe\[@x,y\]",
        "bsx:radial@1,2": "radial is taken by dlx$",
        "bsx:x": "x is taken by dlx, fila, automaton",
        "automaton:e": "e is taken by fila",
    }.items():
        with pytest.raises(StrategyError, match=reason):
            Strategy.parse(text)
