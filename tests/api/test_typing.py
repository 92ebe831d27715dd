"""What a type checker says of code as users write it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

USER = """
from typing import assert_type

import numpy as np
from scipy.sparse import csr_array  # type: ignore[import-untyped]

import exactcover as ec
from exactcover import formats

solving = ec.solve({(1, "a"): ["x", 3], "b": [("y",)]}, limit=3, time_limit=1.5)
assert_type(solving, ec.Solving)
assert_type(next(solving), ec.Solution)
assert_type([solution.options for solution in solving], list[tuple[int, ...]])
assert_type(ec.count([["a"], ["b"]], counted="rotations"), int)
assert_type(ec.count(np.eye(3, dtype=bool)), int)
assert_type(ec.count(csr_array(np.eye(3))), int)
assert_type(ec.first([["a"]]), ec.Solution | None)
answers = ec.solve_each([["a"]], [[0], [1, 2]], limit=None)
assert_type(answers, ec.Answers)
assert_type(answers.solution(0), tuple[int, ...] | None)
ec.solve_each([["a"]], np.zeros((2, 3), np.int16))
ec.draw(next(solving), color=True)
ec.picture(next(solving), theme="dark")
ec.best(ec.puzzle_of([[(0, 0), (0, 1)], [(0, 0)]], "3x1"), least="cost")
formats.write(formats.parse("| a", "dlx"), "cnf")
formats.written([], formats.format_of_path("x.lp", written=True))
formats.parse("", formats.format_of_path("x.toml"))
ec.Problem.from_options([["a", ec.Coloured(("x", 1), "red")]], secondary=[("x", 1)])
"""


def checked(code: str, folder: Path) -> str:
    """What mypy prints of a user's file, the package being where it is."""
    path = folder / "user.py"
    path.write_text(code)
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, str(path)],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout + run.stderr


@pytest.mark.slow
def test_a_users_file(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    said = checked(USER, tmp_path)
    assert "no issues found in 1 source file" in said, said
