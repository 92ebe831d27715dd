"""Listing or states: the same counts whichever goes on, and the same way on every machine."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactcover as ec
from exactcover.backends import memo
from exactcover.backends.base import Slice, Where
from exactcover.errors import CapabilityError
from exactcover.lattices import lattices
from exactcover.puzzle import Puzzle
from exactcover.search import choice, clock
from exactcover.search.begun import Begun
from exactcover.search.counting import states
from exactcover.search.counting.counts import Counting
from tests.helpers.examples import some
from tests.helpers.naive_symmetry import orbits
from tests.helpers.naive_tiling import PlainPiece, PlainPuzzle, tilings
from tests.helpers.plain_puzzles import told

Cells = frozenset[frozenset[tuple[int, ...]]]

PIECES = {
    "I": ((0, 0), (0, 1)),
    "J": ((0, 0), (0, 1), (0, 2)),
    "V": ((0, 0), (0, 1), (1, 0)),
    "L": ((0, 0), (0, 1), (0, 2), (1, 0)),
    "T": ((0, 0), (0, 1), (0, 2), (1, 1)),
    "S": ((0, 0), (0, 1), (1, 1), (1, 2)),
}


@cache
def box(wide: int, high: int, names: str, counted: str) -> tuple[Puzzle, list[set[Cells]]]:
    """A box of different pieces, and its solutions by the plain reference, in classes."""
    cells = tuple(product(range(wide), range(high)))
    pieces = tuple(PlainPiece(name, PIECES[name]) for name in names)
    plain = PlainPuzzle(lattices()["square"], cells, (), pieces)
    classes = orbits(plain, tilings(plain), counted)
    places = [{frozenset(cells for _, cells in tiling) for tiling in one} for one in classes]
    return told(plain), places


def drawn_choice(patched: pytest.MonkeyPatch, drawn: random.Random) -> None:
    """Let the choice look, size, try, give up and go on in any order that it can."""
    values: dict[str, list[float]] = {
        "SLICE": [1, 16, 256],
        "SHORT": [1, 64, 1000, 1 << 21],
        "HOPELESS": [100.0, 2.0**62],
    }
    for name, of_it in values.items():
        patched.setattr(choice, name, drawn.choice(of_it))
    patched.setattr(states, "TRIED", drawn.choice([0.0, 0.5, 100.0]))
    patched.setattr(choice, "PRICES", drawn.choice([choice.PRICES, {"bsx": 1e-3}, {"bsx": 1e3}]))
    patched.setattr(clock, "MOST_STEPS", drawn.choice([64, 1 << 22]))


BOXES = [
    (4, "IJVLT", "all"),
    (4, "IJVLT", "rotations"),
    pytest.param(5, "IJVLTS", "rotations", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("wide", "names", "counted"), BOXES)
@given(seed=st.integers(0, 1 << 32))
def test_counts_agree_however_they_go_on(wide: int, names: str, counted: str, seed: int) -> None:
    puzzle, classes = box(wide, 4, names, counted)
    with pytest.MonkeyPatch.context() as patched:
        drawn_choice(patched, random.Random(seed))
        result = Counting(puzzle, counted=counted).run()
    assert result.solutions == len(classes)
    assert min(result.fits, result.nofits) >= 0
    assert sum(result.symmetric.values()) in (0, len(classes))


PUZZLES = [
    ("pentominoes_15x4", "all", 4 * 368),
    ("somacube", "reflections", 240),
    ("hexiamonds_9x4", "rotations", 74),
    ("pentominoes_cylinder_20x3", "rotations", None),
    ("queens_8", None, 92),
]


@pytest.mark.parametrize(
    ("name", "counted", "many", "seed"),
    some([(*puzzle, seed) for seed in range(3) for puzzle in PUZZLES], one_in=8, first=3),
)
def test_puzzles_of_every_kind(
    name: str, counted: str | None, many: int | None, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_choice(monkeypatch, random.Random(seed))
    puzzle = ec.read(name)
    if many is None:
        many = ec.count(puzzle, counted=counted, strategy="redundancy; dlx:s")
    assert ec.count(puzzle, counted=counted) == many


@pytest.mark.parametrize(
    "name", some(["pentominoes_8x8_hole", "hexiamonds_6x6", "queens_10"], one_in=3)
)
def test_the_way_does_not_depend_on_the_pace(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine makes many small slices, a quick one a few large ones."""
    results = []
    for most in (1000, 1 << 12, 1 << 22):
        monkeypatch.setattr(clock, "MOST_STEPS", most)
        result = Counting(ec.read(name)).run()
        passed_over = [one.note for one in result.applied if "passed over" in one.note]
        results.append((result.record() | {"seconds": 0, "compiling": 0}, passed_over, result.why))
    assert results[0] == results[1] == results[2]


