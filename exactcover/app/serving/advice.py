"""Advice before a search: sizes, a proof that there is no solution, strategies and estimates.

A cell is a number here: its place among the cells of the puzzle's space, the order in which the
page has the cells of a board.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from exactcover.app.serving import Refusal
from exactcover.app.serving.client_puzzles import ClientPuzzle
from exactcover.backends import get_engine
from exactcover.base.patience import within
from exactcover.errors import ExactCoverError
from exactcover.puzzle import Model
from exactcover.puzzle.rectangles import FloorModel
from exactcover.search import Estimating, Interval
from exactcover.search.automatic import candidates
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.trust.proofs import explain, find_proof

PLAIN = (
    ("dlx:s", "dancing links: the cell or piece with the fewest options"),
    ("dlx:f", "dancing links: the first cell in order"),
    ("fila:f", "bit patterns of cells, in order"),
    ("bsx", "sets of options as bits"),
    ("memo", "counts by remembering states"),
    ("cpsat", "CP-SAT of OR-Tools"),
)
"""Strategies of one engine that most puzzles can be searched by."""

SECONDS = 4.0
"""The time limit for a proof."""

UNKNOWN = "No contradiction found yet; a search decides."


def check(one: ClientPuzzle) -> dict[str, Any]:
    """The sizes of a puzzle, and a proof that it has no solution if there is a simple one."""
    began, puzzle = perf_counter(), one.puzzle
    low = sum(piece.low * len(piece.cells) for piece in puzzle.pieces)
    high = sum(
        len(puzzle.space) if piece.high is None else piece.high * len(piece.cells)
        for piece in puzzle.pieces
    )
    room = len(puzzle.space)
    least, most = puzzle.region.empty or (0, len(puzzle.region.optional))
    wanted = room - min(most, len(puzzle.region.optional)), room - least
    record: dict[str, Any] = {
        "cells": room,
        "wanted": list(wanted),
        "volume": [low, high],
        "fits": low <= wanted[1] and wanted[0] <= high,
        "symmetries": None,
        "images": [],
        "verdict": "unknown",
        "why": UNKNOWN,
        "explained": "",
        "colours": None,
    }
    with within(SECONDS):
        model = puzzle.model
        record["symmetries"] = len(model.symmetries)
        record["images"] = _images(model)
    if model.reason:
        record |= {"verdict": "impossible", "why": model.reason}
    elif not isinstance(model, FloorModel):
        record |= proved(model, SECONDS)
    record["seconds"] = round(perf_counter() - began, 3)
    return record


def _images(model: Model) -> list[dict[str, Any]]:
    """The number of places of each piece."""
    return [
        {"piece": piece.name, "number": number}
        for group, number in zip(model.groups, model.images, strict=True)
        for piece in group.members
    ]


def proved(model: Model, seconds: float) -> dict[str, Any]:
    """A proof that there is no solution, as a colouring of the cells; empty: none was found."""
    proof = find_proof(model, seconds=seconds)
    if proof is None:
        return {}
    places = model.puzzle.space.find(model.free.cells).tolist()
    values = proof.cell_values(model.layout).tolist()
    colours = [{"cell": at, "class": value} for at, value in zip(places, values, strict=True)]
    colouring = "black and white" if proof.modulus == 2 else f"{proof.modulus} classes"
    why = (
        f"a colouring in {colouring} (weights modulo {proof.modulus}) shows that no choice of "
        "places covers each class as often as it must be"
    )
    explained = explain(model.problem, proof, model.layout)
    return {"verdict": "impossible", "why": why, "explained": explained, "colours": colours}


def strategies(one: ClientPuzzle) -> list[dict[str, str]]:
    """Strategies for a puzzle, the automatic choice first."""
    subject = Subject.of(one.puzzle, "rotations")
    found: dict[str, str] = {}
    if not subject.reason:
        for candidate in candidates(subject):
            found.setdefault(str(candidate), "another way" if found else "the automatic choice")
    for text, title in PLAIN:
        if _takes(text, subject):
            found.setdefault(text, title)
    return [{"name": name, "title": title} for name, title in found.items()]


def _takes(text: str, subject: Subject) -> bool:
    """Whether the engine of a strategy can take a puzzle."""
    try:
        strategy = Strategy.parse(text)
        backend = get_engine(strategy.stages[0].backend)
    except ExactCoverError:
        return False
    return not backend.capabilities.missing(subject.problem)


def allowed(text: str) -> Strategy:
    """The strategy that a client names; raises `Refusal` if it names a folder, or takes memory."""
    strategy = Strategy.parse(text)
    for stage in strategy.stages:
        settings = get_engine(stage.backend).capabilities.settings
        for name, _ in stage.settings:
            if not settings[name].public:
                raise Refusal(
                    400,
                    f"strategy: {stage.backend} has the setting {name!r} on the command line only: "
                    "the server bounds the memory of its searches, and gives them no folder",
                )
    return strategy


def estimate(one: ClientPuzzle, strategy: str | None, seconds: float) -> dict[str, Any]:
    """The size of a search, with bounds."""
    chosen = None if strategy is None else allowed(strategy)
    found = Estimating(one.puzzle, strategy=chosen, time_limit=seconds).run()
    return {
        "nodes": _interval(found.nodes),
        "solutions": _interval(found.solutions),
        "seconds": _interval(found.seconds),
        "profile": [
            {"left": left, "nodes": _interval(nodes)}
            for left, nodes in found.nodes_by_remaining.items()
        ],
        "strategy": found.strategy,
        "counted": found.counted,
        "confidence": found.confidence,
        "status": found.status,
        "why": found.reason,
    }


def _interval(value: Interval) -> dict[str, Any]:
    """An interval; without an upper bound the value is unknown, and both are null."""
    if value.high == float("inf"):
        return {"value": None, "low": value.low, "high": None}
    return {"value": value.value, "low": value.low, "high": value.high}
