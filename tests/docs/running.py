"""Runs the blocks of a page from the top down, and compares what they print with the page.

The blocks of a page share one empty folder and one Python session. CONTRIBUTING.md says how a page
shows what its blocks print; `exceptions.py` lists what is not run.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
import tokenize
import tomllib
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

import exactcover as ec
from exactcover.cli.program import exactcover
from exactcover.errors import ExactCoverError
from exactcover.formats import parse
from exactcover.formats.document import Document
from tests.docs import output
from tests.docs.blocks import ROOT, Block, blocks
from tests.docs.exceptions import NOT_RUN, SLOW, reason
from tests.helpers.plugged import forgetting

OUTPUT = ("text", "json")
ENTRY_POINTS = {
    f"exactcover.{kind}" for kind in ("lattices", "backends", "heuristics", "filters", "commands")
}
FILE_NAME = re.compile(r"(?:#|\||<!--) *([\w-]+\.(?:toml|txt|dlx|xmpuzzle|py))(?: *-->)?")
PICTURES = ROOT / "docs" / "pictures"
PICTURE = re.compile(r"\]\([\w/.]*?pictures/([\w.-]+\.svg)\)")
SOLUTIONS = re.compile(r"(\d[\d,]*) solutions?\b")
EXIT_STATUS = re.compile(r"exit status (\d+)")


@dataclass(frozen=True)
class Difference:
    """A place where a page and the program differ; `mended` is the page's new lines, if any.

    The lines `start` to `end` of the page become `mended`; nothing does where a person must choose.
    """

    place: str
    message: str
    start: int = 0
    end: int = 0
    mended: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass
class Session:
    """What the blocks of a page share."""

    folder: Path
    slow: bool
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__page__"})


def differences(page: str, text: str, folder: Path, slow: bool = False) -> list[Difference]:
    """Where a page differs from what its blocks do; run in the folder, which should be empty.

    Without `slow` the blocks with a command in the list of slow ones are left out.
    """
    session = Session(folder, slow)
    (folder / "examples").symlink_to(ROOT / "examples")
    found: list[Difference] = []
    left = list(reversed(list(blocks(page, text))))
    with contextlib.chdir(folder), forgetting():
        while left:
            block = left.pop()
            if block.language in RUN:
                shown = left[-1] if left and left[-1].language in OUTPUT else None
                ran = _run(session, block)
                found += ran.differences
                if ran.skipped or ran.printed.strip():
                    if shown is not None:
                        left.pop()
                    if not ran.skipped:
                        found += _compared(block, shown, ran.printed)
                    elif ran.printed.strip():
                        message = "some commands of this block are run and others not: split it"
                        found.append(Difference(block.place, message))
            elif block.language in READ:
                found += _read(session, block)
            elif not block.language.startswith("{"):  # those in braces are for Sphinx
                kinds = ", ".join([*RUN, *READ])
                message = f"a block of language {block.language!r}; the harness has {kinds}"
                found.append(Difference(block.place, message))
    return found


def stale_pictures(text: str, folder: Path) -> list[Path]:
    """Pictures of the pages that are not those which this page's blocks have just saved here.

    A picture that a page shows as `pictures/NAME.svg` is its own if one of its blocks saves
    `NAME.svg`.
    """
    saved = [folder / name for name in sorted(set(PICTURE.findall(text)))]
    kept = [(one, PICTURES / one.name) for one in saved if one.exists()]
    return [ours for one, ours in kept if not ours.exists() or ours.read_text() != one.read_text()]


def _run(session: Session, block: Block) -> Ran:
    try:
        return RUN[block.language](session, block)
    except Exception as error:  # whatever it is, the page is wrong or the program is
        trace = "".join(traceback.format_exception(error))
        return Ran(differences=[Difference(block.place, trace)], skipped=True)


def mended(text: str, found: list[Difference]) -> str:
    """The page with all differences mended that can be."""
    lines = text.splitlines()
    for difference in sorted(found, key=lambda one: one.start, reverse=True):
        if difference.mended is not None:
            lines[difference.start : difference.end] = difference.mended
    return "\n".join(lines) + "\n"


@dataclass
class Ran:
    """What a block did: `printed` is what no comment in the block says already.

    Of a block that was skipped nothing is known, and the text below it is its output all the same.
    """

    printed: str = ""
    differences: list[Difference] = field(default_factory=list)
    skipped: bool = False


def _compared(block: Block, shown: Block | None, printed: str) -> Iterator[Difference]:
    """What a block printed, held against the block of text below it."""
    if shown is None:
        new = ("", "```text", *output.fresh(printed), "```")
        message = "the page does not show what this prints:\n" + printed
        yield Difference(block.place, message, block.end + 1, block.end + 1, new)
    elif not output.agree(shown.text, printed):
        new = tuple(output.rewritten(shown.text, printed))
        changes = difflib.unified_diff(output.tidy(shown.text), new, "page", "program", lineterm="")
        yield Difference(shown.place, "\n".join(changes), shown.start, shown.end, new)


# -- commands -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A command of a block, its comment, and the line of the page where it ends."""

    text: str
    comment: str
    line: int


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block, where a backslash at the end of a line joins it to the next."""
    so_far = ""
    for number, line in enumerate(block.text.splitlines(), block.start):
        if line.endswith("\\"):
            so_far += line.removesuffix("\\").rstrip() + " "
            continue
        whole = so_far + line.strip()
        so_far = ""
        lexer = shlex.shlex(whole, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        list(lexer)  # quotes are closed
        found = re.search(r"(?:^|\s)# ?(.*)$", whole)
        comment = found[1] if found else ""
        text = whole[: found.start()].strip() if found else whole
        if text:
            yield Command(text, comment, number)


def _shell(session: Session, block: Block) -> Ran:
    """Run the commands of a block; a comment with numbers says what one of them prints."""
    ran = Ran()
    for command in commands(block):
        claim = EXIT_STATUS.sub("", command.comment)
        if reason(command.text, NOT_RUN):
            _there(command.text)
            ran.skipped = True
            continue
        if reason(command.text, SLOW) and not session.slow:
            ran.skipped |= not output.numbers(claim)
            continue
        status, printed = execute(command.text, session.folder)
        place = f"{block.page}:{command.line + 1}"
        said = EXIT_STATUS.search(command.comment)
        if status != (int(said[1]) if said else 0):
            message = f"{command.text}\nended with exit status {status}:\n{printed}"
            ran.differences.append(Difference(place, message))
        elif not output.numbers(claim):
            ran.printed += printed
        elif not set(output.numbers(claim)) <= set(output.numbers(printed)):
            ran.differences.append(_comment_mended(block, command, claim, printed))
    return ran


def _comment_mended(block: Block, command: Command, claim: str, printed: str) -> Difference:
    """A comment whose number was not printed; it becomes the number of solutions, if that is it."""
    place = f"{block.page}:{command.line + 1}"
    message = f"# {claim.strip()}\nis not what was printed:\n{printed}"
    counts = set(SOLUTIONS.findall(printed) or output.NUMBER.findall(printed))
    if len(output.numbers(claim)) != 1 or len(counts) != 1:
        return Difference(place, message)
    (count,) = counts
    line = block.text.splitlines()[command.line - block.start]
    code, sharp, comment = line.rpartition("#")
    new = code + sharp + output.NUMBER.sub(count, comment, count=1)
    return Difference(place, message, command.line, command.line + 1, (new,))


def execute(command: str, folder: Path) -> tuple[int, str]:
    """The exit status of a command and what it printed, errors too, as on a terminal."""
    words = shlex.split(command)
    if words[0] == "make":
        status, printed = _make(words[1:])
    elif words[0] == "exactcover" and not re.search(r"[|<>$*;&]", _unquoted(command)):
        status, printed = _in_process(words[1:])
    else:
        status, printed = _in_a_shell(command, folder)
    return status, _without_notes(printed)


def _without_notes(printed: str) -> str:
    """Without the note that kernels are compiled, which only a first run prints."""
    return re.sub(r"^exactcover: Compiling .*\n", "", printed, flags=re.MULTILINE)


def _unquoted(command: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", command)


def _in_process(arguments: list[str]) -> tuple[int, str]:
    """The command line without a new process, which would take half a second to start."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(
        exactcover, arguments, prog_name="exactcover", standalone_mode=False
    )
    match result.exception:
        case None:
            status = result.return_value
            return status if isinstance(status, int) else result.exit_code, result.output
        case ExactCoverError() as error:
            return 1, f"{result.output}exactcover: {error}\n"
        case click.ClickException() as error:
            return error.exit_code, f"{result.output}Error: {error.format_message()}\n"
        case SystemExit() as left:
            return left.code if isinstance(left.code, int) else 1, result.output
        case error:
            raise error


