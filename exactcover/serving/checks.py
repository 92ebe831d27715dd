"""What can be told of a puzzle before any search: its sizes, and why it has no solution."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from exactcover.patience import within
from exactcover.proofs import Congruence, Unchecked, explain, find_proof
from exactcover.puzzle import Model
from exactcover.serving.posed import Posed

SECONDS = 4.0
"""That looking for a proof may take."""

UNKNOWN = "Nothing speaks against a solution so far; a search will tell."


def checked(one: Posed) -> dict[str, Any]:
    """The sizes of a puzzle, and a proof that it has no solution if there is a simple one."""
    began = perf_counter()
    puzzle = one.puzzle
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
        record |= _of_model(model)
    if model.reason:
        record |= {"verdict": "impossible", "why": model.reason}
    elif not model.keeps_rectangles:
        record |= _proof(model)
    record["seconds"] = round(perf_counter() - began, 3)
    return record


def _of_model(model: Model) -> dict[str, Any]:
    """The symmetries of a puzzle, and where each piece can lie."""
    images = [
        {"piece": piece.name, "number": number}
        for group, number in zip(model.groups, model.images, strict=True)
        for piece in group.members
    ]
    return {"symmetries": len(model.symmetries), "images": images}


def _proof(model: Model) -> dict[str, Any]:
    """A proof that there is no solution, as a colouring of the cells; empty: none was found."""
    proof = find_proof(model, seconds=SECONDS)
    if proof is None or isinstance(proof, Unchecked):
        return {}
    places = model.puzzle.space.find(model.free.cells).tolist()
    values = proof.cell_values(model.layout).tolist()
    colours = [{"cell": at, "class": value} for at, value in zip(places, values, strict=True)]
    why = "there is no solution, not even in fractions of pieces: the weights do not add up"
    if isinstance(proof, Congruence):
        colouring = "black and white" if proof.modulus == 2 else f"{proof.modulus} classes"
        why = (
            f"a colouring in {colouring} (weights modulo {proof.modulus}) shows that no choice of "
            "places covers each class as often as it must be"
        )
    explained = explain(model.problem, proof, model.layout)
    return {"verdict": "impossible", "why": why, "explained": explained, "colours": colours}
