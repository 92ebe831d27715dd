"""Strategies and plans drawn at random, and what a search finds."""

from __future__ import annotations

import pytest
from hypothesis import reject
from hypothesis import strategies as st

from exactcover.backends import get_backend
from exactcover.backends.base import Search, Slice, Status
from exactcover.errors import PuzzleError
from exactcover.lattices import get_lattice
from exactcover.problem import Problem
from exactcover.search.plan import Plan, make_plan
from exactcover.search.strategy import Stage, Strategy
from exactcover.search.subject import Subject
from tests.helpers.plain_puzzles import plain_puzzles, told

STAGES = {"dlx": ("s", "f", "x", "R"), "fila": ("f", "e", "s"), "bsx": ("s", "f")}


def found_by(search: Search, steps: int, capacity: int) -> list[tuple[int, ...]]:
    """All solutions; progress never runs back, and the tally adds up where it is kept."""
    slices: list[Slice] = []
    share = 0.0
    while not slices or slices[-1].status is not Status.DONE:
        made = search.advance(steps, capacity=capacity)
        assert made.found == len(made) <= capacity
        slices.append(made)
        progress = search.where().progress
        assert share - 1e-9 <= progress <= 1 + 1e-9
        share = progress
    assert share == pytest.approx(1)
    whole = Slice.joined(slices, Status.DONE)
    assert sum(tried.fits for tried in whole.tally.values()) == whole.fits
    assert sum(tried.attempts for tried in whole.tally.values()) == whole.choices
    return whole.solutions


def drawn_strategy(data: st.DataObject, problem: Problem, *, geometry: bool) -> Strategy:
    """One to four stages of engines that can do the problem, and maybe a filter at every step."""
    able = [name for name in STAGES if not get_backend(name).capabilities.missing(problem)]
    left = sorted(data.draw(st.sets(st.integers(0, 5), max_size=3)), reverse=True)
    stages: list[Stage] = []
    for remaining in [None, *left]:
        backend = data.draw(st.sampled_from(able))
        if backend == "bsx" and stages and stages[-1].backend == "bsx":
            continue  # it searches in one stage
        names = STAGES[backend] if geometry else STAGES[backend][:2]
        stages.append(Stage(backend, data.draw(st.sampled_from(names)), remaining))
    filters = data.draw(st.sampled_from(("", "fit@3; ", "fit@1; "))) if able else ""
    return Strategy.parse(filters + "; ".join(map(str, stages)))


LATTICES = ["square", "hexagonal", "sticks-square", "cubic", "triangular"]


def drawn_plan(data: st.DataObject, lattice: str) -> Plan:
    """The plan of a puzzle with up to eight cells whose pieces may fill it."""
    try:
        model = told(data.draw(plain_puzzles(get_lattice(lattice), 8))).model
    except PuzzleError:
        reject()
    if model.reason:
        reject()
    return make_plan(Subject(model.problem, model), Strategy.parse("dlx:s"))
