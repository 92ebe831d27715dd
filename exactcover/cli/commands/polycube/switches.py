"""The switches of polycube 2.0 and 1.2.1: a table of their arguments and meanings.

The two versions differ only in the engines: 1.2.1 has three beside DLX, `-m`, `-e` and `-b`. They
are one engine in 2.0, which uses the letter `f` for it; `f` was the format in 1.2.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from exactcover.backends.heuristics.orders import is_fixed_order
from exactcover.base.text.numerals import MAX_DIGITS, SEED_DIGITS, signed_number, whole_number
from exactcover.errors import StrategyError

OLD, NEW = "1.2", "2.0"
DIALECTS = (NEW, OLD)
"""The versions whose switches are read; the first is the default."""

FORMAT = re.compile(r"(?P<amount>[BFS])?(?P<way>[LC])?|(?P<way_first>[LC])(?P<amount_last>[BFS])")

LIMIT = f" (of at most {MAX_DIGITS} digits)"

NEW_HEURISTICS = ("s", "e")
"""1.2.1 has no heuristic of this name; its `f` is the `s` of 2.0."""


class HeuristicChange(NamedTuple):
    """A heuristic, and the number of remaining pieces from which on it is used; None: from the
    start."""

    heuristic: str
    remaining: int | None


class Sampling(NamedTuple):
    """Monte Carlo: the number of trials, and the number of pieces left at which each ends."""

    trials: int
    remaining: int
    seed: int


@dataclass(frozen=True)
class PolycubeSwitches:
    """The meaning of a command line.

    redundancy  None: no filter; empty: the piece is chosen; else the piece
    parity, volume, fit   how far down each filter is applied; None: once, before the search
    parity_trigger, volume_trigger   down to how many pieces, 0: always; None: not at all
    order       the heuristics in the order given
    fila        from how many pieces on; None: not at all; -1: no number was given
    mch, emch, bruijn   from how many pieces on these engines of 1.2.1 are used; 0: not at all
    format      how much is printed, `B`, `F` or `S`, and in which way, `L` or `C`
    """

    dialect: str = NEW
    info: bool = False
    quiet: bool = False
    unique: bool = False
    redundancy: str | None = None
    first: bool = False
    parity: tuple[int | None, ...] = ()
    volume: tuple[int | None, ...] = ()
    fit: tuple[int | None, ...] = ()
    parity_trigger: int | None = None
    volume_trigger: int | None = None
    order: tuple[HeuristicChange, ...] = ()
    fila: int | None = None
    nof: bool = False
    mch: int = 0
    emch: int = 0
    bruijn: int = 0
    goal: int | None = None
    sampling: Sampling | None = None
    trace: int | None = None
    format: tuple[str, str] = ("F", "L")
    conf: str | None = None
    help: bool = False
    version: bool = False
    files: tuple[str, ...] = ()
    words: tuple[str, ...] = field(default=(), compare=False)

    @property
    def splits(self) -> bool:
        """Whether states are written as separate puzzles, whose solutions must add up."""
        return self.goal is not None and self.format[0] == "S"


# -- the arguments of switches --------------------------------------------------------------------


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


class GivenSwitch(NamedTuple):
    """A switch as it was given."""

    switch: Switch
    argument: str | None
    written: str


def _is_given(one: GivenSwitch) -> bool:
    return True


def _text(one: GivenSwitch) -> str:
    return one.argument or ""


def _number(one: GivenSwitch) -> int | None:
    """A number of remaining pieces; None: the switch was given without one."""
    if one.argument is None:
        return None
    number = whole_number(one.argument)
    if number is None:
        raise StrategyError(
            f"{one.written}: {one.switch} takes a number of remaining pieces{LIMIT}"
        )
    return number


def _numbers(one: GivenSwitch) -> tuple[int | None]:
    return (_number(one),)


def _else(without: int) -> Callable[[GivenSwitch], int]:
    """A number of remaining pieces, or its meaning without one."""

    def read(one: GivenSwitch) -> int:
        number = _number(one)
        return without if number is None else number

    return read


def _signed(one: GivenSwitch) -> int:
    number = signed_number(one.argument or "")
    if number is None:
        raise StrategyError(f"{one.written}: {one.switch.form} takes a whole number{LIMIT}")
    return number


def heuristic_changes(one: GivenSwitch) -> tuple[HeuristicChange, ...]:
    """The heuristics of an `-o`: H1[@arguments][=R1]:H2..."""
    changes = []
    for part in (one.argument or "").split(":"):
        name, equals, number = part.partition("=")
        remaining = whole_number(number) if equals else None
        if equals and remaining is None:
            raise StrategyError(f"{one.written}: after {name}= stands a number of pieces{LIMIT}")
        if name not in NEW_HEURISTICS and not is_fixed_order(name):
            raise StrategyError(
                f"{one.written}: {name!r} is no heuristic; f, s, e, x y z X Y Z xyz, l@a,b,c, "
                "a@angle, A@angle, R are, as in x:s=20"
            )
        changes.append(HeuristicChange(name, remaining))
    return tuple(changes)


def _format(one: GivenSwitch) -> tuple[str, str]:
    match = FORMAT.fullmatch(one.argument or "")
    if match is None or not one.argument:
        raise StrategyError(
            f"{one.written}: a format is B (brief), F (full) or S (sub-puzzle), with L (drawn) or "
            "C (coordinates), as in SC"
        )
    amount = match["amount"] or match["amount_last"] or "F"
    return amount, match["way"] or match["way_first"] or "L"


def _dialect(one: GivenSwitch) -> str:
    if one.argument not in DIALECTS:
        raise StrategyError(f"{one.written}: the dialects are {' and '.join(DIALECTS)}")
    return one.argument


def _sampling(one: GivenSwitch) -> Sampling:
    parts = [part.strip(" ") for part in (one.argument or "").split(",")]
    numbers = [
        whole_number(part, SEED_DIGITS if place == 2 else MAX_DIGITS)
        for place, part in enumerate(parts)
    ]
    if not 2 <= len(parts) <= 3 or None in numbers:
        raise StrategyError(
            f"{one.written}: -s takes trials, pieces and a seed, as in -s 1000,16,1{LIMIT}"
        )
    trials, remaining, seed = (*(number or 0 for number in numbers), 1)[:3]
    if not trials or not remaining:
        raise StrategyError(f"{one.written}: there must be a trial, and a piece to be removed")
    return Sampling(trials, remaining, seed)


# -- the table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Switch:
    """One switch.

    letter   empty if it has only the long name
    takes    its argument
    meaning  the field of `PolycubeSwitches` that has its value
    read     the value
    adds     it may be given more than once: its values add up
    dialect  the one version that has it; empty: both
    shown    the text for its argument in the help, if it is not the usual one
    """

    letter: str
    name: str
    takes: Takes
    meaning: str
    summary: str
    read: Callable[[GivenSwitch], Any] = _is_given
    adds: bool = False
    dialect: str = ""
    shown: str = ""

    def __str__(self) -> str:
        return f"-{self.letter}" if self.letter else f"--{self.name}"

    @property
    def form(self) -> str:
        """The switch with its argument, for messages."""
        return f"{self}{self.shown or self.takes.value}"


SWITCHES = (
    Switch("i", "info", Takes.NOTHING, "info",
           "Print configuration, puzzle properties and statistics."),
    Switch("q", "quiet", Takes.NOTHING, "quiet", "Do not print solutions."),
    Switch("u", "unique", Takes.NOTHING, "unique", "Drop solutions that are rotations of others."),
    Switch("r", "redundancyFilter", Takes.MAYBE_TEXT, "redundancy",
           "Constrain a piece so that rotated copies of solutions do not arise.", _text),
    Switch("R", "redundancyFilterFirst", Takes.NOTHING, "first",
           "Place the constrained piece first."),
    Switch("P", "parityFilter", Takes.MAYBE_NUMBER, "parity",
           "Filter images by parity: once, or while N pieces remain.", _numbers, adds=True),
    Switch("p", "parityBacktrack", Takes.MAYBE_NUMBER, "parity_trigger",
           "Go back where the pieces left cannot make up the parity.", _else(0)),
    Switch("V", "volumeFilter", Takes.MAYBE_NUMBER, "volume",
           "Filter images that make a hole nothing can fill: once, or while N pieces remain.",
           _numbers, adds=True),
    Switch("v", "volumeBacktrack", Takes.MAYBE_NUMBER, "volume_trigger",
           "Go back where a hole cannot be filled, while N pieces remain.", _else(0)),
    Switch("F", "fitFilter", Takes.MAYBE_NUMBER, "fit",
           "Filter images that leave a hole or a piece without image: once, or while N remain.",
           _numbers, adds=True),
    Switch("o", "order", Takes.TEXT, "order",
           "How to choose what is filled next, from R pieces on.", heuristic_changes, adds=True,
           shown="=H[=R]:..."),
    Switch("f", "fila", Takes.MAYBE_NUMBER, "fila",
           "FILA instead of DLX from N remaining pieces on.", _else(-1), dialect=NEW),
    Switch("n", "nof", Takes.NOTHING, "nof", "Neighbour occupancy filtering in FILA.", dialect=NEW),
    Switch("m", "mch", Takes.NUMBER, "mch",
           "The most constrained hole from N remaining pieces on.", _number, dialect=OLD),
    Switch("e", "emch", Takes.NUMBER, "emch",
           "The estimated one from N remaining pieces on.", _number, dialect=OLD),
    Switch("b", "bruijn", Takes.NUMBER, "bruijn",
           "De Bruijn's order from N remaining pieces on.", _number, dialect=OLD),
    Switch("g", "goal", Takes.NUMBER, "goal", "A state with N pieces left counts as a solution.",
           _number),
    Switch("s", "sample", Takes.TEXT, "sampling",
           "T trials in random order, each ended when a piece is removed with R left; S the seed.",
           _sampling, shown="=T,R[,S]"),
    Switch("t", "trace", Takes.NUMBER, "trace",
           "Print the board after each step with about K pieces or more left.", _signed,
           shown="=[-]K"),
    Switch("", "format", Takes.TEXT, "format",
           "Brief, Full or Sub-puzzle; drawn as a Layout or by Coordinates. -f in 1.2.1.", _format,
           shown="=B|F|S[L|C]"),
    Switch("", "conf", Takes.TEXT, "conf", "Read more switches from a file: lines name=value.",
           _text, shown="=FILE"),
    Switch("", "dialect", Takes.TEXT, "dialect",
           "Whose switches these are: 2.0, meant in doubt, or 1.2.", _dialect, shown="=2.0|1.2"),
    Switch("", "help", Takes.NOTHING, "help", "Print this and stop."),
    Switch("", "version", Takes.NOTHING, "version", "Print the version and stop."),
)  # fmt: skip
"""In the order of the help. Long names follow the pattern of those in the articles."""

BY_LETTER = {switch.letter: switch for switch in SWITCHES if switch.letter}
BY_NAME = {switch.name: switch for switch in SWITCHES}
