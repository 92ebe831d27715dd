"""Formulas of regions: they mean what Python means, and what is wrong is refused at any depth."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.errors import LatticeError
from exactcover.lattices.family import check_expression, value_of

NAMES = ("n", "x")

ROUND = [
    "({}) + 1",
    "1 - ({})",
    "2 * ({})",
    "({}) * 3",
    "({}) // 2",
    "({}) % 5",
    "({}) / 4",
    "-({})",
    "+({})",
    "abs({})",
    "min(n, {})",
    "max({}, 3, x)",
]
"""Ways to use a number in a larger one."""

CONDITIONS = ["{} <= n", "x < {}", "0 <= {} < 3", "x > n and {} != 1", "{} == 2 or x >= n"]


@st.composite
def numbers(draw: st.DrawFn, leaf: str) -> str:
    """An expression round a leaf."""
    text = leaf
    for way in draw(st.lists(st.sampled_from(ROUND), max_size=4)):
        text = way.format(text)
    return text


@given(
    numbers("n") | numbers("x + 2") | numbers("7"),
    st.sampled_from(CONDITIONS),
    st.integers(-9, 9),
    st.integers(-9, 9),
)
def test_an_expression_means_what_python_means(text: str, way: str, n: int, x: int) -> None:
    check_expression(text, NAMES)
    names = {"n": n, "x": x}
    plain = {"__builtins__": {}, "abs": abs, "min": min, "max": max}
    assert value_of(text, names) == eval(text, plain, names)
    condition = way.format(f"({text})")
    check_expression(condition, NAMES, condition=True)
    assert bool(value_of(condition, names)) == eval(condition, plain, names)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("y", "none of the names n, x"),
        ("n.real", "an expression has"),
        ("n ** 2", "an expression has"),
        ("True", "an expression has"),
        ("1e30", "a number is at most"),
        ("open(n)", "an expression has"),
        ("max(n, key=x)", "an expression has"),
        ("(lambda: n)()", "an expression has"),
    ],
)
@given(data=st.data())
def test_what_is_wrong_is_refused_at_any_depth(
    wrong: str, message: str, data: st.DataObject
) -> None:
    text = data.draw(numbers(wrong))
    with pytest.raises(LatticeError, match=message):
        check_expression(text, NAMES)
    whole = data.draw(st.sampled_from(CONDITIONS)).format(text)
    with pytest.raises(LatticeError, match=message):
        check_expression(whole, NAMES, condition=True)


@pytest.mark.parametrize(
    "text",
    ["n / x", "n % x", "n // (x - x)", "1.5" + " * n" * 40, "1/1e-300/1e-300 - 1/1e-300/1e-300"],
)
def test_numbers_that_are_none(text: str) -> None:
    check_expression(text, NAMES)
    with pytest.raises(LatticeError, match="has no value"):
        value_of(text, {"n": Fraction(10**9), "x": Fraction(0)})
