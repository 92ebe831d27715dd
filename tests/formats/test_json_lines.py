"""JSON lines: the words of a TOML file, a puzzle a line, and what is wrong with one."""

from __future__ import annotations

import pytest

import exactcover as ec
from exactcover.errors import FormatError
from exactcover.formats import parse
from exactcover.formats.document import Refused
from exactcover.formats.files import read_texts, texts_of

BOX = '{"pieces": "pentominoes", "region": "20x3"}'


def test_a_line_says_what_toml_says() -> None:
    line = '{"pieces": ["domino x 2"], "region": "3x2", "piece": [{"name": "P", "cells": [[0, 0]], "copies": 2}]}'  # noqa: E501
    toml = """
        pieces = "domino x 2"
        region = "3x2"
        [[piece]]
        name = "P"
        cells = [[0, 0]]
        copies = 2
    """
    (said,), (meant,) = parse(line, name="x"), parse(toml, "toml", name="x")
    assert said.content == meant.content
    assert ec.count(said.content, counted="all") == 11  # placements of two dominoes in 3x2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"pieces": "pentominoes"', "not JSON"),
        ("[1, 2]", "a puzzle is an object"),
        ('{"pieces": "dominoes", "pieces": "pentominoes"}', "a key occurs twice"),
        ('{"pieces": "dominoes", "region": NaN}', "this is no number of JSON"),
        ('{"pieces": "dominoes", "region": ' + "9" * 5000 + "}", "too many digits"),
        ("[" * 100_000, "nested too deeply"),
        ('{"pieces": "dominos", "regoin": "2x2"}', "no key 'regoin'"),
        ('{"pieces": "pentominose", "region": "2x2"}', "'pentominose'"),
        ('{"title": "a\\u0007", "pieces": "dominoes", "region": "2x2"}', "a control character"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line: str, said: str) -> None:
    with pytest.raises(FormatError) as raised:
        parse(f"{BOX}\n{line}\n", "jsonl", file="boxes.jsonl")
    assert said in str(raised.value)
    assert str(raised.value).startswith("boxes.jsonl:2: ")


def test_the_other_lines_are_read() -> None:
    entries = [*read_texts(texts_of(f"{BOX}\n{{\n{BOX}".encode(), "x", "jsonl", None))]
    assert [isinstance(entry, Refused) for entry in entries] == [False, True, False]
