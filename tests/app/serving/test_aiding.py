"""The aid for players as JSON, compared with the aid itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import exactcover as ec
from exactcover.app.serving import Answer, advice
from exactcover.app.serving.advice import PUZZLES, finish, hint, left, places
from exactcover.app.serving.client_puzzles import ClientPuzzle
from exactcover.formats import Document
from tests.helpers.real_server import Served

CROSS = [(2, 1), (1, 1), (3, 1), (2, 0), (2, 2)]


def box() -> ec.Puzzle:
    puzzle = ec.read("pentominoes_20x3")
    assert isinstance(puzzle, ec.Puzzle)
    return puzzle


def numbers(puzzle: ec.Puzzle, cells: Iterable[tuple[int, ...]]) -> list[int]:
    """The numbers of cells on the page."""
    listed = [tuple(cell) for cell in puzzle.space.cells.tolist()]
    return [listed.index(cell) for cell in cells]


def answer(ask: Callable[..., Answer], puzzle: ec.Puzzle, **given: Any) -> Any:
    """The answer to a question about a puzzle."""
    return json.loads(ask(ClientPuzzle.of(Document("box", puzzle)), **given).body)


@pytest.fixture(autouse=True)
def fresh_aids() -> Iterator[None]:
    yield
    while advice.aids:
        advice.aids.popitem()[1].close()


def test_an_answer_says_what_the_aid_says() -> None:
    puzzle = box()
    placed = [{"piece": "X", "cells": numbers(puzzle, CROSS)}]
    asked = {"placed": placed, "seconds": 5}
    found = answer(left, puzzle, **asked)
    while not found["exact"]:  # kernels may be compiled first
        found = answer(left, puzzle, **asked)
    with ec.Aid(puzzle) as aid:
        aid.place("X", CROSS)
        known = aid.wait()
    assert (found["left"], found["exact"], found["text"]) == (known.left, True, str(known))
    assert [one["piece"] for one in found["forced"]] == [one.piece for one in known.forced]
    for one, other in zip(found["forced"], known.forced, strict=True):
        assert sorted(one["cells"]) == sorted(numbers(puzzle, other.cells))
    assert (found["dead"], found["stuck"], found["why"]) == ([], [], None)
    step = answer(hint, puzzle, **asked)
    after = {"placed": [*placed, step], "seconds": 5}
    assert answer(left, puzzle, **after)["left"] > 0
    rest = answer(finish, puzzle, **after)
    assert not rest["searching"]
    assert len(rest["rest"]) == 12 - 2


@pytest.mark.parametrize("name", ["soma_bench", "mutilated_chessboard"])
def test_a_puzzle_without_a_solution_has_none_that_differ(name: str) -> None:
    puzzle = ec.read(name)
    assert isinstance(puzzle, ec.Puzzle)
    found = answer(left, puzzle, placed=[], seconds=5)
    while not found["exact"]:
        found = answer(left, puzzle, placed=[], seconds=5)
    assert (found["left"], found["different"]) == (0, 0)


def test_a_position_without_solutions_says_what_to_take_back() -> None:
    puzzle = box()
    wrong = numbers(puzzle, [(x + 1, y) for x, y in CROSS])
    asked = {"placed": [{"piece": "X", "cells": wrong}], "seconds": 1}
    step = answer(hint, puzzle, **asked)
    assert [(one["piece"], sorted(one["cells"])) for one in step["undo"]] == [("X", sorted(wrong))]
    assert "area of 8 cells" in step["why"]


def test_the_places_of_a_piece() -> None:
    puzzle = box()
    everywhere = answer(places, puzzle, piece="X", cell=None)
    assert len(everywhere) == 18
    [number] = numbers(puzzle, [(1, 0)])
    over = answer(places, puzzle, piece="X", cell=number)
    assert over == [place for place in everywhere if number in place]


@pytest.mark.parametrize(
    ("placed", "message"),
    [
        ("X", "placed: a list"),
        ([{"piece": 3}], r"placed\[0\]"),
        ([{"piece": "X", "cells": []}], "cells: a list of cell numbers"),
        ([{"piece": "X", "cells": [60]}], "numbered from 0 to 59, not 60"),
        ([{"piece": "X", "cells": [True]}], "not True"),
        ([{"piece": "X", "cells": [0, 1]}], "another shape"),
    ],
)
def test_a_wrong_question_says_what_is_wrong(placed: Any, message: str) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        answer(left, box(), placed=placed, seconds=1)


def test_only_the_last_puzzles_keep_their_aids() -> None:
    for side in range(2, 4 + PUZZLES):
        puzzle = ec.Puzzle.of("domino any", f"{side}x2")
        answer(left, puzzle, placed=[], seconds=1)
    sides = [len(aid.puzzle.space) // 2 for aid in advice.aids.values()]
    assert sides == list(range(4, 4 + PUZZLES))


def test_the_server_hands_questions_to_the_aid(server: Served, box: str) -> None:
    question: dict[str, Any] = {"puzzle": box, "placed": [], "seconds": 5}
    assert server.api("/aid", question)["left"] == 8
    hint = server.api("/aid/hint", question)
    question["placed"] = [{"piece": hint["piece"], "cells": hint["cells"]}]
    assert 0 < server.api("/aid", question)["left"] <= 8
    assert len(server.api(f"/puzzles/{box}/places?piece=X")) == 18
