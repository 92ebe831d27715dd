"""The readers, fuzzed a little: `make fuzz` does it for minutes."""

from __future__ import annotations

import pytest

from tests.fuzz.mutations import Mutator
from tests.fuzz.readers import READERS, check, warm_up

INPUTS = 60
NOT_READ = {"stdin": 4}
"""Of the corpus of a reader, so many inputs are none that it reads; others are made of them."""


@pytest.mark.parametrize("name", READERS)
def test_every_reader_reads_its_corpus(name: str) -> None:
    reader = READERS[name]
    warm_up(reader)
    read = [check(reader, raw)[1] for raw in reader.corpus]
    assert len(read) - sum(read) == NOT_READ.get(name, 0)


@pytest.mark.parametrize("name", READERS)
def test_what_is_odd_is_refused(name: str) -> None:
    reader = READERS[name]
    warm_up(reader)
    mutator = Mutator(reader.corpus, seed=0)
    read = [check(reader, mutator.draw())[1] for _ in range(INPUTS)]
    assert not all(read)
