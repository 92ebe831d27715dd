"""A page of `exactcover play`, opened from a disk: its answers, its game, and how it looks."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import exactcover as ec
from exactcover.show import Page
from exactcover.studio import play
from exactcover.studio.playing import Preparing
from tests.browser.conftest import Open
from tests.browser.test_everyone import PHONE, violations
from tests.helpers.served import cell, piece, settled

LAPTOP = {"viewport": {"width": 1440, "height": 900}}
ON_ITS_SIDE = {**PHONE, "viewport": {"width": 844, "height": 390}}

PUZZLES = (
    "pentominoes_20x3",
    "soma_castle_2",
    "mutilated_chessboard",
    "polysticks_1_to_3",
    "pentominoes_8x8_holes_3",
)
"""Boxes, layers, no solution, pieces that may not cross, stationary cells."""

ANSWERS = """async ([puzzle, data, positions]) => {
    const { aidOf } = await import("page/aid.js")
    const aid = await aidOf(puzzle, data)
    const found = []
    for (const placed of positions) {
        found.push([aid.left(placed), aid.hint(placed), aid.finish(placed)])
    }
    return found
}"""
"""The answers of a page about positions of any puzzle."""


@cache
def page_of(name: str) -> Page:
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    return play(puzzle, title=name)


Placed = tuple[str, frozenset[int]]
"""A piece, and the numbers of its cells."""


def solutions_of(puzzle: ec.Puzzle) -> list[frozenset[Placed]]:
    """All solutions, without stationary pieces."""
    numbers = {tuple(cell): number for number, cell in enumerate(puzzle.space.cells.tolist())}
    fixed = {piece.name for piece in puzzle.stationary}
    return [
        frozenset(
            (one.piece, frozenset(numbers[cell] for cell in one.cells))
            for one in solution.placements
            if one.piece not in fixed
        )
        for solution in ec.solve(puzzle, counted="all")
    ]


def positions_of(solutions: list[frozenset[Placed]], rng: random.Random) -> list[list[Placed]]:
    """Some pieces of a solution, and in every second position one of another, where it fits."""
    found: list[list[Placed]] = [[]]
    for number in range(12 if solutions else 0):
        first, second = (sorted(rng.choice(solutions), key=str) for _ in range(2))
        position = rng.sample(first, min(number // 2, len(first)))
        if number % 2:
            names, cells = {name for name, _ in position}, {c for _, own in position for c in own}
            free = [one for one in second if one[0] not in names and not one[1] & cells]
            position += rng.sample(free, min(1, len(free)))
        found.append(position)
    return found


def told(entries: Sequence[Any]) -> set[Placed]:
    return {(one["piece"], frozenset(one["cells"])) for one in entries}


def test_the_answers_are_those_of_all_solutions(open_page: Open) -> None:
    viewer = open_page(page_of("pentominoes_20x3"))
    rng = random.Random(1)
    for name in PUZZLES:
        puzzle = ec.read(name)
        assert isinstance(puzzle, ec.Puzzle)
        html = page_of(name).html
        solutions = solutions_of(puzzle)
        positions = positions_of(solutions, rng)
        asked = [[{"piece": p, "cells": sorted(cells)} for p, cells in one] for one in positions]
        answers = viewer.page.evaluate(
            ANSWERS, [data_in(html, "puzzle"), data_in(html, "aid"), asked]
        )
        for position, (left, hint, rest) in zip(positions, answers, strict=True):
            placed = frozenset(position)
            going_on = [one for one in solutions if placed <= one]
            assert left["left"] == len(going_on)
            if going_on:
                assert told(left["forced"]) == frozenset.intersection(*going_on) - placed
                assert placed | told(rest) in going_on
                assert any(told([hint]) <= one - placed for one in going_on)
                continue
            assert rest is None
            most = max((len(one & placed) for one in solutions), default=len(placed))
            undo = told(hint["undo"])
            assert undo <= placed
            assert len(undo) == len(placed) - most
            assert not solutions or any(placed - undo <= one for one in solutions)


def data_in(html: str, name: str) -> Any:
    _, _, rest = html.partition(f'<script type="application/json" id="data-{name}">')
    return json.loads(rest.partition("</script>")[0])


# -- games ----------------------------------------------------------------------------------------


def test_the_keyboard_solves_it_by_hints(open_page: Open) -> None:
    viewer = open_page(page_of("pentominoes_20x3"), **ON_ITS_SIDE, color_scheme="dark")
    keys = viewer.page.keyboard
    assert settled(viewer, 0) == "8 solutions"
    keys.press("h")
    assert viewer.page.inner_text(".line") == "Look at X: only 18 places are left for it."
    assert piece(viewer, "X").evaluate("one => one.classList.contains('meant')")
    assert viewer.page.locator(".place .mark").count() == 0
    keys.press("h")
    assert viewer.page.inner_text(".line") == "X goes there."
    assert viewer.page.locator(".place .mark").count() == 5
    keys.press("h")
    assert settled(viewer, 1) == "4 solutions"
    for _ in range(3 * 11):
        keys.press("h")
    viewer.until("document.querySelector('dialog.end') !== null")
    assert viewer.page.inner_text("dialog.end h2") == "Solved!"
    assert viewer.page.inner_text("dialog.end p") == "12 moves, 12 hints"
    assert violations(viewer) == []
    with viewer.page.expect_download() as saved:
        viewer.page.get_by_role("button", name="Save picture").click()
    assert saved.value.suggested_filename == "pentominoes-20x3.svg"
    assert saved.value.path().read_text().count("<polygon") == 60
    viewer.page.get_by_role("button", name="Play again").click()
    assert settled(viewer, 0) == "8 solutions"
    assert viewer.page.get_by_role("button", name="Undo").is_disabled()


def test_touch_goes_wrong_and_back_and_is_shown_a_solution(open_page: Open) -> None:
    viewer = open_page(page_of("pentominoes_20x3"), **PHONE)
    assert viewer.page.evaluate("document.documentElement.scrollWidth") == 390
    for name, place in (("X", (2, 1)), ("I", (12, 0))):
        piece(viewer, name).tap()
        cell(viewer, *place).tap()
    assert settled(viewer, 2) == "0 solutions"
    viewer.page.get_by_label("More").tap()
    viewer.page.get_by_role("button", name="Show a solution").tap()
    assert viewer.page.inner_text(".line") == "No solution is known that goes on from here."
    viewer.page.get_by_label("More").tap()
    viewer.page.get_by_role("button", name="Back to where it can be solved").tap()
    viewer.until("play.game.placed.length < 2")
    assert viewer.page.inner_text(".play .number") != "0"
    assert violations(viewer) == []
    viewer.page.get_by_label("More").tap()
    viewer.page.get_by_role("button", name="Show a solution").tap()
    viewer.until("play.solved")
    assert viewer.page.inner_text(".line") == "One of the solutions."
    viewer.page.reload()
    viewer.until("window.ready === true")
    assert settled(viewer, 12) == "1 solution"
    assert viewer.page.locator("dialog.end").count() == 0


def test_pieces_are_placed_in_the_model_and_picked_up_there(open_page: Open) -> None:
    viewer = open_page(page_of("somacube"), **LAPTOP)
    viewer.until("window.play.model.model !== undefined")
    piece(viewer, "V").click()
    canvas = viewer.page.locator(".turning canvas")
    box = canvas.bounding_box()
    assert box is not None
    at = {"x": box["width"] / 2, "y": box["height"] / 2}
    canvas.hover(position=at)
    assert viewer.page.evaluate("play.preview().fits") is True
    canvas.click(position=at)
    settled(viewer, 1)
    assert viewer.page.evaluate("play.model.model.parts[0].name") == "V"
    shown = viewer.page.evaluate(
        "play.game.placed[0].cells.map(cell => play.model.model.scene.owners[cell])"
    )
    assert shown == [0, 0, 0]
    viewer.page.evaluate("play.model.stage.turn(2.4, 0)")
    picked = """() => {
        const { left, top, width, height } = play.model.canvas.getBoundingClientRect()
        for (let x = 0.1; x < 1; x += 0.04) for (let y = 0.1; y < 1; y += 0.04) {
            const cell = play.model.cellAt(left + x * width, top + y * height)
            if (cell >= 0) return [play.game.owners()[cell], x * width, y * height]
        }
    }"""
    owner, x, y = viewer.page.evaluate(picked)
    assert owner == 0
    canvas.click(position={"x": x, "y": y})
    assert viewer.page.evaluate("play.hand.from") == 0
    shapes = [
        viewer.page.locator(f'[data-piece="{name}"] .shape').inner_html()
        for name in ("A", "B", "P")
    ]
    assert len({re.sub(r'style="[^"]*"', "", one) for one in shapes}) == 3


def test_some_of_the_solutions_give_hints_no_count_and_the_next_puzzle(open_page: Open) -> None:
    """The last move leads to the next of the pages that were written together."""
    puzzle = ec.read("somacube")
    assert isinstance(puzzle, ec.Puzzle)
    preparing = Preparing(puzzle, solutions=5)
    preparing.search()
    page = preparing.file(("A strip", "page1.html")).page
    viewer = open_page(page, viewport={"width": 844, "height": 390})
    open_page(page_of("pentominoes_20x3"))
    assert settled(viewer, 0) == "? solutions"
    for _ in range(3 * 7):
        viewer.page.keyboard.press("h")
    viewer.until("document.querySelector('dialog.end') !== null")
    viewer.page.get_by_role("button", name="Next: A strip").click()
    viewer.until("document.querySelector('h1')?.textContent === 'pentominoes_20x3'")
