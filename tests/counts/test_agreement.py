"""Which engines agree on the shipped puzzles, made of what `verify --json` says."""

from __future__ import annotations

import csv
from typing import Any

from counts.agreement import FILE, table
from exactcover.formats import shipped


def record(puzzle: str, equal: bool = True, **other: object) -> dict[str, Any]:
    """The record of a puzzle that one engine has solved, and another as given."""
    engines = [
        {"engine": "auto", "strategy": "dlx:s", "result": "first", "compared": ""},
        {"engine": "fila", "result": "equal", "compared": "", **other},
    ]
    return {"puzzle": puzzle, "solutions": 12, "whole": True, "equal": equal, "engines": engines}


def test_a_word_says_what_an_engine_found() -> None:
    records = [
        record("sets", compared="sets"),
        record("alone", result="alone"),
        record("late", compared=""),
        record("refused", result="refused", reason="takes up to 1,024; these engines can: dlx"),
    ]
    assert table(records) == [
        ["puzzle", "solutions", "fila"],
        ["sets", "12", "equal"],
        ["alone", "12", "alone"],
        ["late", "12", "no end"],
        ["refused", "12", "takes up to 1,024"],
    ]


def test_the_file_has_every_puzzle() -> None:
    _, *rows = csv.reader(FILE.read_text("utf-8").splitlines())
    assert sorted(row[0] for row in rows) == sorted(one.name for one in shipped.entries())
