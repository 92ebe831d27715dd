"""Word sets do what whole numbers do, in every width."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.backends.bits import (
    bit,
    differ,
    drop_first,
    first,
    is_empty,
    join,
    less,
    load,
    load_halves,
    marked,
    meet,
    store,
    width,
)

WIDTHS = (1, 2, 3, 4)


def word_set(whole: int, words: int) -> Any:
    """A whole number as a word set."""
    parts = tuple(np.uint64(whole >> (64 * i) & (1 << 64) - 1) for i in range(words))
    return parts[0] if words == 1 else parts


def whole(words: Any) -> int:
    parts = words if isinstance(words, tuple) else (words,)
    return sum(int(part) << (64 * i) for i, part in enumerate(parts))


@numba.njit
def every(a: Any, b: Any, number: Any, flat: Any, halves: Any) -> Any:  # all of it, compiled once
    out = np.zeros(16, np.uint64)
    store(out, np.uint64(3), a)
    return (
        meet(a, b),
        join(a, b),
        less(a, b),
        differ(a, b),
        bit(number, a),
        load(flat, np.uint64(2), a),
        load_halves(halves, np.uint64(3), a),
        marked(a, flat, np.uint64(1)),
        width(a),
        is_empty(a),
        out,
    )


@numba.njit
def lowest(a: Any) -> Any:
    return first(a), drop_first(a)


numbers = st.integers(0, (1 << 256) - 1) | st.integers(0, 255).map(lambda place: 1 << place)


@pytest.mark.parametrize("words", WIDTHS)
@given(a=numbers, b=numbers, seed=st.integers(0, 1000))
def test_they_do_what_whole_numbers_do(words: int, a: int, b: int, seed: int) -> None:
    size = 64 * words
    a, b = a % (1 << size), b % (1 << size)
    random = np.random.default_rng(seed)
    flat = random.integers(0, 1 << 63, 12, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    halves = random.integers(0, 1 << 32, 12, dtype=np.uint32)
    number = seed % size
    with np.errstate(over="ignore"):
        got = every(word_set(a, words), word_set(b, words), np.uint64(number), flat, halves)
    folded = 0
    for i in range(words):
        folded |= a >> 64 * i & int(flat[1 + i])
    total = folded * int(flat[1 + words])
    assert [whole(part) for part in got[:7]] == [
        a & b,
        a | b,
        a & ~b,
        a ^ b,
        1 << number,
        sum(int(flat[2 + i]) << 64 * i for i in range(words)),
        sum(int(halves[3 + i]) << 32 * i for i in range(2 * words)),
    ]
    assert int(got[7]) == total % (1 << 64)
    assert int(got[8]) == words
    assert bool(got[9]) == (a == 0)
    assert [int(word) for word in got[10][3 : 3 + words]] == [
        a >> 64 * i & (1 << 64) - 1 for i in range(words)
    ]
    if a:
        place, others = lowest(word_set(a, words))
        assert int(place) == (a & -a).bit_length() - 1
        assert whole(others) == a & (a - 1)
