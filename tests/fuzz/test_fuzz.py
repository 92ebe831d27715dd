"""The readers, fuzzed a little: `make fuzz` does it for minutes."""

from __future__ import annotations

import pytest

from tests.fuzz.mutations import NUMBER, Mutator
from tests.fuzz.readers import READERS, check, warm_up

INPUTS = 20
NOT_READ = {"stdin": 4}
"""Of the corpus of a reader, so many inputs are none that it reads; others are made of them."""

PLACES = 2
"""In each file of a corpus, as many numbers are replaced."""

ABSURD = (b"9" * 5000, b"0x" + b"f" * 5000, b"1e300", "\u0663".encode())
"""Too long for Python, in decimal and not; too large; and a digit that is none of ours."""


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


@pytest.mark.parametrize("name", READERS)
def test_any_number_of_a_file_may_be_absurd(name: str) -> None:
    reader = READERS[name]
    warm_up(reader)
    read = [
        check(reader, raw[: place.start()] + number + raw[place.end() :])[1]
        for raw in reader.corpus
        for place in [*NUMBER.finditer(raw)][:PLACES]
        for number in ABSURD
    ]
    assert not all(read) or name == "list"  # whose rows say themselves what is wrong
