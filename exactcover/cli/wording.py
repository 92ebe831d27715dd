"""Solutions as JSON text, made from the texts of their placements.

A placement is in many solutions, so its text is made once and kept. That is several times faster
than `json.dumps` of each solution.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactcover.puzzle import Placement
    from exactcover.search.result import Solution

KEPT = 1 << 17
"""The most texts of placements that are kept."""


def as_json(value: object) -> str:
    """A value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False)


def written(solution: Solution) -> list[Any]:
    """A solution for JSON: pieces with their cells, or the items of each option."""
    if solution.model is not None:
        return [_placed(placement) for placement in solution.placements]
    return [solution.problem.words_of(option) for option in solution.options]


class Wording:
    """The JSON texts of solutions of one problem; `text` has the value of `written`."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}  # by option; empty for one that places no piece
        self._before: list[str] = []  # of stationary pieces
        self._by_option: bool | None = None  # None: no solution was written yet

    def text(self, solution: Solution) -> str:
        """The solution as JSON."""
        if self._by_option is None:
            self._begin(solution)
        if not self._by_option:
            return as_json(written(solution))
        texts = self._texts
        parts = [*self._before]
        for option in solution.options:
            text = texts.get(option)
            if text is None:
                if len(texts) >= KEPT:
                    texts.clear()
                text = texts[option] = self._text(solution, option)
            if text:
                parts.append(text)
        return f"[{', '.join(parts)}]"

    def _begin(self, solution: Solution) -> None:
        model = solution.model
        # The name of one of several pieces of the same shape depends on the other pieces.
        self._by_option = model is None or all(len(group.members) == 1 for group in model.groups)
        if model is not None:
            self._before = [as_json(_placed(one)) for one in model.placements(())]

    def _text(self, solution: Solution, option: int) -> str:
        """The text of an option, in any solution that has it."""
        if solution.model is None:
            return as_json(solution.problem.words_of(option))
        placed = solution.model.placements((option,))[len(self._before) :]
        return "".join(as_json(_placed(one)) for one in placed)


def _placed(placement: Placement) -> dict[str, Any]:
    return {"piece": placement.piece, "cells": [list(cell) for cell in placement.cells]}
