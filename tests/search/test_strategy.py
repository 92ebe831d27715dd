"""A strategy and its text are the same thing; what makes no sense is refused with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.errors import ExactCoverError
from exactcover.problem.filters.registry import BUILT_IN
from exactcover.search.strategy import Filter, Stage, Strategy


@st.composite
def filters(draw: st.DrawFn) -> Filter:
    kind = draw(st.sampled_from(BUILT_IN))  # other tests register filters of their own
    name = kind.name
    arguments = {
        "redundancy": ("L", "estimate", "cell", "none", "1"),
        "fit": ("1",),
        "parity": ("2", "8"),
        "parity-trigger": ("3",),
    }
    argument = draw(st.sampled_from((None, *arguments.get(name, ()))))
    repeated = kind.every_step and draw(st.booleans())
    first = name == "redundancy" and argument != "none" and draw(st.booleans())
    return Filter(name, argument, draw(st.integers(0, 99)) if repeated else None, first)


@st.composite
def strategies(draw: st.DrawFn) -> Strategy:
    stages = [Stage("dlx", draw(st.sampled_from(("s", "f"))))]
    heuristics = ("f", "e", "s", "l@1,2,0", "a@160", "A@0.5", "R", "R@1,2")
    left = draw(st.lists(st.integers(0, 40), unique=True, max_size=3))
    for remaining in sorted(left, reverse=True):
        settings = draw(st.sampled_from(((), (("nof", ""),), (("nof", "6"),))))
        stages.append(Stage("fila", draw(st.sampled_from(heuristics)), remaining, settings))
    drawn = st.lists(
        filters(), max_size=4, unique_by=lambda one: one.name == "redundancy" or id(one)
    )
    return Strategy(tuple(stages), tuple(draw(drawn)))


@given(strategy=strategies())
def test_parse_is_the_inverse_of_str(strategy: Strategy) -> None:
    assert Strategy.parse(str(strategy)) == strategy
    assert str(Strategy.parse(str(strategy))) == str(strategy)


@given(text=st.text(alphabet="dlxfia:@=; 1,enof-tgrv", max_size=30))
def test_any_text_is_a_strategy_or_a_clear_error(text: str) -> None:
    try:
        strategy = Strategy.parse(text)
    except ExactCoverError:
        return  # any other exception would fail the test
    assert Strategy.parse(str(strategy)) == strategy


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing between two semicolons"),
        ("dlx:s; volume", "'volume' comes after the stage dlx:s"),
        ("volume=3", "volume takes no argument"),
        ("fit=2", "fit=1"),
        ("redundancy=F; redundancy=L", "redundancy stands once"),
        ("redundancy=none first", "no piece or cell that could be placed first"),
        ("nosuch:s", "no engine is called 'nosuch'"),
        ("dlx:s; fila:f", "must say from how many remaining pieces on"),
        ("dlx:s; fila:a@11", "as in fila:a@11@5"),
        ("fila:f; dlx:lonely@0@11", "--plugin FILE"),
        ("dlx:s; fila:f@x", "a number of remaining pieces"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, said: str) -> None:
    with pytest.raises(ExactCoverError) as raised:
        Strategy.parse(text)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ("cpsat:s; dlx:s@5", "cpsat cannot hand over to dlx; these engines can hand over: dlx"),
        ("automaton:f; fila:f@5", "automaton counts the whole, in one stage"),
        ("bsx:s; bsx:f@5; fila:f@3", "bsx searches in one stage: bsx:f@5 is one too many"),
        ("parity-trigger; bsx:s", "'bsx' has no triggers"),
        ("dlx:s; memo:f@5", "memo counts the whole, in one stage"),
    ],
)
def test_some_backends_cannot_be_followed(stages: str, said: str) -> None:
    """Who lists or counts the whole has no states to hand over; who has one rule keeps to it."""
    import exactcover as ec

    puzzle = ec.read("tetrominoes_any_5x4")
    with pytest.raises(ExactCoverError) as raised:
        ec.count(puzzle, counted="all", strategy=stages)
    assert said in str(raised.value)
