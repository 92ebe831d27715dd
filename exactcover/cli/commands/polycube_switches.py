"""The switches of polycube 2.0, and the strategy that they stand for.

A switch's argument stands right after its letter, after an `=`, or in the next word. An argument
that may be left out is taken from the next word only if it is a number there; any other word is a
file. Letters without arguments may be put together: `-iqr`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from exactcover.base.text import signed_number, whole_number
from exactcover.base.values import Convention
from exactcover.errors import StrategyError, shown
from exactcover.problem.filters.registry import WORDS
from exactcover.search.strategy import Strategy

START = 1 << 30
"""More pieces than there are."""

ONE_ORDER = r"[^\s;:=]+(=[0-9]{1,9})?"
"""A heuristic, and from how many pieces on it is used."""


# -- the table ------------------------------------------------------------------------------------


def _is_number(text: str) -> bool:
    return whole_number(text) is not None


class Switch(NamedTuple):
    """One switch.

    letter   empty if it has only the long name
    form     its argument; in brackets if it may be left out
    means    the option, or the part of a strategy, that it stands for; empty: it has no effect
    takes    whether an argument is right
    """

    letter: str
    name: str
    form: str
    means: str
    summary: str
    takes: Callable[[str], object] = _is_number

    def __str__(self) -> str:
        return f"-{self.letter}" if self.letter else f"--{self.name}"

    @property
    def both(self) -> str:
        """Its letter and its name, for the help."""
        return f"-{self.letter}, --{self.name}" if self.letter else f"    --{self.name}"


SWITCHES = (
    Switch("i", "info", "", "stats", "Print configuration, puzzle properties and statistics."),
    Switch("q", "quiet", "", "quiet", "Do not print solutions."),
    Switch("u", "unique", "", "unique", "Drop solutions that are rotations of others."),
    Switch("r", "redundancyFilter", "[=PIECE]", "redundancy",
           "Constrain a piece, named without blanks, @ or ;, so that rotated copies of solutions "
           "do not arise.",
           lambda text: not re.search(r"[\s@;]", text) and text not in WORDS),
    Switch("R", "redundancyFilterFirst", "", "first", "Place the constrained piece first."),
    Switch("V", "volumeFilter", "[=N]", "volume",
           "Filter placements that make a hole nothing can fill: once, or while N remain."),
    Switch("P", "parityFilter", "[=N]", "parity",
           "Filter placements by parity: once, or while N pieces remain."),
    Switch("F", "fitFilter", "[=N]", "fit",
           "Filter placements that leave a hole or a piece without any: once, or while N remain."),
    Switch("o", "order", "=H[=R]:...", "order",
           "How to choose what is filled next, from R pieces on, as in x:s=20; H is f, s, e, "
           "x y z X Y Z xyz, l@a,b,c, a@angle, A@angle or R.",
           re.compile(f"{ONE_ORDER}(:{ONE_ORDER})*").fullmatch),
    Switch("f", "fila", "=N", "fila", "FILA instead of DLX from N remaining pieces on."),
    Switch("n", "nof", "", "", "No effect here."),
    Switch("p", "parityBacktrack", "[=N]", "", "No effect here."),
    Switch("v", "volumeBacktrack", "[=N]", "", "No effect here."),
    Switch("g", "goal", "=N", "goal", "A state with N pieces left counts as a solution."),
    Switch("t", "trace", "=[-]K", "trace",
           "Print the board after each step with about K pieces or more left.",
           lambda text: signed_number(text) is not None),
    Switch("", "format", "=B|F|S[L|C]", "format",
           "Brief, Full or Sub-puzzle; drawn as a Layout or by Coordinates.",
           re.compile("[BFS][LC]?|[LC][BFS]?").fullmatch),
    Switch("", "help", "", "help", "Print this and stop."),
    Switch("", "version", "", "version", "Print the version and stop."),
)  # fmt: skip
"""In the order of the help. Long names follow the pattern of those in the articles."""

REPEATED = ("volume", "parity", "fit", "order", "")
"""These may be given several times; filters stand first, in the order in which they apply."""

BY_NAME = {f"--{one.name}": one for one in SWITCHES}
BY_NAME |= {f"-{one.letter}": one for one in SWITCHES if one.letter}


# -- the reader -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class PolycubeSwitches:
    """The meaning of a command line.

    given  the arguments by what the switches mean, one left out is empty; by an empty text the
           switches that have no effect
    """

    given: Mapping[str, Sequence[str]]
    files: Sequence[str] = ()

    def __contains__(self, name: str) -> bool:
        return name in self.given

    def number(self, name: str) -> int | None:
        """The number of a switch; None: it is not given."""
        return int(self.given[name][0]) if name in self else None

    @property
    def format(self) -> tuple[str, str]:
        """How much is printed, `B`, `F` or `S`, and in which way, `L` or `C`."""
        said = self.given.get("format", ("FL",))[0]
        return said.strip("LC") or "F", said.strip("BFS") or "L"

    @property
    def splits(self) -> bool:
        """Whether states are written as separate puzzles, whose solutions must add up."""
        return "goal" in self and self.format[0] == "S"

    @property
    def counted(self) -> Convention:
        """Whether symmetric copies of a solution are wanted."""
        return "rotations" if {"redundancy", "first", "unique"} & self.given.keys() else "all"

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy: its text is read, so that the printed one is the one that runs."""
        return Strategy.parse("; ".join([*self._filters(), *self._stages()]))

    def _filters(self) -> Iterator[str]:
        """The filters; those applied once come before those of every step.

        Sub-puzzles have no others: a placement that one takes away would look like a copy that
        was tried before.
        """
        if "redundancy" in self or "first" in self:
            piece = self.given.get("redundancy", ("",))[0]
            first = "first" in self or self.splits
            yield f"redundancy{piece and f'={piece}'}{' first' * first}"
        each = [(name, n) for name in REPEATED[:3] for n in self.given.get(name, ())]
        yield from dict.fromkeys(name for name, number in each if not number)
        if not self.splits:
            yield from dict.fromkeys(f"{name}@{int(number)}" for name, number in each if number)

    def _stages(self) -> Iterator[str]:
        """One stage from each number of pieces on at which a heuristic or the engine changes."""
        heuristics = {START: "s"}
        for part in (part for order in self.given.get("order", ()) for part in order.split(":")):
            name, equals, number = part.partition("=")
            heuristics[int(number) if equals else START] = name
        fila = min(START, self.number("fila") or -1)
        heuristic, before = "", ("", "")
        for left in sorted({*heuristics, fila} - {-1}, reverse=True):
            heuristic, engine = heuristics.get(left, heuristic), "fila" if left <= fila else "dlx"
            chosen = "s" if (engine, heuristic) == ("dlx", "e") else heuristic  # dlx counts fits
            if (engine, chosen) != before:
                at = "" if left == START else f"@{left}"
                yield f"{engine}:{chosen}{at}{' nof=0' * (engine == 'fila')}"
            before = engine, chosen


