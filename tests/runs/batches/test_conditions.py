"""Conditions mean what they mean in Python, and cannot do anything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactcover.errors import ExactCoverError
from exactcover.runs.batches import Condition
from exactcover.runs.batches.conditions import GROWING, KEYS, NUMBER, TEXT

NUMBERS = [key for key, sort in KEYS.items() if sort == NUMBER]
TEXTS = [key for key, sort in KEYS.items() if sort == TEXT]
WORDS = ["complete", "limit", "dlx:s", "it's"]

figures = st.one_of(st.integers(0, 5), st.floats(0, 5).map(lambda number: round(number, 2)))
records = st.fixed_dictionaries(
    dict.fromkeys(NUMBERS, figures) | {key: st.sampled_from(WORDS) for key in TEXTS}
)


def numbers(names: list[str]) -> st.SearchStrategy[str]:
    return st.recursive(
        st.one_of(st.sampled_from(names), figures.map(repr)),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner).map(
                lambda parts: f"({' '.join(parts)})"
            ),
            inner.map(lambda one: f"-{one}"),
        ),
        max_leaves=4,
    )


def truths(names: list[str]) -> st.SearchStrategy[str]:
    relation = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    number = numbers(names)
    text = st.one_of(st.sampled_from(TEXTS), st.sampled_from(WORDS).map(repr))
    compared = st.one_of(
        st.tuples(number, relation, number).map(" ".join),
        st.tuples(number, relation, number, relation, number).map(" ".join),
        st.tuples(text, relation, text).map(" ".join),
        st.tuples(number, st.sampled_from(["in", "not in"]), number, number).map(
            lambda parts: f"{parts[0]} {parts[1]} ({parts[2]}, {parts[3]})"
        ),
        number,
    )
    return st.recursive(
        compared,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(
                lambda parts: f"({' '.join(parts)})"
            ),
            inner.map(lambda one: f"(not {one})"),
        ),
        max_leaves=5,
    )


def in_python(text: str, record: dict[str, Any]) -> bool:
    """What Python says; where it has no result, the example says nothing."""
    try:
        return bool(eval(text, {"__builtins__": {}}, record))
    except ZeroDivisionError:
        assume(False)
        raise


@given(truths(NUMBERS), records)
def test_a_condition_means_what_it_means_in_python(text: str, record: dict[str, Any]) -> None:
    complete = record | {"stopped_by": ""}
    assert Condition.of(text).judge(complete) is in_python(text, complete)


@given(truths(["solutions", "fits", "depth", "images"]), records, records, st.booleans())
def test_what_is_decided_early_stays_so(
    text: str, record: dict[str, Any], later: dict[str, Any], by_time: bool
) -> None:
    """A search that goes on after its limit finds more; what was decided is true of the end."""
    stopped = record | {"stopped_by": "time" if by_time else "solutions"}
    growing = GROWING if by_time else ("solutions",)
    end = stopped | {key: record[key] + later[key] for key in growing}
    if by_time:
        end |= {"depth": later["depth"]}
    decided = Condition.of(text).judge(stopped)
    assert decided is None or decided is in_python(text, end)


@given(truths(["solutions", "fits"]), records)
def test_with_the_most_solutions_it_is_false(text: str, record: dict[str, Any]) -> None:
    most = Condition.of(text).most
    if most is not None:
        solutions = most + int(record["solutions"])
        assert not in_python(text, record | {"solutions": solutions})


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("solutions == 1", 2),
        ("solutions <= 3", 4),
        ("solutions < 3 and fits > 10", 3),
        ("1 <= solutions <= 3", 4),
        ("2 > solutions", 2),
        ("solutions in (1, 2)", 3),
        ("not solutions", 1),
        ("not solutions > 4", 5),
        ("solutions == 1 or fits > 10", None),
        ("solutions > 1", None),
        ("fits == 1", None),
    ],
)
def test_how_many_solutions_are_enough(text: str, most: int | None) -> None:
    assert Condition.of(text).most == most


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("solution == 1", "did you mean solutions"),
        ("difficulty > 1", "there are: puzzle, status"),
        ("solutions = 1", "invalid syntax"),
        ("", "invalid syntax"),
        ("solutions == '1'", "'1' is text"),
        ("status + 1 > 2", "status is text, and no number"),
        ("(fits > 1) + 1", "no number"),
        ("status in 'complete'", "behind `in` comes a list"),
        ("solutions is 1", "write == or !="),
        ("fits ** fits", "is none of what it may have"),
        ("fits.real > 1", "is none of what it may have"),
        ("__import__('os').system('true')", "is none of what it may have"),
        ("[fits for fits in (1, 2)]", "is none of what it may have"),
        ("(lambda: 1)()", "is none of what it may have"),
        ("f'{fits}' == 'x'", "is none of what it may have"),
        ("fits if solutions else 0", "is none of what it may have"),
        ("(fits := 1)", "is none of what it may have"),
        ("b'x' == puzzle", "is none of what it may have"),
        ("1j == 1j", "is none of what it may have"),
        ("-" * 99 + "1", "too many brackets"),
        ("(" * 480 + "1" + ")" * 480, "it is written as in Python"),
        ("1 + " * 500 + "1", "1,000 characters"),
        ("fits\0", "it is written as in Python"),
    ],
)
def test_anything_else_is_refused(text: str, said: str) -> None:
    with pytest.raises(ExactCoverError, match="the condition") as raised:
        Condition.of(text)
    assert said in str(raised.value)


def test_a_comparison_with_nothing_is_false() -> None:
    record = {"solutions": 0, "fits_per_solution": None}
    for relation in ("==", "!=", "<", ">"):
        assert Condition.of(f"fits_per_solution {relation} 1").judge(record) is False
    assert Condition.of("fits_per_solution * 2 > 1 or solutions == 0").judge(record) is True
    assert Condition.of("1 / solutions > 0").judge(record) is False
