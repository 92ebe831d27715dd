"""Searches: their messages, their end, and what goes on beside them."""

from __future__ import annotations

import http.client
import json
from typing import Any

import pytest

import exactcover as ec
from tests.helpers.real_server import POSTED, Served, eventually, serving

LONG = "square/PT12"
"""A search that takes hours, and begins at once."""


def rows(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for message in messages for row in message.get("rows", ())]


@pytest.mark.parametrize("name", ["square/pentominoes_20x3", "cubic/somacube"])
def test_all_solutions_are_found(server: Served, name: str) -> None:
    said = server.shelf(name)
    messages = server.solve(said["text"])
    end = messages[-1]
    puzzle = ec.read(name)
    expected = [one.options for one in ec.solve(puzzle)]
    assert (end["status"], end["solutions"], end["done"]) == ("complete", len(expected), 1)
    found = rows(messages)
    assert [tuple(row["options"]) for row in found] == expected
    assert sum(fits for left, fits, _ in end["profile"] if left == 1) == len(expected)
    for row in found:
        assert sorted(set(row["parts"])) == list(range(len(row["pieces"])))


def test_copies_of_a_piece_are_told_apart(server: Served) -> None:
    messages = server.solve(server.shelf("square/dominoes_4x4")["text"])
    assert messages[-1]["solutions"] == 9
    for row in rows(messages):
        assert row["pieces"] == [0] * 8
        assert sorted(row["parts"]) == sorted([*range(8)] * 2)


def test_more_solutions_than_the_page_gets_are_counted(server: Served) -> None:
    messages = server.solve(server.shelf("square/dominoes_10x10")["text"])
    assert len(rows(messages)) == 2000
    assert messages[-1]["status"] == "complete"
    assert messages[-1]["solutions"] == ec.count(ec.read("dominoes_10x10"))


def test_the_solutions_of_a_burr_have_levels(server: Served) -> None:
    messages = server.solve(server.shelf("cubic/burr_loves_dozen")["text"])
    at = [place for place, message in enumerate(messages) if "levels" in message]
    assert len(rows(messages[: at[0]])) == 154  # a level is of a solution that the page has
    levels = [level for message in messages for _, level in message.get("levels", ())]
    assert len(levels) == 154
    assert sum(bool(level) for level in levels) == 90
    assert "12.3.1.1.1" in levels
    assert not any("levels" in one for one in server.solve(server.shelf("cubic/somacube")["text"]))


def test_an_impossible_puzzle_says_why(server: Served) -> None:
    end = server.solve(server.shelf("square/mutilated_chessboard")["text"])[-1]
    assert (end["solutions"], "32 white" in end["why"]) == (0, True)
    text = 'lattice = "square"\npieces = "pentominoes"\nregion = "7x8"'
    end = server.solve(text)[-1]
    assert (end["status"], end["solutions"]) == ("impossible", 0)
    assert "60" in end["why"]


def test_a_wrong_puzzle_is_a_line_with_its_error(server: Served) -> None:
    [line] = server.solve("lattice = 1")
    assert "lattice" in line["error"]


def test_a_search_ends_when_its_page_goes_and_pictures_do_not_wait() -> None:
    with serving("--processes", "2", "--seconds", "600") as server:
        body = json.dumps({"text": server.shelf(LONG)["text"]})
        going = []
        for _ in range(2):  # more than may search at once
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            link.request("POST", "/api/solve", body, {**POSTED, **server.token})
            going.append(link)
        answer = going[0].getresponse()
        assert json.loads(answer.readline())["solutions"] in (0, 1)
        assert server.ask("/api/shelf/square/pentominoes_10x6.svg").status == 200
        assert len(server.children()) == 2
        answer.close()
        for link in going:
            link.close()
        # Their places are free again, so that a short search comes to its end.
        assert eventually(
            lambda: server.solve(server.shelf("cubic/somacube")["text"])[-1]["solutions"] == 480
        )
        assert len(server.children()) <= 2


def test_a_search_stops_at_its_time_limit() -> None:
    with ec.Solving(ec.read(LONG), tally=True) as solving:
        while solving.result.fits < 100:
            assert solving.step()  # its engines are compiled, which may take longer than the limit
    with serving("--seconds", "1") as server:
        end = server.solve(server.shelf(LONG)["text"])[-1]
        assert end["status"] == "limit"


def test_a_large_puzzle_gets_one_solution_first(server: Served) -> None:
    text = 'lattice = "square"\npieces = ["I tromino any", "domino any"]\nregion = "20x12"\n'
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    body = json.dumps({"text": text})
    link.request("POST", "/api/solve", body, {**POSTED, **server.token})
    answer = link.getresponse()
    message = json.loads(answer.readline())
    assert (message["solutions"], len(message["rows"])) == (1, 1)
    assert min(message["rows"][0]["parts"]) >= 0
    answer.close()
    link.close()
