"""Every example of the documentation is read, and has the solutions that it claims."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from exactcover.cli.commands import exactcover
from exactcover.formats import parse, write
from exactcover.solver import solve

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
BLOCK = re.compile(r"^```(toml|text|xml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXAMPLES = [found.groups() for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 12
    assert {form for form, _ in EXAMPLES} == {"toml", "text", "xml"}


@pytest.mark.parametrize(("form", "text"), EXAMPLES)
def test_example(form: str, text: str) -> None:
    for document in parse(text):
        if "all" in document.counts:
            assert sum(1 for _ in solve(document.content, counted="all")) == document.counts["all"]
        else:
            assert document.problem.n_options
        names = {"toml": "toml", "xml": "xmpuzzle"}
        if document.puzzle and document.puzzle.lattice.name != "cubic":
            names["xml"] = "toml"  # only cubes are written
        again = write([document], names.get(form, "dlx"))
        assert len(parse(again)) == 1


def test_commands_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line in turn, as a reader would type them; a comment is what it prints."""
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^exactcover (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) >= 6
    for line in lines:
        command, _, printed = line.partition("#")
        result = CliRunner().invoke(exactcover, shlex.split(command))
        assert result.exit_code == 0, result.output
        assert printed.strip() in result.output
    assert {path.suffix for path in tmp_path.iterdir()} == {
        ".xmpuzzle", ".cnf", ".opb", ".lp", ".mps",
    }  # fmt: skip
