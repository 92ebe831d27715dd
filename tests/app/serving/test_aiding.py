"""The aid for players as JSON, compared with the aid itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import exactcover as ec
from exactcover.app.serving.advice import PUZZLES, Aids
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


def test_an_answer_says_what_the_aid_says() -> None:
    puzzle, aids = box(), Aids()
    cross = numbers(puzzle, CROSS)
    placed = [{"piece": "X", "cells": cross}]
    question = {"placed": placed, "seconds": 5}
    answer = aids.answer("box", puzzle, question)
    while not answer["exact"]:  # kernels may be compiled first
        answer = aids.answer("box", puzzle, question)
    with ec.Aid(puzzle) as aid:
        aid.place("X", CROSS)
        known = aid.wait()
    assert (answer["left"], answer["exact"], answer["text"]) == (known.left, True, str(known))
    assert [one["piece"] for one in answer["forced"]] == [one.piece for one in known.forced]
    for one, other in zip(answer["forced"], known.forced, strict=True):
        assert sorted(one["cells"]) == sorted(numbers(puzzle, other.cells))
    assert (answer["dead"], answer["stuck"], answer["why"]) == ([], [], None)
    hint = aids.hint("box", puzzle, question)
    after = {"placed": [*placed, hint], "seconds": 5}
    assert aids.answer("box", puzzle, after)["left"] > 0
    aids.close()


def test_a_position_without_solutions_says_what_to_take_back() -> None:
    puzzle, aids = box(), Aids()
    wrong = numbers(puzzle, [(x + 1, y) for x, y in CROSS])
    hint = aids.hint("box", puzzle, {"placed": [{"piece": "X", "cells": wrong}]})
    assert [(one["piece"], sorted(one["cells"])) for one in hint["undo"]] == [("X", sorted(wrong))]
    assert "area of 8 cells" in hint["why"]
    aids.close()


def test_the_places_of_a_piece() -> None:
    puzzle, aids = box(), Aids()
    everywhere = aids.places("box", puzzle, "X", None)
    assert len(everywhere) == 18
    [number] = numbers(puzzle, [(1, 0)])
    assert aids.places("box", puzzle, "X", number) == [
        place for place in everywhere if number in place
    ]
    aids.close()


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
    aids = Aids()
    with pytest.raises(ec.ExactCoverError, match=message):
        aids.answer("box", box(), {"placed": placed})
    aids.close()


def test_only_the_last_puzzles_keep_their_aids() -> None:
    aids = Aids()
    for side in range(2, 4 + PUZZLES):
        puzzle = ec.Puzzle.of("domino any", f"{side}x2")
        aids.answer(str(side), puzzle, {"placed": [], "seconds": 1})
    assert list(aids.kept) == [str(side) for side in range(4, 4 + PUZZLES)]
    aids.close()
    assert not aids.kept


def test_the_server_hands_questions_to_the_aid(server: Served, box: str) -> None:
    question: dict[str, Any] = {"puzzle": box, "placed": [], "seconds": 5}
    assert server.api("/aid", question)["left"] == 8
    hint = server.api("/aid/hint", question)
    question["placed"] = [{"piece": hint["piece"], "cells": hint["cells"]}]
    assert 0 < server.api("/aid", question)["left"] <= 8
    assert len(server.api(f"/puzzles/{box}/places?piece=X")) == 18
