"""The file of winners: what is kept, and what a damaged file does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import exactcover as ec
from exactcover.search import winners
from exactcover.search.automatic import Candidate
from exactcover.search.strategy import Strategy
from exactcover.search.subject import Subject
from exactcover.search.winners import remember, winner_of

WINNER = Candidate(Strategy.parse("redundancy; dlx:s; bsx:s@9"), "twice as fast")


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file of winners for one test."""
    path = tmp_path / "folder" / "winners.json"
    monkeypatch.setenv(winners.VARIABLE, str(path))
    return path


def test_a_winner_is_found_again(file: Path) -> None:
    subject = Subject.of(ec.read("pentominoes_20x3"))
    assert winner_of(subject) is None
    remember(subject, WINNER)
    assert winner_of(Subject.of(ec.read("pentominoes_20x3"))) == WINNER
    assert winner_of(subject.counting("all")) is None
    assert winner_of(Subject.of(ec.read("pentominoes_15x4"))) is None
    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.usefixtures("file")
def test_a_winner_is_used() -> None:
    puzzle = ec.read("pentominoes_20x3")
    remember(Subject.of(puzzle), WINNER)
    assert ec.Solving(puzzle).strategy == ec.Counting(puzzle).strategy == WINNER.strategy
    assert ec.Solving(puzzle).run().solutions == ec.count(puzzle) == 2
    assert ec.Solving(puzzle, cache=False).strategy != WINNER.strategy
    assert str(ec.Solving(puzzle, strategy="dlx:s").strategy) == "dlx:s"
    used = ec.Solving(puzzle, tally=True).run()  # so states are not thought of
    assert used.strategy == str(WINNER.strategy)
    assert used.why == "the best when it was tuned: twice as fast"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '"winners"',
        '{"version": "0", "winners": {}}',
        '{"version": VERSION, "winners": []}',
        '{"version": VERSION, "winners": {"KEY": 7}}',
        '{"version": VERSION, "winners": {"KEY": {"strategy": "unknown:q", "why": ""}}}',
        '{"version": VERSION, "winners": {"KEY": {"strategy": 5, "why": ""}}}',
        "\x00\xff",
    ],
)
def test_a_damaged_file_counts_as_missing(file: Path, text: str) -> None:
    subject = Subject.of(ec.read("pentominoes_20x3"))
    remember(subject, WINNER)
    version = json.dumps(json.loads(file.read_text())["version"])
    [key] = json.loads(file.read_text())["winners"]
    file.write_text(text.replace("VERSION", version).replace("KEY", key), "latin-1")
    assert winner_of(subject) is None
    remember(subject, WINNER)
    assert winner_of(subject) == WINNER


def test_a_winner_that_cannot_search_is_passed_over(file: Path) -> None:
    puzzle = ec.read("conway_5x5x5")
    remember(Subject.of(puzzle), Candidate(Strategy.parse("bsx:s"), "it never could"))
    assert ec.Solving(puzzle).run().solutions == 1


@pytest.mark.usefixtures("file")
def test_a_winner_that_names_a_piece_is_for_pieces_of_these_names() -> None:
    puzzle = ec.read("pentominoes_20x3")
    remember(Subject.of(puzzle), Candidate(Strategy.parse("redundancy=X; dlx:s"), "it names X"))
    assert str(ec.Counting(puzzle).strategy) == "redundancy=X; dlx:s"
    pieces = [replace(piece, name=f"{piece.name}{piece.name}") for piece in puzzle.pieces]
    renamed = ec.Puzzle(puzzle.lattice, puzzle.region, pieces)
    assert winner_of(Subject.of(renamed)) is None
    assert ec.count(renamed) == len(list(ec.solve(renamed))) == 2


@pytest.mark.usefixtures("file")
def test_the_oldest_winners_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winners, "MOST", 2)
    subjects = [Subject.of(ec.read(name)) for name in ("somacube", "knuth_x", "langford_4")]
    for subject in subjects:
        remember(subject, WINNER)
    assert [winner_of(subject) is None for subject in subjects] == [True, False, False]


def test_nothing_is_kept_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    monkeypatch.setenv(winners.VARIABLE, str(tmp_path / "taken" / "winners.json"))
    subject = Subject.of(ec.read("somacube"))
    remember(subject, WINNER)
    assert winner_of(subject) is None


def test_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(winners.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert winners.winners_file() == tmp_path / "exactcover" / "winners.json"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert winners.winners_file() == tmp_path / ".cache" / "exactcover" / "winners.json"


@pytest.mark.usefixtures("file")
def test_the_size_of_integers_does_not_matter() -> None:
    options = [["a", "b"], ["c"], ["a"], ["b", "c"]]
    problem = ec.Problem.from_options(options)
    wide = ec.Problem.from_arrays(
        problem.n_items,
        problem.starts.astype(np.int64),
        problem.entries.astype(np.int64),
        items=problem.items,
    )
    remember(Subject.of(problem), WINNER)
    assert winner_of(Subject.of(wide)) == WINNER


@pytest.mark.slow
def test_tune_keeps_its_winner(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exactcover.search import tuning

    monkeypatch.setattr(tuning, "LOOK", 0.0)
    monkeypatch.setattr(tuning, "DRAWS", 8)
    puzzle = ec.read("pentominoes_20x3")
    made = ec.tune(puzzle, cache=False)
    assert not file.exists()
    assert made.tuned
    assert {str(row.candidate.strategy) for row in made.rows} >= {str(made.strategy)}
    seconds = [row.seconds for row in made.rows]
    assert seconds == sorted(seconds)
    made = ec.tune(puzzle, seed=3)
    assert ec.Solving(puzzle).strategy == made.strategy
    assert "the first choice" in {row.candidate.why for row in made.rows}
    json.dumps(made.record(), allow_nan=False)


def test_what_is_solved_at_once_is_not_tuned(file: Path) -> None:
    made = ec.tune({"x": ["a"], "y": ["a"]})
    assert not made.tuned
    assert not made.rows
    assert not file.exists()
    assert "no solution" not in made.why
