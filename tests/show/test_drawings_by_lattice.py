"""Each lattice has its own text drawing: one solution, and a few shapes without names."""

from __future__ import annotations

import pytest

from exactcover.lattices import get_lattice
from exactcover.puzzle import Placement
from exactcover.show import draw_placements

Cells = tuple[tuple[int, ...], ...]


def cells(text: str) -> Cells:
    return tuple(tuple(map(int, cell)) for cell in text.split())


SOLUTIONS: dict[str, tuple[dict[str, str], str]] = {
    "hexagonal": (
        {"A": "00 10 20 30", "B": "01 11 21 22", "C": "02 03 12 13", "D": "23 31 32 33"},
        r"""
   C C D D
  C C B D
 B B B D
A A A A
""",
    ),
    "triangular": (
        {
            "A": "011 110 111 120 121 220",
            "B": "020 021 030 031 130 131",
            "C": "101 200 201 210 300 301",
            "D": "211 221 230 310 311 320",
        },
        r"""
    +-------+
   /B B B B/D\
  /   +---+   \
 /B B/A A A\D D\
+---+   +---+   +
 \A A A/C\D D D/
  +---+   +---+
   \C C C C C/
    +-------+
""",
    ),
    "prism": (
        {
            "A": "0000 0001 0100 1000",
            "B": "0010 0011 0110 0111",
            "C": "0101 1100 1101 1111",
            "D": "1001 1010 1011 1110",
        },
        r"""
z=0             z=1
    +-------+       +---+---+
   /A\C C C/       /B B/D\C/
  /   +---+       /   /   +
 /A A A\D/       /B B/D D/
+-------+       +---+---+
""",
    ),
    "hypercubic": (
        {
            "A": "0000 1000 1010 1100",
            "B": "0001 0100 0101 1101",
            "C": "0010 0011 1001 1011",
            "D": "0110 0111 1110 1111",
        },
        r"""
     z=0   z=1
w=0  B A   D D
     A A   C A

w=1  B B   D D
     B C   C C
""",
    ),
    "fcc": (
        {
            "A": "000 001 010 100",
            "B": "002 011 101 102",
            "C": "003 012 021 030",
            "D": "020 110 111 201",
            "E": "120 200 210 300",
        },
        r"""
h=0       h=1       h=2       h=3
                      B B        C
A A E E    A B D      B D        C
           A D E      D E        C
                                 C
""",
    ),
    "bcc": (
        {"A": "000 101 110", "B": "001 010 011", "C": "100 200 201", "D": "111 210 211"},
        r"""
h=-1    h=0     h=1     h=2     h=3
          A      C      C D
   B      A B    C D      A      D
                   B
""",
    ),
    "sticks-square": (
        {
            "A": "000 001 010 111",
            "B": "011 020 021 121",
            "C": "030 130 230 321",
            "D": "100 101 200 301",
            "E": "110 201 210 311",
            "F": "120 211 220 221",
        },
        r"""
+-C-+-C-+-C-+
B   B   F   C
+-B-+-F-+-F-+
B   A   F   E
+-A-+-E-+-E-+
A   D   E   D
+-A-+-D-+-D-+
""",
    ),
    "sticks-triangular": (
        {
            "A": "000 010 102",
            "B": "001 011 020",
            "C": "021 122 212",
            "D": "100 111 202",
            "E": "101 110 112",
            "F": "200 201 302",
        },
        r"""
            +
           / \
          C   C
         /     \
        +---B---+
       / \     / \
      B   E   D   C
     /     \ /     \
    +---A---+---E---+
   / \     / \     / \
  B   A   E   D   F   F
 /     \ /     \ /     \
+---A---+---D---+---F---+
""",
    ),
    "sticks-hexagonal": (
        {"A": "000 001 002", "B": "010 011 012", "C": "100 101 102", "D": "110 111 112"},
        r"""
        +       +
      B   B   D   D
    +       +       +
            B       D
    +       +       +
  A   A   C   C
+       +       +
        A       C
        +       +
""",
    ),
    "octet": (
        {
            "A": "0000 0001 0002 0012 0102",
            "B": "0010 0022 0100 0112 0202",
            "C": "1000 1002 1012 1102 2002",
        },
        r"""
z=0     z=1     z=2     z=3     z=4
    C             C             B
           C             B
  C             A A C             B
         A                 B
A                 A                 B
""",
    ),
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_solution(name: str) -> None:
    pieces, drawing = SOLUTIONS[name]
    placed = [Placement(piece, cells(text)) for piece, text in pieces.items()]
    assert same(draw_placements(get_lattice(name), placed), drawing)


def same(drawn: str, expected: str) -> bool:
    """Compare line by line, without blanks at the ends of lines."""
    return [*map(str.rstrip, drawn.splitlines())] == expected[1:].splitlines()
