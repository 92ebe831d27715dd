"""Puzzles, problems and their parts as values: equal by what they say, hashable, unchangeable."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import exactcover as ec
from exactcover.puzzle.paint import Paint

NAMES = (
    "pentominoes_10x6", "somacube", "queens_8", "v_pentominoes_8x8", "assignment",
)  # fmt: skip


def parts(subject: Any) -> list[Any]:
    """A puzzle or a problem, and the values that it is made of."""
    if isinstance(subject, ec.Problem):
        return [subject, next(ec.solve(subject))]
    solution = ec.first(subject)
    assert solution is not None
    model = subject.model
    return [
        subject, subject.lattice, subject.region, *subject.pieces, *subject.groups, subject.space,
        model, model.layout, model.problem, solution, *solution.placements,
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_two_readings_are_equal(name: str) -> None:
    one, other = ec.read(name), ec.read(name)
    assert one is not other
    for here, there in zip(parts(one), parts(other), strict=True):
        assert here == there
        assert hash(here) == hash(there)
        assert len({here, there}) == 1
        assert here != "something else"


BOX = ec.read("pentominoes_10x6")
PIECE, REGION = BOX.pieces[0], BOX.region
PAINT = Paint({(0, 0): 1}, {PIECE.name: (1, 0, 0, 0, 0)}, frozenset({(1, 1)}))
PROBLEM = ec.Problem.from_options({"x": ["a", "b"], "y": ["c"]}, secondary=["c"], costs=[1, 2])

DIFFERENT: list[tuple[Any, dict[str, Any]]] = [
    (PIECE, {"name": "other"}),
    (PIECE, {"cells": PIECE.cells + 1}),
    (PIECE, {"low": 0}),
    (PIECE, {"high": None}),
    (PIECE, {"cost": 2}),
    (REGION, {"cells": REGION.cells[1:]}),
    (REGION, {"costs": {(0, 0): 2}}),
    (REGION, {"optional": [(50, 50)]}),
    (BOX, {"pieces": BOX.pieces[::-1]}),
    (BOX, {"reflections": False}),
    (BOX, {"paint": PAINT}),
    (PAINT, {"cells": {(0, 0): 2}}),
    (PAINT, {"allowed": frozenset()}),
    (PROBLEM, {"costs": None}),
    (PROBLEM, {"costs": np.array([1.0, 3.0])}),
    (PROBLEM, {"items": ("a", "b", "z")}),
    (PROBLEM, {"option_names": ("x", "z")}),
    (BOX.lattice, {"name": "other"}),
    (BOX.lattice, {"aliases": ("other",)}),
]


@pytest.mark.parametrize(("value", "change"), DIFFERENT)
def test_a_change_of_any_field_makes_another_value(value: Any, change: dict[str, Any]) -> None:
    changed = replace(value, **change)
    assert changed != value
    assert changed == replace(value, **change)
    assert hash(changed) == hash(replace(value, **change))
    back = replace(changed, **{name: getattr(value, name) for name in change})
    assert (back, hash(back)) == (value, hash(value))


def arrays_in(value: Any) -> list[tuple[str, Any]]:
    return [
        (field.name, array)
        for field in fields(value)
        if isinstance(array := getattr(value, field.name), np.ndarray)
    ]


def test_arrays_and_mappings_cannot_be_changed() -> None:
    painted = replace(BOX, paint=PAINT)
    values: list[Any] = [PIECE, REGION, PROBLEM, *painted.groups, painted.space]
    found = [(name, array) for value in values for name, array in arrays_in(value)]
    assert len(found) > 10
    for name, array in found:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        assert name
    for mapping in (
        painted.paint.cells,
        painted.paint.pieces,
        replace(REGION, costs={(0, 0): 1}).costs,
    ):
        with pytest.raises(TypeError):
            mapping[(0, 0)] = 2
    with pytest.raises(AttributeError):
        PIECE.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
@pytest.mark.parametrize("value", [PIECE, REGION, BOX, PAINT, PROBLEM, BOX.lattice])
def test_copies_are_equal(value: Any, copied: Callable[[Any], Any]) -> None:
    hash(value)
    again = copied(value)
    assert again == value
    assert hash(again) == hash(value)
    assert not any(array.flags.writeable for _, array in arrays_in(again))


def test_a_pickled_hash_is_not_that_of_another_process() -> None:
    hash(PIECE)
    code = (
        "import pickle, sys, exactcover as ec\n"
        "piece = pickle.load(sys.stdin.buffer)\n"
        "same = ec.Piece(piece.name, piece.cells)\n"
        "print(piece == same, hash(piece) == hash(same))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps(PIECE),
        env={**os.environ, "PYTHONHASHSEED": "1"},
        check=True,
        capture_output=True,
    )
    assert run.stdout.split() == [b"True", b"True"]
