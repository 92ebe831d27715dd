"""Texts that name pieces: each is read with all of its words, or is an error.

Random texts are made of the words and signs that occur in such texts. One that is read must fit a
grammar that is written here a second time, as plain as possible, and mean what that grammar says.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactcover.errors import ExactCoverError
from exactcover.formats import parse
from exactcover.formats.toml.pieces import pieces_in

MEMBERS = {"tetromino": "IOTSL", "pentomino": "FILNPTUVWXYZ", "domino": "I"}
MIRRORED = {"tetromino": "IOTSZLJ"}

WORDS = [
    *MEMBERS, *(f"{name}es" for name in MEMBERS), "one-sided", "free", "I", "L", "X", "x", "-", "*",
    "2", "3", "x 2", "any", "0..2", "cost", "cost 4", "(", ")", "of", "and", ",", "soma",
]  # fmt: skip

PART = r"(?P<side>one-sided )?(?:free )?(?P<noun>tetromino|pentomino|domino)"
AFTER = r"(?: (?:[x*] ?(?P<behind>\d)|(?P<range>any|0\.\.2)))?(?: cost (?P<cost>\d))?"
LESS = r"(?P<less>(?: ?- ?[ILXx](?= |$))*)"
SETS = re.compile(rf"{PART}es(?: free|(?P<late> one-sided))?{LESS}{AFTER}")
ONES = re.compile(rf"(?:one-sided |free )?(?P<name>[ILXx] )?{PART}(?:es)?(?P<last> [ILXx])?{AFTER}")
SOMA = re.compile(rf"(?:soma{LESS}|[ILXx] soma|soma [ILXx]){AFTER}")


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7))
def test_every_word_of_a_text_counts(words: list[str]) -> None:
    text = " ".join(words)
    try:
        asked = pieces_in(text, None)
    except ExactCoverError:
        return
    names = [name for name, _ in asked.pieces]
    if found := SETS.fullmatch(text):
        members = MEMBERS[found["noun"]]
        one_sided = found["side"] or found["late"]
        if one_sided:
            members = MIRRORED.get(found["noun"], members)
        less = re.findall("[ILXx]", found["less"].upper())
        if one_sided and found["noun"] == "pentomino":
            assert len(names) == 18 - len(less)
        else:
            assert sorted(names) == sorted(set(members) - set(less))
        assert asked.implies is (False if one_sided else None)
    elif found := ONES.fullmatch(text):
        own = (found["name"] or found["last"] or "I").strip()
        assert not (found["name"] and found["last"])
        assert [name.upper() for name in names] == [own.upper()]
    else:
        found = SOMA.fullmatch(text)
        assert found, text
    low, high = asked.copies
    if found["behind"]:
        assert low == high == int(found["behind"])
    elif found["range"]:
        assert (low, high) == ((0, None) if found["range"] == "any" else (0, 2))
    else:
        assert (low, high) == (1, 1)
    assert asked.cost == int(found["cost"] or 0)


@pytest.mark.parametrize(
    ("text", "names", "copies"),
    [
        ("pentominoes - X", "FILNPTUVWYZ", 1),
        ("pentominoes - X x 2", "FILNPTUVWYZ", 2),
        ("tetrominoes TSL - S x 2", "TL", 2),
        ("T pentomino, pentominoes XU", "TXU", 1),
        ("pentominoes tux", "TUX", 1),
        (r"T pentomino,\nX pentomino,\n", "TX", 1),
    ],
)
def test_sets_and_their_copies(text: str, names: str, copies: int) -> None:
    [document] = parse(f'pieces = "{text}"\nregion = "9x9"\n', "toml")
    assert document.puzzle is not None
    assert "".join(piece.name for piece in document.puzzle.pieces) == names
    assert {(piece.low, piece.high) for piece in document.puzzle.pieces} == {(copies, copies)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pentomino - X", "called 'pentomino - X': did you mean pentominoes"),
        ("pentominoes x 2 - X", "called 'pentominoes x 2 - X': did you mean pentominoes"),
        ("pentominoes x", "is not understood"),
        ("pentominoes - K", "its pieces are F, I, L"),
        ("pentominoes FKL", "K is the letter of no piece; the pieces are F, I, L"),
        ("pentominoes FLF", "F is there twice"),
        ("2 x domino", "'NAME domino x 2' for 2 of one piece"),
    ],
)
def test_texts_that_are_not_understood(text: str, message: str) -> None:
    with pytest.raises(ExactCoverError, match=message):
        parse(f'pieces = "{text}"\nregion = "9x9"\n', "toml")
