"""The questions that a child process answers, by name, and the function for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from exactcover.app.serving import boards, catalogue, shown
from exactcover.app.serving.bounds import Refusal
from exactcover.app.serving.children import Answer
from exactcover.app.serving.posed import Posed, drawn, known, posed, read, remembered
from exactcover.formats import Refused

Given = Mapping[str, Any]
Question = Callable[[Given], Answer]


def _described(given: Given, one: Posed) -> Answer:
    cells = given["limits"]["cells"]
    remembered(one)
    return Answer.of(boards.described(one, cells), keep={one.id: one.text})


def _describe(given: Given) -> Answer:
    return _described(given, posed(given))


def _about(given: Given) -> Answer:
    """The data that a run needs; an invalid strategy is an error."""
    puzzle = posed(given).puzzle
    if given["strategy"]:
        from exactcover.app.serving.advice import allowed

        allowed(given["strategy"])
    names = [piece.name for piece in puzzle.pieces]
    return Answer.of({"title": posed(given).title, "pieces": names, "cells": len(puzzle.space)})


def _read(given: Given) -> Answer:
    """Read a file with puzzles."""
    puzzles, refused, keep = [], [], {}
    for entry in read(given, given["limits"]["bytes"]):
        if isinstance(entry, Refused):
            refused.append({"title": entry.name, "why": str(entry.error)})
            continue
        try:
            puzzles.append(boards.described(entry, given["limits"]["cells"]))
        except Refusal as refusal:
            refused.append({"title": entry.title, "why": refusal.message})
            continue
        keep[entry.id] = entry.text
        remembered(entry)
    if not puzzles:
        why = refused[0]["why"] if refused else "it holds no puzzle"
        raise Refusal(422, why)
    return Answer.of({"puzzles": puzzles, "refused": refused}, keep=keep)


def _board(given: Given) -> Answer:
    lattice, most = known(given["lattice"]), given["limits"]["cells"]
    if "around" in given:
        one = posed(given["around"])
        if one.puzzle.lattice.name != lattice.name:
            raise Refusal(400, f"the puzzle is on the lattice {one.puzzle.lattice.name}")
        return Answer.of(boards.board(boards.around(one, given["margin"], most), most))
    return Answer.of(boards.board(boards.named(lattice, given["shape"]), most))


def _check(given: Given) -> Answer:
    from exactcover.app.serving.advice import checked

    return Answer.of(checked(posed(given)))


def _strategies(given: Given) -> Answer:
    from exactcover.app.serving.advice import strategies

    return Answer.of(strategies(posed(given).puzzle))


def _estimate(given: Given) -> Answer:
    from exactcover.app.serving.advice import estimated

    return Answer.of(estimated(posed(given).puzzle, given["seconds"], given["strategy"]))


_aids: list[Any] = []
"""The aid of this child, made on first use."""


def _aid() -> Any:
    from exactcover.app.serving.aiding import Aids

    if not _aids:
        _aids.append(Aids())
    return _aids[0]


def _aided(given: Given) -> Answer:
    return Answer.of(_aid().answer(given["id"], posed(given).puzzle, given["asked"]))


def _hint(given: Given) -> Answer:
    return Answer.of(_aid().hint(given["id"], posed(given).puzzle, given["asked"]))


def _places(given: Given) -> Answer:
    puzzle = posed(given).puzzle
    return Answer.of(_aid().places(given["id"], puzzle, given["piece"], given["cell"]))


ANSWERS: Mapping[str, Question] = {
    "about": _about,
    "aid": _aided,
    "board": _board,
    "check": _check,
    "describe": _describe,
    "draft": lambda given: _described(given, drawn(given["draft"], given["limits"]["cells"])),
    "estimate": _estimate,
    "export": lambda given: shown.exported(
        posed(given), given["options"][0], given["index"], given["format"]
    ),
    "hint": _hint,
    "lattices": lambda given: Answer.of(catalogue.all_lattices()),
    "picture": lambda given: shown.drawn(posed(given), given["theme"]),
    "picture_solution": lambda given: shown.drawn_solution(
        posed(given), given["options"][0], given["theme"]
    ),
    "places": _places,
    "read": _read,
    "set": lambda given: Answer.of(catalogue.set_of(given["name"], given["lattice"])),
    "sheet": lambda given: shown.sheet(posed(given), given["options"], given["theme"]),
    "shelf": lambda given: Answer.of(catalogue.shelf()),
    "shelved": lambda given: _described(given, Posed.of(catalogue.shelved(given["name"]))),
    "strategies": _strategies,
    "thumbnail": lambda given: shown.thumbnail(catalogue.shelved(given["name"]), given["theme"]),
    "view": lambda given: shown.viewed(posed(given).puzzle),
    "view_solution": lambda given: shown.viewed(
        [shown.solution(posed(given), given["options"][0])]
    ),
}
"""Each question by its name."""