def test_what_took_too_much_work_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "SHORT", 1000)
    monkeypatch.setattr(choice, "PRICES", {"bsx": 0.1})
    result = Counting(ec.read("pentominoes_8x8_hole")).run()
    assert result.solutions == 65
    assert "bsx" in result.strategy
    assert "listing takes less work" in result.applied[0].note
    monkeypatch.setattr(choice, "PRICES", {"bsx": 1e9})
    result = Counting(ec.read("pentominoes_8x8_hole")).run()
    assert result.solutions == 65
    assert "automaton" in result.strategy
    states, choices = result.why.split(" states, where listing would try about ")
    assert states == f"{result.fits:,}"
    assert re.fullmatch("[0-9,]+ options", choices)


@pytest.mark.parametrize("after", [0, 1 << 16])
def test_states_that_fail_give_way(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, or when the listing has been left for them: nothing is counted twice."""
    monkeypatch.setattr(choice, "SHORT", 1 << 14)
    monkeypatch.setattr(choice, "PRICES", {"bsx": 1e9})
    begin, spent = choice.begin_states, 0

    def begins(*given: Any, **named: Any) -> Begun:
        begun = begin(*given, **named)
        search = begun.search

        def advance(steps: int, **how: Any) -> Slice:
            nonlocal spent
            spent += steps
            if spent > after:
                raise CapabilityError("states cannot count this")
            return replace(search.advance(steps, **how), found=1)

        failing = Mock(advance=advance, where=lambda: Where(progress=1e-3))
        return Begun(failing, begun.strategy, begun.plan, begun.applied)

    monkeypatch.setattr(choice, "begin_states", begins)
    result = Counting(ec.read("pentominoes_8x8_hole")).run()
    assert (result.status, result.solutions) == ("complete", 65)
    assert (
        result.fits
        == ec.Counting(ec.read("pentominoes_8x8_hole"), strategy=result.strategy).run().fits
    )
    assert "states cannot count this" in result.applied[0].note
    assert spent > after


@pytest.mark.slow
def test_states_go_on_from_part_to_part_of_a_count() -> None:
    """A new part promises nothing yet, which is no reason to give states up."""
    counting = Counting(ec.read("PT12_plus"), counted="all")
    result = counting.run()
    assert (result.solutions, result.strategy) == (58416, "volume; automaton:narrow")


@pytest.mark.slow
def test_where_neither_can_be_counted_memory_is_said_to_be_short(tmp_path: Path) -> None:
    """On 40 x 40 cells the listing would never end, and the states do not fit."""
    puzzle = tmp_path / "forty.toml"
    puzzle.write_text('pieces = "domino any, monomino any, T tetromino any"\nregion = "40x40"\n')
    code = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
    code += "from exactcover.cli import main; main(['count', sys.argv[1], '--workers', '1'])"
    done = subprocess.run(
        [sys.executable, "-c", code, puzzle],
        capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    assert done.returncode == 4, done.stderr
    assert "do not fit" in done.stderr


@pytest.mark.parametrize(("splits", "again"), [(0.0, 0.0), (2.0, 2.0)])
def test_a_plain_problem_is_counted_by_each_way(
    splits: float, again: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is split, or counted along the board."""
    monkeypatch.setattr(choice, "SHORT", 5000)
    monkeypatch.setattr(states, "TRIED", 1e9)
    for name, value in {"PATIENCE": 16, "FIRST_SLOTS": 32, "APART": splits, "AGAIN": again}.items():
        monkeypatch.setattr(memo, name, value)
    result = Counting(ec.read("queens_10")).run()
    assert result.solutions == 724
    assert ("memo" in result.strategy) is (splits == 0)
    assert splits == 0 or "automaton" in result.strategy
