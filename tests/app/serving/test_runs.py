"""Runs: what they find, their limits, and that they go on without a page."""

from __future__ import annotations

import json
import os
import signal
from time import sleep
from typing import Any

import pytest

import exactcover as ec
from tests.helpers.real_server import Served, eventually, serving

ENDLESS = """
pieces = "hexominoes"
region = "30x7"
"""
"""No solution, by a colouring that no run looks for: a search without end."""


def posted(server: Served, text: str) -> str:
    puzzle: str = server.api("/puzzles", {"text": text, "name": "x.toml"})["puzzles"][0]["id"]
    return puzzle


def events(server: Served, run: str, last: int = 0) -> list[tuple[str, Any]]:
    """The events of a run to its end, connected anew."""
    text = server.listen(run, last).read().decode()
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line[1:])
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def test_a_run_finds_all_solutions_and_tells_them(server: Served, box: str) -> None:
    run = server.run(box, what="all")
    told = events(server, run["id"])
    names = [name for name, _ in told]
    assert names[0] == "progress"
    assert names[-1] == "end"
    assert names.count("solution") == 2
    assert told[-1][1]["state"] == "complete"
    assert told[-1][1]["solutions"] == 2
    assert sum(row[1] for row in told[-1][1]["profile"]) > 1000
    solutions = server.api(f"/runs/{run['id']}/solutions")["solutions"]
    puzzle = ec.read("pentominoes_20x3")
    numbers = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
    places = {tuple(cell): at for at, cell in enumerate(puzzle.space.cells.tolist())}
    expected = set()
    for solution in ec.solve(puzzle):
        owners = [-1] * 60
        for placement in solution.placements:
            for cell in placement.cells:
                owners[places[cell]] = numbers[placement.piece]
        expected.add(tuple(owners))
    assert {tuple(one["owners"]) for one in solutions} == expected


def test_solutions_are_told_again_filtered_and_exported(server: Served, box: str) -> None:
    run = f"/runs/{server.run(box, what='all', unique='all')['id']}"
    server.ended(run.rpartition("/")[2])
    for seen in (0, 6):
        told = [one["index"] for name, one in events(server, run[6:], seen) if name == "solution"]
        assert told == [*range(seen, 8)]
    everything = server.api(f"{run}/solutions")["solutions"]
    name = server.api(f"/puzzles/{box}")["pieces"][0]["name"]
    found = server.api(f"{run}/solutions?piece={name}&cell=0")
    assert found["solutions"] == [one for one in everything if one["owners"][0] == 0]
    assert server.api(f"{run}/solutions?symmetric=1")["total"] == 0
    for form in ("svg", "json", "txt"):
        made = server.ask(f"/api{run}/solutions/0/export?format={form}")
        assert made.status == 200
        assert made.headers["content-disposition"] == f'attachment; filename="solution-1.{form}"'
        if form == "json":
            covered = [cell for piece in made.json["pieces"] for cell in piece["cells"]]
            assert sorted(covered) == ec.read("pentominoes_20x3").space.cells.tolist()
    assert server.ask(f"/api{run}/sheet.svg").body.startswith(b"<svg")
    assert server.ask(f"/api{run}/sheet.svg?number=201").status == 400
    assert server.ask(f"/api{run}/solutions/0/view.json").json["solutions"]


def test_symmetric_solutions_are_told_apart(server: Served) -> None:
    text = 'pieces = ["domino x 2"]\nregion = "2x2"'
    run = server.run(posted(server, text), what="all", unique="all")
    server.ended(run["id"])
    assert server.api(f"/runs/{run['id']}/solutions?symmetric=1")["total"] == 2


def test_counting_sampling_and_the_first(server: Served, box: str) -> None:
    runs = [server.run(box, what=what, seed=3) for what in ("count", "sample", "first")]
    count, sample, first = [server.ended(run["id"]) for run in runs]
    assert (count["solutions"], count["kept"]) == (2, 0)
    assert (sample["solutions"], sample["kept"]) == (10, 10)
    assert (first["solutions"], first["state"]) == (1, "complete")


def test_a_run_goes_on_without_a_page_and_ends_when_it_is_stopped(server: Served) -> None:
    run = server.run(posted(server, ENDLESS), what="all")
    link = server.listen(run["id"])
    link.read(100)
    link.close()  # the page is closed
    sleep(1.5)
    assert server.api(f"/runs/{run['id']}")["state"] == "running"
    before = server.children()
    stopped = server.api(f"/runs/{run['id']}", method="DELETE")
    assert stopped["state"] == "stopped"
    assert len(server.children()) == len(before) - 1
    assert server.ask(f"/api/runs/{run['id']}", method="DELETE").status == 204
    assert server.ask(f"/api/runs/{run['id']}").status == 404


