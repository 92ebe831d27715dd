"""Numbers of texts: what a user may write, and how many digits of a rounded number are shown."""

from __future__ import annotations

from math import floor, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.base.text import is_short, rounded, signed_number, whole_number


@given(st.floats(0.02, 1e30), st.floats(0.01, 1e30))
def test_a_rounded_number_is_off_by_half_its_last_digit(value: float, unit: float) -> None:
    """The last digit is that of the power of ten below the unit, or the first digit there is."""
    said = float(rounded(value, unit).replace(",", ""))
    last = 10.0 ** floor(log10(min(unit, value)))
    assert abs(said - value) <= 0.5 * last * (1 + 1e-9)
    assert said / last == pytest.approx(round(said / last))


@given(st.integers(0, 10**12), st.integers(1, 12))
def test_a_number_with_too_many_digits_is_none(number: int, digits: int) -> None:
    text = str(number)
    wanted = number if len(text) <= digits else None
    assert whole_number(text, digits) == wanted
    assert signed_number(f"+{text}", digits) == wanted
    assert signed_number(f"-{text}", digits) == (None if wanted is None else -number)
    assert is_short(number, digits) == is_short(-number, digits) == (len(text) <= digits)


@pytest.mark.parametrize("text", ["", " 1", "1 ", "1_000", "1,000", "0x1", "1.0", "²", "١", "1e3"])
def test_what_is_no_plain_number_is_none(text: str) -> None:
    assert whole_number(text) is None
    assert signed_number(text) is None
    assert signed_number(f"-{text}") is None


@pytest.mark.parametrize("text", ["+", "-", "--1", "+-1", "-+1"])
def test_a_sign_stands_once_before_a_number(text: str) -> None:
    assert signed_number(text) is None
