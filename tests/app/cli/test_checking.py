"""`check` finds proofs, draws them, saves them and checks saved ones again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from exactcover.app.cli import main
from exactcover.app.cli.command_table import exactcover
from tests.helpers.examples import some


def run(*arguments: str) -> str:
    result = CliRunner().invoke(exactcover, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout


def test_a_colouring_is_found_and_drawn_on_the_region() -> None:
    output = run("check", "mutilated_chessboard")
    rows = [line for line in output.splitlines() if set(line) <= {"1", ".", " "} and line.strip()]
    assert len(rows) == 8
    weights = sum(row.count("1") for row in rows)
    assert f"{weights} of 62 cells weigh 1" in output
    assert "impossible" in output


def test_a_certificate_is_saved_and_checked_again(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    run("check", "mutilated_chessboard", "--certificate", str(file))
    record = json.loads(run("check", "mutilated_chessboard", "--recheck", str(file), "--json"))
    assert record["status"] == "impossible"
    assert record["certificate"] == json.loads(file.read_text())
    said = record["certificate"]
    assert {key: said[key] for key in ("puzzle", "digest", "version")} == {
        key: record[key] for key in ("puzzle", "digest", "version")
    }


def test_a_certificate_of_another_puzzle_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proof.json"
    run("check", "mutilated_chessboard", "--certificate", str(file))
    with pytest.raises(SystemExit) as ended:
        main(["check", "dominoes_8x8", "--recheck", str(file)])
    assert ended.value.code == 1
    assert "does not prove that" in capsys.readouterr().err


def test_a_puzzle_with_solutions_is_not_called_impossible() -> None:
    record = json.loads(run("check", "pentominoes_10x6", "--json"))
    assert record["status"] == "possible"
    assert record["symmetries"] == {"rotations": 4, "reflections": 4}
    assert record["options"] == 2056
    assert "certificate" not in record


def test_the_last_line_says_what_is_proved(tmp_path: Path) -> None:
    assert run("check", "pentominoes_20x3").endswith(
        "\n  no proof found, which proves nothing: `count` and `solve` search\n"
    )
    assert "no proof" not in run("check", "tetrominoes_5x4")
    file = tmp_path / "proof.json"
    run("check", "mutilated_chessboard", "--certificate", str(file))
    again = run("check", "mutilated_chessboard", "--recheck", str(file))
    assert f"\n  the proof in {file} holds: there is no solution\n" in again
    [floor] = [one for one in run("check", "squared_square_112x112").splitlines() if "proof" in one]
    assert floor == "  no proof was looked for: --modulus M or --relaxation looks for one"


def test_a_missing_certificate_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", "dominoes_8x8", "--recheck", "no-such-file.json"])
    assert ended.value.code == 1
    assert "no-such-file.json: No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    some(
        ["hexominoes_rectangle_15x14", "hexominoes_two_rectangles", "mutilated_chessboard"],
        one_in=2,
    ),
)
def test_shipped_puzzles_that_a_colouring_refutes(name: str) -> None:
    record = json.loads(run("check", name, "--json"))
    assert record["status"] == "impossible"
    assert record["published"]["all"] == 0
