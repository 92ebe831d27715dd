"""Where commands write: one rule for files and folders, checked before anything is searched."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from exactcover.formats import shipped
from tests.helpers.commands import ran, refused

BOX = 'pieces = ["domino", "domino"]\nregion = "2x2"\n'

TO_FOLDERS = {
    "draw": ("{}.svg", ()),
    "draw --page": ("{}.html", ()),
    "animate": ("{}-film.html", ()),
    "solve": ("{}.jsonl", ("--quiet",)),
}
"""The commands that write a file for each puzzle: its name, and further switches."""


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder with two puzzles of one name below it."""
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "p.toml").write_text(BOX)


def names(folder: str) -> list[str]:
    return sorted(file.name for file in Path(folder).iterdir())


@pytest.mark.parametrize("folder", ["there", "new/below"])
@pytest.mark.parametrize("command", TO_FOLDERS)
def test_puzzles_of_one_name_get_files_of_their_own(command: str, folder: str) -> None:
    Path("there").mkdir()
    name, more = TO_FOLDERS[command]
    run = ran(*command.split(), "a/p.toml", "b/p.toml", *more, "-o", folder)
    assert names(folder) == sorted([name.format("p"), name.format("p~2")])
    assert "is replaced" not in run.stderr


@pytest.mark.parametrize("command", TO_FOLDERS)
def test_each_puzzle_of_a_file_gets_a_file(command: str) -> None:
    name, more = TO_FOLDERS[command]
    Path("two.jsonl").write_text('{"pieces": ["domino"], "region": "2x1"}\n' * 2)
    ran(*command.split(), "two.jsonl", *more, "-o", "out")
    assert names("out") == [name.format("two-1"), name.format("two-2")]


@pytest.mark.parametrize("command", TO_FOLDERS)
def test_several_puzzles_in_one_file_are_refused_unless_it_can_hold_them(command: str) -> None:
    name, more = TO_FOLDERS[command]
    file, puzzles = name.format("one"), ("a/p.toml", "b/p.toml")
    if command == "solve":
        ran(command, *puzzles, *more, "-o", file)
        assert Path(file).read_text().count('"solution": 1,') == 2
        return
    assert "name a folder" in refused(*command.split(), *puzzles, "-o", file, status=2)
    assert names(".") == ["a", "b"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("draw", "a/p.toml", "-o", "x.svg"),
        ("draw", "a/p.toml", "-o", "x.html"),
        ("animate", "a/p.toml", "-o", "x.html"),
        ("make", "a/p.toml", "-o", "x.stl"),
        ("make", "a/p.toml", "-o", "x.dxf"),
        ("solve", "a/p.toml", "-o", "x.jsonl"),
        ("solve", "a/p.toml", "--quiet", "--picture", "x.svg"),
        ("solve", "a/p.toml", "--random", "1", "--picture", "x.svg"),
        ("best", "a/p.toml", "--least", "pieces", "--picture", "x.svg"),
        ("check", "mutilated_chessboard", "--certificate", "x.json"),
        ("convert", "a/p.toml", "-o", "x.dlx"),
        ("compare", "a/p.toml", "--strategy", "dlx:s", "-o", "x.svg"),
    ],
    ids=" ".join,
)
def test_what_is_replaced_is_said(arguments: tuple[str, ...]) -> None:
    file = arguments[-1]
    assert "replaced" not in ran(*arguments).stderr
    assert f"exactcover: {file} is replaced\n" in ran(*arguments).stderr


WRITING = {
    "draw PUZZLE --solution 1 -o": ".png",
    "draw PUZZLE -o": ".html",
    "animate PUZZLE -o": ".gif",
    "make PUZZLE --solution 1 -o": ".3mf",
    "solve PUZZLE -o": ".jsonl",
    "solve PUZZLE --picture": ".png",
    "solve PUZZLE --random 1 --picture": ".png",
    "best PUZZLE --picture": ".png",
    "check PUZZLE --certificate": ".json",
    "convert PUZZLE -o": ".dlx",
    "compare PUZZLE --strategy dlx:s -o": ".svg",
    "run status a --solutions": ".jsonl",
}
"""Each command that writes a file, and an ending; with an extra that it needs if there is one."""

EXTRAS = {".png": "resvg_py", ".gif": "PIL.Image", ".3mf": "manifold3d", ".svg": "matplotlib"}


@pytest.fixture
def nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """No puzzle is read, so nothing is searched either."""

    def read(*_: object) -> None:
        raise AssertionError("a puzzle is read")

    monkeypatch.setattr(shipped, "read_puzzles", read)
    monkeypatch.setattr("exactcover.formats.read_puzzles", read)


def words(command: str, file: str) -> list[str]:
    return [*command.replace("PUZZLE", "a/p.toml").split(), file]


@pytest.mark.usefixtures("nothing_is_read")
@pytest.mark.parametrize("command", WRITING)
def test_a_file_that_cannot_be_written_is_refused_at_once(command: str) -> None:
    ending = WRITING[command]
    Path("taken").touch()
    Path(f"folder{ending}").mkdir()
    for file, why in {
        f"nowhere/x{ending}": "No such file or directory",
        f"taken/x{ending}": "Not a directory",
        f"{'x' * 300}{ending}": "File name too long",
    }.items():
        assert why in refused(*words(command, file))
    if "--certificate" not in command:  # it may have any name
        said = refused(*words(command, "x.xyz"), status=1 if "convert" in command else 2)
        assert "ending" in said
    assert names(".") == ["a", "b", f"folder{ending}", "taken"]


@pytest.mark.usefixtures("nothing_is_read")
@pytest.mark.parametrize("command", [*TO_FOLDERS, "make"])
def test_a_folder_that_cannot_be_made_is_refused_at_once(command: str) -> None:
    Path("taken").touch()
    assert "taken/below" in refused(*command.split(), "a/p.toml", "-o", "taken/below")


@pytest.mark.usefixtures("nothing_is_read")
@pytest.mark.parametrize("command", [key for key, end in WRITING.items() if end in EXTRAS])
def test_an_extra_that_is_not_there_is_said_at_once(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, EXTRAS[WRITING[command]], None)
    said = refused(*words(command, f"x{WRITING[command]}"))
    assert "pip install 'exactcover-tilings[" in said
    assert names(".") == ["a", "b"]
