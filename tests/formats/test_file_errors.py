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
    ("# to do\n", "no puzzle here", None, None),
    (PIECE, "a piece is outside a puzzle", 1, None),
    ("~D\n", "~D is outside a puzzle", 1, None),
    (BOX + PIECE, "this puzzle is not closed by ~D", 1, None),
    (BOX + PIECE + BOX, "this puzzle is not closed by ~D", 1, None),
    (BOX + "L\nA .\n", "this drawing is not closed by ~L", 2, None),
    (BOX + "L\nA .\n~D\n", "line 2 is not closed by ~L", 4, "~D"),
    (BOX + "L\nA .\n" + PIECE, "line 2 is not closed by ~L", 4, "C:name=A:type=M:layout=0"),
    (BOX + "~L\n~D\n", "no drawing is open", 2, "~L"),
    (BOX + ". A\n~D\n", "a drawing begins with a line L", 2, "."),
    (BOX + "X:name=A\n~D\n", "a line begins with D, C, L, ~L, ~D or #", 2, "X:name=A"),
    ("D\n~D\n", "xDim is missing", 1, None),
    ("D:xDim=2:yDim=2:zDim=0\n~D\n", "zDim must be 1 or more", 1, "0"),
    ("D:xDim=2:xDim=2:zDim=1\n~D\n", "xDim is given twice", 1, "xDim=2"),
    ("D:xDim=2:yDim=2:zDim=1:wDim=3\n~D\n", "did you mean", 1, "wDim=3"),
    ("D:xDim=2:yDim=2:zDim=2:oneSide\n~D\n", "zDim must be 1", 1, "2"),
    ("D:xDim=12345678901:yDim=1:zDim=1\n~D\n", "at most 9 digits", 1, "12345678901"),
    (BOX + "~D\n", "the puzzle has no pieces", 1, None),
    (BOX + "C:name=A:layout=0 0 0\n~D\n", "type is missing", 2, None),
    (BOX + "C:name=A:type=X:layout=0 0 0\n~D\n", "type must be M", 2, "X"),
    (BOX + "C:name=A:type=M:layout=0 0\n~D\n", "three whole numbers", 2, "0 0"),
    (BOX + "C:name=A:type=M:layout=0 0 0,\n~D\n", "three whole numbers", 2, ""),
    (BOX + "C:name=A:type=M:layout=0 0 0, 1 a 0\n~D\n", "must be a whole number", 2, "a"),
    (BOX + "C:name=A:type=M:layout=0 0 0, 0 0 0\n~D\n", "(0, 0) is there twice", 2, "A"),
    (BOX + "C:name=A B:type=M:layout=0 0 0\n~D\n", "one word", 2, "A B"),
    (BOX + PIECE + PIECE + "~D\n", "was defined on line 2 already", 3, "A"),
    (BOX + "L:stationary=B\nA\n~L\n~D\n", "stationary piece B is not in the drawing", 2, "B"),
    (BOX + "L:moving=A\nA\n~L\n~D\n", "stationary", 2, "moving=A"),
    (BOX + "C:name=A:type=S:layout=2 0 0\n~D\n", "outside the region at (2, 0)", 2, "A"),
    (BOX + "C:name=A:type=S:layout=0 0 1\n~D\n", "z other than 0: zDim is 1", 2, "A"),
    (BOX[:-1] + ":oneSide\nC:name=A:type=M:layout=0 0 1\n~D\n", "every z is 0", 2, "A"),
    (BOX + "C:name=A:type=M:layout=9999999 0 0\n~D\n", "must lie within", 2, "A"),
    (BOX + "C:name=\x1b[0m:type=M:layout=0 0 0\n~D\n", "a control character", 2, "\x1b"),
]

DOMINOES = 'pieces = "domino x 2"\n'
PRICED = DOMINOES + 'region = "2x1"\n'
SQUARE = 'lattice = "square"\n'