@pytest.mark.parametrize("seconds", [None, 2])
def test_a_run_that_ends_early_has_kept_what_it_has_found(
    server: Served, seconds: float | None
) -> None:
    puzzle = posted(server, 'pieces = "domino * 32"\nregion = "8x8"')
    run = server.run(puzzle, what="all", unique="all", seconds=seconds)["id"]
    if seconds is None:
        assert eventually(lambda: server.api(f"/runs/{run}")["solutions"] >= 300)
        server.api(f"/runs/{run}", method="DELETE")
    ended = server.ended(run)
    assert ended["state"] == ("limit" if seconds else "stopped")
    assert ended["kept"] == min(ended["solutions"], 10_000)


def test_a_run_ends_at_its_limits(server: Served, box: str) -> None:
    by_time = server.run(posted(server, ENDLESS), what="all", seconds=0.5)
    by_number = server.run(box, what="all", unique="all", limit=3)
    assert server.ended(by_time["id"])["state"] == "limit"
    ended = server.ended(by_number["id"])
    assert (ended["state"], ended["solutions"]) == ("limit", 3)


def test_what_is_wrong_with_a_run_is_said(server: Served, box: str) -> None:
    for task, word in (
        ({"what": "some"}, "what"),
        ({"strategy": "dlx:nonsense"}, "nonsense"),
        ({"seconds": 1e9}, "seconds"),
        ({"limit": 0}, "limit"),
        ({"unique": 3}, "unique"),
        ({"seed": -1}, "seed"),
    ):
        answer = server.ask("/api/runs", {"puzzle": box, **task})
        assert answer.status in (400, 404, 422), task
        assert word in answer.error
    assert server.ask("/api/runs", {"puzzle": "gone"}).status == 404


def test_more_runs_wait_and_then_are_refused() -> None:
    with serving("--runs", "1", "--queue", "2") as server:
        puzzle = posted(server, ENDLESS)
        runs = [server.run(puzzle, what="count") for _ in range(3)]
        assert [server.api(f"/runs/{run['id']}")["state"] for run in runs] == [
            "running",
            "waiting",
            "waiting",
        ]
        refusals = [server.ask("/api/runs", {"puzzle": puzzle}) for _ in range(30)]
        assert {answer.status for answer in refusals} == {429}
        assert "stop one" in refusals[0].error
        server.api(f"/runs/{runs[0]['id']}", method="DELETE")
        following = f"/runs/{runs[1]['id']}"
        assert eventually(lambda: server.api(following)["state"] == "running")


@pytest.mark.slow
def test_a_run_that_takes_too_much_memory_fails_alone() -> None:
    with serving("--memory", "256") as server:
        run = server.run(posted(server, 'pieces = "heptominoes"\nregion = "36x21"'), what="sample")
        ended = server.ended(run["id"])
        assert ended["state"] == "failed"
        assert "memory" in ended["error"] or "MiB" in ended["error"]
        assert server.api("/limits")["mib"] == 256


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_the_server_ends_at_once_with_all_children(number: int) -> None:
    with serving() as server:
        link = server.listen(server.run(posted(server, ENDLESS), what="all")["id"])
        link.read(10)
        assert eventually(lambda: len(server.children()) >= 2)
        children = server.children()
        server.process.send_signal(number)
        assert server.process.wait(60) == 130  # no page that listens keeps it
        assert eventually(lambda: not any(map(is_there, children)))


def test_no_child_outlives_a_server_that_is_killed() -> None:
    with serving() as server:
        server.run(posted(server, ENDLESS), what="all")
        assert eventually(lambda: len(server.children()) >= 2)
        children = server.children()
        server.process.kill()
        server.process.wait()
        assert eventually(lambda: not any(map(is_there, children)))


def is_there(number: int) -> bool:
    """Whether a process lives."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{number}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


def test_all_positions_are_counted(server: Served, box: str) -> None:
    """The two solutions of the 20 x 3 box have no symmetry, so each lies in four positions."""
    for what, unique, limit, placements in (
        ("all", "rotations", None, 8),
        ("all", "all", None, 8),
        ("count", "rotations", None, 8),
        ("count", "rotations", 1, None),
    ):
        run = server.run(box, what=what, unique=unique, limit=limit)["id"]
        server.ended(run)
        assert server.api(f"/runs/{run}")["placements"] == placements
