"""`check` finds proofs, draws them, saves them and checks saved ones again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.commands import ran, records, refused


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """A certificate that was saved."""
    file = tmp_path / "proof.json"
    ran("check", "mutilated_chessboard", "--certificate", file)
    return file


def test_a_colouring_is_found_and_drawn_on_the_region() -> None:
    output = ran("check", "mutilated_chessboard").stdout
    rows = [line.split() for line in output.splitlines() if {*line} <= {*"-1. "} and line.strip()]
    assert len(rows) == 8
    for value in ("1", "-1"):
        weights = sum(row.count(value) for row in rows)
        assert f"{weights} of 62 cells weigh {value}:" in output
    assert "impossible" in output


def test_a_certificate_is_saved_and_checked_again(proof: Path) -> None:
    [record] = records("check", "mutilated_chessboard", "--recheck", proof)
    assert record["status"] == "impossible"
    said = record["certificate"]
    assert said == json.loads(proof.read_text())
    for key in ("puzzle", "digest", "version"):
        assert said[key] == record[key]
    again = ran("check", "mutilated_chessboard", "--recheck", proof).stdout
    assert f"\n  the proof in {proof} holds: there is no solution\n" in again


def test_a_certificate_of_another_puzzle_is_refused(proof: Path) -> None:
    assert "does not prove that" in refused("check", "dominoes_8x8", "--recheck", proof)
    missing = refused("check", "dominoes_8x8", "--recheck", "no-such-file.json")
    assert "no-such-file.json: there is no such file" in missing


@pytest.mark.parametrize(
    ("region", "said"),
    [
        (
            'optional = "3x2"\nempty = "1..2"',
            "6 square cells, of which 6 may stay empty; 1..2 of them do\n",
        ),
        ('plus = "3x2"', "6 square cells\n"),
    ],
)
def test_how_many_cells_stay_empty(tmp_path: Path, region: str, said: str) -> None:
    file = tmp_path / "tray.toml"
    file.write_text(f'pieces = "domino any"\n[region]\n{region}\n')
    assert f"  region      {said}" in ran("check", file).stdout