TOML: list[Case] = [
    ("\n", "the file is empty", None, None),
    (DOMINOES, "the puzzle needs a region", None, None),
    (SQUARE + 'region = "2x2"\n', "the puzzle has no pieces", None, None),
    ("pieces = [\n", "not TOML", 1, None),
    ('region = "2x2\n', "not TOML", 1, None),
    ("a = 1\na = 2\n", "not TOML", 2, None),
    ('lattice = "squarish"\n', "did you mean square", 1, "squarish"),
    ('lattice = "no_such.toml"\n', "there is no such file", 1, "no_such.toml"),
    ('region = "2x2x2"\n', 'squares: say lattice = "cubic", "hypercubic" or', 1, "2x2x2"),
    ('[lattice]\nname = "x"\n', "lattice needs the key 'dimension'", 1, None),
    ('pieces = "pentominos x two"\nregion = "2x2"\n', "is called 'x two'", 1, "pentominos x two"),
    ('pieces = [\n  "domino",\n  "pentominose",\n]\n', "did you mean", 3, "pentominose"),
    ('pieces = "domino 3..1"\n', "not run backwards", 1, "3..1"),
    ('pieces = "pentomino"\n', "is 12 pieces", 1, "pentomino"),
    ('pieces = "X pentomino x -2"\n', "must not be negative", 1, "-2"),
    (
        SQUARE + 'region = "3x2"\npieces = """\nA A B\nA.B\n"""\n',
        "names of pieces need blanks between them: 'A . B'",
        5,
        "A.B",
    ),
    ('pieces = "fixed trominoes"\n', "none are fixed", 1, "fixed trominoes"),
    ('lattice = "cubic"\npieces = "hexiamonds"\n', "the lattice triangular", 2, "hexiamonds"),
    (
        'region = "2x2x2"\npieces = ["free tetracubes",\n "one-sided tetracubes"]\n',
        "say both as one-sided or both as free",
        3,
        "one-sided tetracubes",
    ),
    (DOMINOES + 'region = "2"\n', "it takes 'box a b'", 2, "2"),
    ('region = "2x1"\n[[pieces]]\nname = "A"\n', "headed [[piece]]", None, "{'name': 'A'}"),
    (DOMINOES + 'region = ["##", "##"]\n', "a text of several lines", 2, "##"),
    (DOMINOES + 'region = "two by two"\n', "a region is written", 2, "two by two"),
    (DOMINOES + 'region = "2x2 at 1"\n', "at must be 2 whole numbers", 2, "1"),
    (DOMINOES + 'region = "5000x5000"\n', "the most is", 2, "5000x5000"),
    (DOMINOES + '[region]\nplus = "2x2"\nmins = "1x1"\n', "did you mean minus", 4, "mins"),
    (DOMINOES + '[region]\nplus = "2x2"\nminus = "1x1 at 5,5"\n', "takes nothing away", 4, None),
    (DOMINOES + '[region]\nplus = "2x2"\nempty = 1\n', "none is optional", 4, None),
    (DOMINOES + "[region]\nplus='2x2'\noptional='1x1'\nempty='many'\n", "a number", 5, "many"),
    (DOMINOES + "region = {cells = [[0, 0, 0]]}\n", "2 whole numbers (x y)", 2, "[0, 0, 0]"),
    (DOMINOES + "region = {cells = [[0, 0], [0, 0]]}\n", "is there twice", 2, "cells"),
    (DOMINOES + "region = {family = 'box', sizes = 3}\n", "sizes must be whole numbers", 2, "3"),
    (DOMINOES + "region = '''\n##, ##\n'''\n", "square has none", 3, ","),
    (DOMINOES + "region = '''\n##\n\n##\n'''\n", "a blank line inside the drawing", 3, None),
    (DOMINOES + "region = '''\n..\n'''\n", "the drawing has no cells", 3, None),
    (DOMINOES + '[counts]\nall = "many"\n', "a count must be a whole number", 3, "many"),
    (SQUARE + 'region = "2x2"\n[[piece]]\ncells = [[0, 0]]\n', "a piece needs a name", 3, None),
    (
        SQUARE + 'region = "2x2"\n[[piece]]\nname = "A"\ncells = [[2, 0]]\nstationary = true\n',
        "stationary piece A lies outside the region",
        3,
        "A",
    ),
    (
        'lattice = "hexagonal"\nregion = "hexagon 2"\n[[piece]]\nname = "A"\n'
        "drawing = '''\n#\n#\n'''\n",
        "hexagons stand two characters apart",
        6,
        "#",
    ),
    ('pieces = "domino cost x"\nregion = "2x2"\n', "a cost must be a finite number", 1, "x"),
    (PRICED + "costs = 3\n", "costs must be a drawing", 3, "3"),
    (PRICED + 'costs = """\n1 x\n"""\n', "a cost must be a finite number", 4, "x"),
    (PRICED + 'costs = """\n1 2 3\n"""\n', "(2, 0), which is not in the region", 3, None),
    (PRICED + 'costs = """\n. .\n"""\n', "the drawing has no costs", 3, None),
    (PRICED + "[[costs]]\ncost = 3\n", "needs a region and a cost", 3, None),
    (PRICED + "[[costs]]\nregion = '1x1'\ncost = inf\n", "a finite number", 5, "inf"),
    (PRICED + "[[costs]]\nregion = '1x1'\ncost = 1e-300\n", "round them", 2, None),
    (
        SQUARE + 'region = "2x1"\n[[piece]]\nname = "A"\ncells = [[0, 0]]\n'
        "stationary = true\ncost = 3\n",
        "whatever it costs",
        7,
        None,
    ),
    (DOMINOES + "puzzle = []\n", "has no key 'pieces'", 1, "pieces"),
    ("puzzle = []\n", "a line [[puzzle]] of its own", 1, None),
]