def _in_a_shell(command: str, folder: Path) -> tuple[int, str]:
    programs = folder / ".programs"
    if not programs.exists():
        programs.mkdir()
        for name, started in (("python", ""), ("exactcover", "-m exactcover ")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {started}"$@"\n')
            program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def _make(arguments: list[str]) -> tuple[int, str]:
    """A target of make: only its calls of exactcover are run, since it installs what they need."""
    told = subprocess.run(
        ["make", "--dry-run", "--directory", str(ROOT), "--no-print-directory", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    printed = told.stderr if told.returncode else ""
    status = told.returncode
    for line in told.stdout.splitlines():
        if found := re.match(r"\S*/bin/exactcover (?!verify --time-limit)(.*)", line):
            status, more = _in_process(shlex.split(found[1]))
            printed += more
    return status, printed


def _there(command: str) -> None:
    """A script that is not run is there at least."""
    for word in shlex.split(command):
        if word.endswith(".py") and not (ROOT / word).is_file():
            raise FileNotFoundError(f"{command}: there is no {word}")


# -- Python ---------------------------------------------------------------------------------------


def _python(session: Session, block: Block) -> Ran:
    """Run a block; a comment after a statement is what it prints, or its value."""
    _write_down(session, block)
    code = "\n" * block.start + block.text  # so that its lines have the numbers of the page
    comments = dict(_comments(code))
    tree = ast.parse(code)
    shows = [node for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in shows:
        if node.end_lineno in comments and not _is_print(node.value):
            call = ast.Call(ast.Name("__value__", ast.Load()), [node.value], [])
            node.value = ast.copy_location(call, node.value)
    ast.fix_missing_locations(tree)
    printed: list[tuple[int, str]] = []

    def line_shown() -> int:
        line = sys._getframe(2).f_lineno
        inner = [node for node in shows if node.lineno <= line <= (node.end_lineno or 0)]
        return max(inner, key=lambda node: node.lineno).end_lineno or 0 if inner else 0

    def print_(*values: object, file: Any = None, **kwargs: Any) -> None:
        if file is not None:
            print(*values, file=file, **kwargs)
        else:
            text = io.StringIO()
            print(*values, file=text, **kwargs)
            printed.append((line_shown(), text.getvalue()))

    def value(shown: object) -> None:
        printed.append((line_shown(), f"{shown!r}\n"))

    session.names |= {"print": print_, "__value__": value}
    with contextlib.redirect_stdout(io.StringIO()) as rest:
        exec(compile(tree, block.page, "exec"), session.names)
    commented = {node.end_lineno for node in shows if node.end_lineno in comments}
    ran = Ran("".join(text for line, text in printed if line not in commented) + rest.getvalue())
    for line in sorted(commented):
        had = "".join(text for at, text in printed if at == line)
        if not output.agree(comments[line], had):
            ran.differences.append(_value_mended(block, line, comments[line], had))
    return ran


def _is_print(value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "print"
    )


def _comments(code: str) -> Iterator[tuple[int, str]]:
    """The comments behind code, by their lines, counted from 1."""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip():
            yield token.start[0], token.string.removeprefix("#").strip()


def _value_mended(block: Block, line: int, comment: str, printed: str) -> Difference:
    place = f"{block.page}:{line}"
    message = f"# {comment}\nis not what was printed:\n{printed}"
    if len(output.tidy(printed)) != 1:
        return Difference(place, message + "\n(a comment shows one line: use a block of text)")
    code, _, _ = block.text.splitlines()[line - 1 - block.start].rpartition("#")
    (new,) = output.rewritten(comment, printed)
    return Difference(place, message, line - 1, line, (f"{code}# {new}",))


# -- puzzles and other files ----------------------------------------------------------------------


def _read(session: Session, block: Block) -> list[Difference]:
    """A block that is a file: a puzzle has a solution, and as many as it says."""
    try:
        _write_down(session, block)
        if block.language != "toml" or not _other_toml(block, session):
            for document in parse(block.text):
                check_puzzle(document)
    except (ExactCoverError, ValueError) as error:
        return [Difference(block.place, f"{type(error).__name__}: {error}")]
    return []


def _write_down(session: Session, block: Block) -> None:
    """A block whose first line is a comment with the name of a file is that file."""
    if found := FILE_NAME.fullmatch(block.first_line):
        (session.folder / found[1]).write_text(block.text, encoding="utf-8")


def _other_toml(block: Block, session: Session) -> bool:
    """Whether TOML is something else than a puzzle; if so, it has been tried."""
    table = tomllib.loads(block.text)
    if "project" in table:
        groups = set(table["project"].get("entry-points", {}))
        if not groups or not groups <= ENTRY_POINTS:
            raise ValueError(f"entry points of {groups}; there are {ENTRY_POINTS}")
        return True
    if "centres" in table or "neighbours" in table:
        path = session.folder / "a lattice.toml"
        path.write_text(block.text, encoding="utf-8")
        ec.get_lattice(str(path))
        return True
    return "term" in table  # a sequence of counts; the command below it reads the file


def check_puzzle(document: Document) -> None:
    """Raise ValueError if a puzzle has no solution, or not as many as it says."""
    for counted, wanted in document.counts.items():
        had = ec.count(document.content, counted=counted)
        if had != wanted:
            raise ValueError(f"{had} solutions ({counted}), not {wanted}")
    if document.counts.get("all") != 0 and ec.first(document.content) is None:
        raise ValueError("this puzzle has no solution; if that is right, say `all = 0`")


RUN: dict[str, Callable[[Session, Block], Ran]] = {"sh": _shell, "python": _python}
READ = ("toml", "xml", *OUTPUT)
