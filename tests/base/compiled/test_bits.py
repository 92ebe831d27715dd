"""The bits of a word, counted as they are written; words fetched; compiled, and as plain Python."""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt
import pytest

from exactcover.base.compiled import bits, jit
from tests.helpers.examples import COMPILED

Words = npt.NDArray[np.uint64]

WORDS = [1, 2, 3, 1 << 63, (1 << 64) - 1, 0x8000000100000000, 0xF0]


@jit
def _population(word: np.uint64) -> int:
    return bits.population(word)


@jit
def _lowest(word: np.uint64) -> int:
    return bits.lowest(word)


@jit
def _sum_of_fetched(words: Words) -> np.uint64:
    total = np.uint64(0)
    for at in range(words.size):
        bits.fetch(words, words.size - 1 - at)
        total += words[at]
    return total


@pytest.mark.parametrize("word", WORDS)
def test_bits_of_a_word(word: int) -> None:
    for population, lowest in ((bits.population, bits.lowest), (_population, _lowest)):
        assert population(np.uint64(word)) == bin(word).count("1")
        assert lowest(np.uint64(word)) == len(bin(word)) - 1 - bin(word).rindex("1")
        assert population(np.uint64(0)) == 0


@pytest.mark.skipif(not COMPILED, reason="types are inferred only when it is compiled")
@pytest.mark.parametrize("function", [_population, _lowest])
def test_words_are_unsigned_and_numbers_of_bits_are_not(function: object) -> None:
    function(np.uint64(1))  # type: ignore[operator]
    compiled = function.overloads[(numba.uint64,)]  # type: ignore[attr-defined]
    assert compiled.signature.return_type == numba.int64
    with pytest.raises(numba.TypingError):
        function(np.int64(1))  # type: ignore[operator]


@pytest.mark.skipif(not COMPILED, reason="types are inferred only when it is compiled")
def test_only_words_are_fetched() -> None:
    with pytest.raises(numba.TypingError):
        _sum_of_fetched(np.zeros(1, np.int64))  # type: ignore[arg-type]
