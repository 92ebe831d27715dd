"""The switches of polycube 2.0 and 1.2.1, as a table.

The two differ only in the engines: 1.2.1 has three beside DLX, `-m`, `-e` and `-b`. They are one
engine in 2.0, which uses the letter `f` for it; `f` was the format in 1.2.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

OLD, NEW = "1.2", "2.0"
DIALECTS = (NEW, OLD)
"""The versions whose switches are read; the first is the default."""


class Takes(Enum):
    """The argument of a switch."""

    NOTHING = ""
    MAYBE_NUMBER = "[=N]"
    NUMBER = "=N"
    MAYBE_TEXT = "[=PIECE]"
    TEXT = "=TEXT"

    @property
    def optional(self) -> bool:
        return self in (Takes.MAYBE_NUMBER, Takes.MAYBE_TEXT)


@dataclass(frozen=True)
class Switch:
    """One switch: its letter, its long name, its argument, the version that has it, its summary.

    letter   empty if it has only the long name
    dialect  the one version that has it; empty: both
    shown    the text for its argument in the help, if it is not the usual one
    """

    letter: str
    name: str
    takes: Takes
    summary: str
    dialect: str = ""
    shown: str = ""

    def __str__(self) -> str:
        return f"-{self.letter}" if self.letter else f"--{self.name}"


SWITCHES = (
    Switch("i", "info", Takes.NOTHING, "Print configuration, puzzle properties and statistics."),
    Switch("q", "quiet", Takes.NOTHING, "Do not print solutions."),
    Switch("u", "unique", Takes.NOTHING, "Drop solutions that are rotations of others."),
    Switch("r", "redundancyFilter", Takes.MAYBE_TEXT,
           "Constrain a piece so that rotated copies of solutions do not arise."),
    Switch("R", "redundancyFilterFirst", Takes.NOTHING, "Place the constrained piece first."),
    Switch("P", "parityFilter", Takes.MAYBE_NUMBER,
           "Filter images by parity: once, or while N pieces remain."),
    Switch("p", "parityBacktrack", Takes.MAYBE_NUMBER,
           "Go back where the pieces left cannot make up the parity."),
    Switch("V", "volumeFilter", Takes.MAYBE_NUMBER,
           "Filter images that make a hole nothing can fill: once, or while N pieces remain."),
    Switch("v", "volumeBacktrack", Takes.MAYBE_NUMBER,
           "Go back where a hole cannot be filled, while N pieces remain."),
    Switch("F", "fitFilter", Takes.MAYBE_NUMBER,
           "Filter images that leave a hole or a piece without image: once, or while N remain."),
    Switch("o", "order", Takes.TEXT, "How to choose what is filled next, from R pieces on.",
           shown="=H[=R]:..."),
    Switch("f", "fila", Takes.MAYBE_NUMBER, "FILA instead of DLX from N remaining pieces on.", NEW),
    Switch("n", "nof", Takes.NOTHING, "Neighbour occupancy filtering in FILA.", NEW),
    Switch("m", "mch", Takes.NUMBER, "The most constrained hole from N remaining pieces on.", OLD),
    Switch("e", "emch", Takes.NUMBER, "The estimated one from N remaining pieces on.", OLD),
    Switch("b", "bruijn", Takes.NUMBER, "De Bruijn's order from N remaining pieces on.", OLD),
    Switch("g", "goal", Takes.NUMBER, "A state with N pieces left counts as a solution."),
    Switch("s", "sample", Takes.TEXT,
           "T trials in random order, each ended when a piece is removed with R left; S the seed.",
           shown="=T,R[,S]"),
    Switch("t", "trace", Takes.NUMBER,
           "Print the board after each step with about K pieces or more left.",
           shown="=[-]K"),
    Switch("", "format", Takes.TEXT,
           "Brief, Full or Sub-puzzle; drawn as a Layout or by Coordinates. -f in 1.2.1.",
           shown="=B|F|S[L|C]"),
    Switch("", "conf", Takes.TEXT, "Read more switches from a file: lines name=value.",
           shown="=FILE"),
    Switch("", "dialect", Takes.TEXT, "Whose switches these are: 2.0, meant in doubt, or 1.2.",
           shown="=2.0|1.2"),
    Switch("", "help", Takes.NOTHING, "Print this and stop."),
    Switch("", "version", Takes.NOTHING, "Print the version and stop."),
)  # fmt: skip
"""In the order of the help. Long names follow the pattern of those in the articles."""

BY_LETTER = {switch.letter: switch for switch in SWITCHES if switch.letter}
BY_NAME = {switch.name: switch for switch in SWITCHES}
