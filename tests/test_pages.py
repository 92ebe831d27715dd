"""What the README and the pages say to type works as they say."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from exactcover.cli.commands import exactcover

ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md",
    *(
        f"docs/{name}.md"
        for name in ("best", "first-steps", "filters", "engines", "models", "verify")
    ),
    "docs/counting.md",
]
SHELL_PAGES = [*PAGES, "docs/command-line.md", "docs/proofs.md"]

SEARCHES = ("solve", "count", "verify")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


PYTHON = [(page, code) for page in PAGES for code in blocks(page, "python")]
COMMANDS = [
    (page, line.split("#")[0].strip())
    for page in SHELL_PAGES
    for block in blocks(page, "sh")
    for line in block.splitlines()
    if line.startswith("exactcover ")
]


@pytest.mark.parametrize(("page", "code"), PYTHON)
def test_python_prints_what_its_comments_say(page: str, code: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, page, "exec"), {})
    said = [text.partition(": ")[0] for text in re.findall(r"print\(.*\)  # (.*)", code)]
    lines = printed.getvalue().splitlines()
    for text in said:
        assert any(line.startswith(text) for line in lines), (text, lines)


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_commands_work(
    page: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(line)[1:]
    if arguments[0] in SEARCHES:
        arguments += ["--time-limit", "3"]
    result = CliRunner().invoke(exactcover, arguments)
    assert result.exit_code == 0, result.output
    assert result.output or "--output" in arguments


def test_there_is_something_to_try() -> None:
    assert len(PYTHON) >= 4
    assert len(COMMANDS) >= 15
