"""Arrays in pages: they come back as they were, in the smallest type that holds them."""

from __future__ import annotations

import re

import pytest

from exactcover.show.pages.document import asset, real, whole
from tests.helpers.packed import unpacked


@pytest.mark.parametrize(
    ("numbers", "sort"),
    [
        ([], "Uint8"),
        ([0, 255], "Uint8"),
        ([-1, 255], "Int16"),
        ([0, 256], "Int16"),
        ([0, 2**16 - 1], "Uint16"),
        ([-1, 2**15], "Int32"),
        ([-(2**31), 2**31 - 1], "Int32"),
        ([0, 2**31], "Float64"),
        ([-(2**53), 2**53], "Float64"),
    ],
)
def test_whole_numbers_come_back_from_the_smallest_type(numbers: list[int], sort: str) -> None:
    packed = whole(numbers)
    assert packed["type"] == sort
    assert unpacked(packed) == numbers


def test_real_numbers_keep_seven_digits() -> None:
    assert unpacked(real([0.1, -2e9])) == pytest.approx([0.1, -2e9], rel=1e-7)


def test_pages_can_read_every_type() -> None:
    read = set(re.findall(r"(\w+): \1Array", asset("page.js")))
    examples = [[0], [-1], [2**15], [2**16], [2**31]]
    assert read == {whole(numbers)["type"] for numbers in examples} | {real([0.5])["type"]}
