"""The page of agreement, made of what `verify --json` says."""

from __future__ import annotations

from typing import Any

from tests.defs.agreement_page import PAGE, page


def refused(puzzle: str, reason: str) -> dict[str, Any]:
    """The record of a puzzle that one engine has solved, and another refused."""
    engines = [
        {"engine": "auto", "strategy": "dlx:s", "result": "first", "compared": ""},
        {"engine": "fila", "strategy": "fila:f", "result": "refused", "reason": reason},
    ]
    return {"puzzle": puzzle, "solutions": 1234, "whole": True, "equal": True, "engines": engines}


def test_reasons_keep_their_numbers() -> None:
    records = [
        refused("one", "takes up to 1,024 cells, not 3,136; these backends can: dlx"),
        refused("two", "the problem has colours"),
        refused("three", "takes up to 1,024 cells, not 4,209; these backends can: dlx"),
        refused("four", "the problem has colours"),
    ]
    lines = page(records).splitlines()
    assert "fila: a." in lines
    assert [line for line in lines if "1,234" in line] == [
        "`one` (1,234),",
        "`three` (1,234).",
        "| `two` | 1,234 | dlx:s | b |",
        "| `four` | 1,234 | dlx:s | b |",
    ]
    assert lines[-3:] == [
        "- **a**: takes up to 1,024 cells, not 3,136 (`one`)",
        "- **a**: takes up to 1,024 cells, not 4,209 (`three`)",
        "- **b**: the problem has colours",
    ]


def test_the_page_has_numbers() -> None:
    assert "so many" not in PAGE.read_text("utf-8")
