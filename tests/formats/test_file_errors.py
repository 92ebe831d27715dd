"""What is wrong with a file: the message, the line and the token, for each way to go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactcover.errors import ExactCoverError, FormatError
from exactcover.formats import parse, read_file
from tests.helpers.xmpuzzle_texts import asked, file

Case = tuple[str, str, int | None, str | None]

BOX = "D:xDim=2:yDim=2:zDim=1\n"
PIECE = "C:name=A:type=M:layout=0 0 0\n"

POLYCUBE: list[Case] = [
    (" \n", "the file is empty", None, None),
    (PIECE, "a piece is outside a puzzle", 1, None),
    (BOX + PIECE, "this puzzle is not closed by ~D", 1, None),
    (BOX + "L\nA .\n~D\n", "line 2 is not closed by ~L", 4, "~D"),
    (BOX + "L\nA .\n" + PIECE, "line 2 is not closed by ~L", 4, "C:name=A:type=M:layout=0"),
    (BOX + ". A\n~D\n", "a drawing begins with a line L", 2, "."),
    (BOX + "X:name=A\n~D\n", "a line begins with D, C, L, ~L, ~D or #", 2, "X:name=A"),
    ("D:xDim=2:yDim=2:zDim=0\n~D\n", "zDim must be 1 or more", 1, "0"),
    ("D:xDim=2:yDim=2:zDim=1:wDim=3\n~D\n", "did you mean", 1, "wDim=3"),
    ("D:xDim=12345678901:yDim=1:zDim=1\n~D\n", "at most 9 digits", 1, "12345678901"),
    (BOX + "C:name=A:layout=0 0 0\n~D\n", "type is missing", 2, None),
    (BOX + "C:name=A:type=M:layout=0 0\n~D\n", "three whole numbers", 2, "0 0"),
    (BOX + "C:name=A:type=M:layout=0 0 0, 1 a 0\n~D\n", "must be a whole number", 2, "a"),
    (BOX + "C:name=A:type=M:layout=0 0 0, 0 0 0\n~D\n", "(0, 0) is there twice", 2, "A"),
    (BOX + PIECE + PIECE + "~D\n", "was defined on line 2 already", 3, "A"),
    (BOX + "L:moving=A\nA\n~L\n~D\n", "stationary", 2, "moving=A"),
    (BOX + "C:name=A:type=S:layout=2 0 0\n~D\n", "outside the region at (2, 0)", 2, "A"),
    (BOX + "C:name=A:type=M:layout=9999999 0 0\n~D\n", "must lie within", 2, "A"),
]

DOMINOES = 'pieces = "domino x 2"\n'
PRICED = DOMINOES + 'region = "2x1"\n'
SQUARE = 'lattice = "square"\n'

TOML: list[Case] = [
    (DOMINOES, "the puzzle needs a region", None, None),
    ("pieces = [\n", "not TOML", 1, None),
    ("a = 1\na = 2\n", "not TOML", 2, None),
    ('lattice = "squarish"\n', "did you mean square", 1, "squarish"),
    ('region = "2x2x2"\n', 'squares: say lattice = "cubic", "hypercubic" or', 1, "2x2x2"),
    ('[lattice]\nname = "x"\n', "lattice needs the key 'dimension'", 1, None),
    ('pieces = [\n  "domino",\n  "pentominose",\n]\n', "did you mean", 3, "pentominose"),
    ('pieces = "pentomino"\n', "is 12 pieces", 1, "pentomino"),
    (
        SQUARE + 'region = "3x2"\npieces = """\nA A B\nA.B\n"""\n',
        "names of pieces need blanks between them: 'A . B'",
        5,
        "A.B",
    ),
    ('lattice = "cubic"\npieces = "hexiamonds"\n', "the lattice triangular", 2, "hexiamonds"),
    (
        'region = "2x2x2"\npieces = ["free tetracubes",\n "one-sided tetracubes"]\n',
        "say both as one-sided or both as free",
        3,
        "one-sided tetracubes",
    ),
    ('region = "2x1"\n[[pieces]]\nname = "A"\n', "headed [[piece]]", None, "{'name': 'A'}"),
    (DOMINOES + 'region = ["##", "##"]\n', "a text of several lines", 2, "##"),
    (DOMINOES + 'region = "two by two"\n', "a region is written", 2, "two by two"),
    (DOMINOES + 'region = "5000x5000"\n', "the most is", 2, "5000x5000"),
    (DOMINOES + '[region]\nplus = "2x2"\nminus = "1x1 at 5,5"\n', "takes nothing away", 4, None),
    (DOMINOES + "[region]\nplus='2x2'\noptional='1x1'\nempty='many'\n", "a number", 5, "many"),
    (DOMINOES + "region = {cells = [[0, 0], [0, 0]]}\n", "is there twice", 2, "cells"),
    (DOMINOES + "region = '''\n##, ##\n'''\n", "square has none", 3, ","),
    (DOMINOES + "region = '''\n..\n'''\n", "the drawing has no cells", 3, None),
    (SQUARE + 'region = "2x2"\n[[piece]]\ncells = [[0, 0]]\n', "a piece needs a name", 3, None),
    (
        SQUARE + 'region = "2x2"\n[[piece]]\nname = "A"\ncells = [[2, 0]]\nstationary = true\n',
        "stationary piece A lies outside the region",
        3,
        "A",
    ),
    ('pieces = "domino cost x"\nregion = "2x2"\n', "a cost must be a finite number", 1, "x"),
    (PRICED + 'costs = """\n1 x\n"""\n', "a cost must be a finite number", 4, "x"),
    (PRICED + 'costs = """\n1 2 3\n"""\n', "(2, 0), which is not in the region", 3, None),
    (PRICED + "[[costs]]\ncost = 3\n", "needs a region and a cost", 3, None),
    (PRICED + "[[costs]]\nregion = '1x1'\ncost = 1e-300\n", "round them", 2, None),
    (DOMINOES + "puzzle = []\n", "has no key 'pieces'", 1, "pieces"),
    ("puzzle = []\n", "a line [[puzzle]] of its own", 1, None),
]

KNUTH: list[Case] = [
    ("", "the file is empty", None, None),
    ("a b | c | d\n", "a second | among the items", 1, None),
    ("a:x b\n", "an item's name has no :", 1, "a:x"),
    ("1:2:3|a b\n", "a multiplicity is written", 1, "1:2:3|a"),
    ("a b\n\na c\n", "no item has this name", 3, "c"),
    ("a b\na:x b\n", "a primary item has no colour", 2, "a:x"),
    ("a b\na |x\n", "a cost is written |7", 2, "|x"),
    ("a b\na |1e999\n", "a finite number", 2, "|1e999"),
]


EC: list[Case] = [
    ("c only\n", "no problem here", None, None),
    ("p cnf 3 2\n", "the first line is `p ec ITEMS OPTIONS`", 1, "p cnf 3 2"),
    ("p ec x\n", "must be a whole number", 1, "x"),
    ("p ec 1000001\ns 1\n", "1 to 1,000,000 items", 1, "1000001"),
    ("c\np ec 3\n", "no options here", 2, None),
    ("p ec 3 1\n\n1 2\n", "an option is written `s 1 5 7`", 3, "1"),
    ("p ec 3 1\ns 0\n", "items are 1 to 3", 2, "0"),
    ("p ec 3 1\ns 2 1.5\n", "an item must be a whole number", 2, "1.5"),
    ("3 2\n2 3 1\n5 1 2\n", "all lines of a text are of one kind", 3, "5 1 2"),
    ("3 2\n1 2\nx 1 2\n", "the number of items and the items", 3, "x 1 2"),
    ("3 3\n1 2\n", "says 3 options, and has 1", 1, None),
]


@pytest.mark.parametrize(
    ("form", "text", "message", "line", "token"),
    [
        (form, *case)
        for form, cases in {"polycube": POLYCUBE, "toml": TOML, "dlx": KNUTH, "ec": EC}.items()
        for case in cases
    ],
)
def test_error(form: str, text: str, message: str, line: int | None, token: str | None) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text, form, file="some.file")
    error = caught.value
    assert message in error.message
    assert (error.line, error.token) == (line, token)
    assert str(error).startswith("some.file:" if line is None else f"some.file:{line}: ")


SLIPS = [
    (
        "title = '''My box\npieces = 3\n",
        2,
        ["Expected \"'''\" (at end of document)", "pieces = 3", "          ^"],
    ),
    ("cells = [[0,0] [1,0]]\n", 1, ["Unclosed array", "cells = [[0,0] [1,0]]", " " * 15 + "^"]),
    ('title = "\t', 1, ["Unterminated string (at end of document)", 'title = "', "         ^"]),
    ("a = 2\nb = 2\na = 3\n", 3, ["Cannot overwrite a value", "a = 3", "     ^"]),
    ("a = [" + "1, " * 999 + "x]", 1, ["Invalid value", ", " + "1, " * 11 + "x]", " " * 35 + "^"]),
]


@pytest.mark.parametrize(("text", "line", "said"), SLIPS)
def test_what_is_not_toml_is_shown_with_the_parsers_own_message(
    text: str, line: int, said: list[str]
) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text, "toml", file="some.toml")
    message, shown, caret = said
    assert str(caught.value) == f"some.toml:{line}: not TOML: {message}\n  {shown}\n  {caret}"


def test_only_the_region_is_a_reason_to_ask_for_a_lattice() -> None:
    text = 'region = "2x1"\n[[piece]]\nname = "A"\ncopy = 2\ncells = [[0, 0]]\n'
    with pytest.raises(FormatError, match="did you mean copies") as caught:
        parse(text, "toml")
    assert "lattice" not in caught.value.message


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        ("a.txt", b"D:\xff\x81", "a.txt:1: a byte that is not UTF-8"),
        ("a.toml", b"\n\n\xc3\x28", "a.toml:3: a byte that is not UTF-8"),
        ("a.toml", b"#" * (5 << 20), "a.toml: larger than 4 MiB"),
        ("a.txt", b"#" * (17 << 20), "a.txt: larger than 16 MiB"),
        ("a.txt", b"\x00\x01", "a.txt:1: a control character"),
        ("a.pdf", b"", "no format has the ending '.pdf'"),
        ("a.csv", b"", "a list of puzzles is for `exactcover batch "),
        ("a", b"", "it should be one of .txt, .def, .toml, .dlx"),
        ("a", b"", "standard input, `-`, needs none"),
    ],
)
def test_bytes_that_are_no_puzzle(tmp_path: Path, name: str, raw: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(ExactCoverError) as caught:
        read_file(tmp_path / name)
    assert message in str(caught.value)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "x.txt").mkdir()
    for name in ("x.txt", "y.txt", "a\0.txt"):
        words = "there is no such file" if name == "y.txt" else "cannot be read"
        with pytest.raises(FormatError, match=words):
            read_file(tmp_path / name)


@pytest.mark.parametrize(
    ("form", "text", "line"),
    [
        ("polycube", BOX + "L\nA B\nC .\n~L\n~D\n", 4),
        ("toml", 'pieces = "trominoes"\nregion = "2x2"\n[[piece]]\nname="A"\ncells=[[0, 0]]\n', 1),
        ("xmpuzzle", file([("3x1x1", "###"), ("1x1x1", "#")], asked('<shape id="1"/>' * 3)), 6),
    ],
)
def test_limit_of_pieces(form: str, text: str, line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(parse(text, form)) == 1
    monkeypatch.setattr("exactcover.formats.limits.MAX_PIECES", 2)
    with pytest.raises(FormatError, match="a puzzle may have 2 pieces, these are more") as caught:
        parse(text, form)
    assert caught.value.line == line


def test_limits_of_drawings() -> None:
    row = ". " * 50_000 + "\n"
    with pytest.raises(FormatError, match="4,000,000 together") as caught:
        parse(BOX + "L\n" + row * 81 + "~L\n~D\n", "polycube")
    assert caught.value.line == 2
    with pytest.raises(FormatError, match="may have 1,000,000 cells"):
        parse(DOMINOES + f"region = '''\n{row * 21}'''\n", "toml")