KNUTH: list[Case] = [
    ("", "the file is empty", None, None),
    ("| to do\n", "no items here", None, None),
    ("a b | c | d\n", "a second | among the items", 1, None),
    ("a b a\n", "this item is named twice", 1, "a"),
    ("a:x b\n", "an item's name has no :", 1, "a:x"),
    ("x|a b\n", "a multiplicity must be a whole number", 1, "x|a"),
    ("1:2:3|a b\n", "a multiplicity is written", 1, "1:2:3|a"),
    ("3:2|a b\n", "not run backwards", 1, "3:2|a"),
    ("a b\n\na c\n", "no item has this name", 3, "c"),
    ("a b\na b a\n", "an option names an item twice", 2, "a"),
    ("a b\na:x b\n", "a primary item has no colour", 2, "a:x"),
    ("a | b\na b:\n", "is written item:colour", 2, "b:"),
    ("a b\na |x\n", "a cost is written |7", 2, "|x"),
    ("a b\na |7 b\n", "a | can only begin a cost", 2, "|7"),
    ("a b\na |1e999\n", "a finite number", 2, "|1e999"),
]


EC: list[Case] = [
    ("c only\n", "no problem here", None, None),
    ("p ec\n", "the first line is `p ec ITEMS OPTIONS`", 1, "p ec"),
    ("p cnf 3 2\n", "the first line is `p ec ITEMS OPTIONS`", 1, "p cnf 3 2"),
    ("s 1 2\n", "the first line is `p ec ITEMS OPTIONS`", 1, "s 1 2"),
    ("p ec x\n", "must be a whole number", 1, "x"),
    ("p ec 0 0\n", "1 to 1,000,000 items", 1, "0 0"),
    ("p ec 1000001\ns 1\n", "1 to 1,000,000 items", 1, "1000001"),
    ("p ec 3 -1\n", "1 to 1,000,000 items", 1, "3 -1"),
    ("c\np ec 3\n", "no options here", 2, None),
    ("p ec 3 2\ns 1\n", "says 2 options, and has 1", 1, None),
    ("p ec 3 1\n\n1 2\n", "an option is written `s 1 5 7`", 3, "1"),
    ("p ec 3 2\ns 1\ns 1 4\n", "items are 1 to 3", 3, "4"),
    ("p ec 3 1\ns 0\n", "items are 1 to 3", 2, "0"),
    ("p ec 3 1\ns 2 1 2\n", "names an item twice", 2, "2"),
    ("p ec 3 1\ns 2 1.5\n", "an item must be a whole number", 2, "1.5"),
    ("3 2\n1 2\n3 1\n", "the number of items and the items", 3, "3 1"),
    ("3 2\n2 3 1\n5 1 2\n", "all lines of a text are of one kind", 3, "5 1 2"),
    ("3 1\n2 1 3\n", "it does not show whether options have costs", 2, None),
    ("3 2\n1 2\nx 1 2\n", "the number of items and the items", 3, "x 1 2"),
    ("3 1\nx 1 2\n", "a cost must be a whole number", 2, "x"),
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
