"""Albums hold the picture of each solution, and no more than was wanted for."""

from __future__ import annotations

import json
import re

import pytest

import exactcover as ec


def pictures(page: ec.Page) -> list[str]:
    found = re.search(r'id="data-pictures">(.*?)</script>', page.html)
    assert found
    return list(json.loads(found[1]))


def test_an_album_has_the_picture_of_each_solution() -> None:
    solutions = list(ec.solve(ec.read("pentominoes_20x3")))
    assert pictures(ec.album(solutions)) == [ec.picture(one).svg for one in solutions]
    plain = pictures(ec.album(solutions, names=False))
    assert all("<text" not in svg for svg in plain)


def test_an_album_takes_no_more_than_its_limit() -> None:
    search = ec.solve(ec.read("pentominoes_10x6"))
    assert len(pictures(ec.album(search, limit=3))) == 3
    assert next(search) is not None  # the rest is still there


@pytest.mark.parametrize(
    ("solutions", "said", "message"),
    [
        ([], {}, "there is no solution"),
        (3, {}, "solutions=3: it must be solutions of a puzzle"),
        ("PFU", {}, "it must be solutions of a puzzle"),
        ([], {"limit": 0}, "limit=0: it must be a whole number from 1 up"),
        (ec.solve([["a"]]), {}, "plain problem"),
    ],
)
def test_what_is_no_solution_is_refused(
    solutions: object, said: dict[str, int], message: str
) -> None:
    with pytest.raises(ec.ExactCoverError, match=message):
        ec.album(solutions, **said)  # type: ignore[arg-type]