def read_switches(words: Sequence[str]) -> PolycubeSwitches:
    """The meaning of these words; raises `StrategyError`."""
    end = words.index("--") if "--" in words else len(words)
    waiting = deque(words[:end])
    given: dict[str, list[str]] = {}
    files = []
    while waiting:
        word = waiting.popleft()
        if not word.startswith("-") or word == "-":
            files.append(word)
            continue
        name = word.partition("=")[0] if word[1] == "-" else word[:2]
        rest, said = word.removeprefix(name), shown(word)
        switch = BY_NAME.get(name)
        if switch is None:
            raise StrategyError(f"there is no switch {shown(name)}: --help lists them")
        attached = {"": "=", "[=N]": r"=|\d"}.get(switch.form, ".")
        if rest and len(name) == 2 and not re.match(attached, rest):
            waiting.appendleft(f"-{rest}")
            rest, said = "", name
        argument = rest.removeprefix("=") if rest else None
        needed = switch.form.startswith("=")
        after = waiting[0] if waiting and argument is None else "-"
        if _is_number(after) if switch.form == "[=N]" else needed and re.match(r"[^-]|-\d", after):
            argument = waiting.popleft()
            said = shown(f"{name} {argument}")
        if needed if argument is None else not (switch.form and switch.takes(argument)):
            form = switch.form or ", without argument"
            raise StrategyError(f"{said}: write {switch}{form}: {switch.summary}")
        known = given.setdefault(switch.means, [])
        known.append(argument or "" if switch.means else str(switch))
        if len({*known}) > 1 and switch.means not in REPEATED:
            raise StrategyError(f"{said}: give {switch} once")
    if {"unique", "goal"} <= given.keys():
        raise StrategyError(
            "-u compares solutions, no states: leave out -u or -g, or say -r instead"
        )
    return PolycubeSwitches(given, [*files, *words[end + 1 :]])
