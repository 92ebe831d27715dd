"""The switches of polycube 2.0 and 1.2.1, and the strategy that they stand for.

The two versions differ only in the engines: 1.2.1 has three beside DLX, `-m`, `-e` and `-b`. They
are one engine in 2.0, which uses the letter `f` for it; `f` was the format in 1.2.1.

A switch's argument stands right after its letter, after an `=`, or in the next word. If the
argument is optional, the next word is taken if it is a suitable number, or if a `--` comes later:
before a `--` no word is a file, and without a `--` a word that stands alone is a file. So `-r L -i
-- soma` and `-rL -i soma` are the same. Letters without arguments may be put together: `-iqr`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from exactcover.backends.heuristics.orders import is_fixed_order
from exactcover.base.text.numerals import MAX_DIGITS, SEED_DIGITS, signed_number, whole_number
from exactcover.base.values import Convention
from exactcover.errors import StrategyError
from exactcover.problem.filters.built_in import WORDS
from exactcover.search.strategy import Filter, Stage, Strategy

OLD, NEW = "1.2", "2.0"
VERSIONS = {NEW: "2.0", OLD: "1.2.1"}
"""The dialects, and the versions of polycube that have them."""

START = 1 << 30
"""More pieces than there are."""

SHOWN = 60
"""The most characters of a word that a message repeats."""


@dataclass(frozen=True)
class PolycubeSwitches:
    """The meaning of a command line.

    redundancy  None: no filter; empty: the piece is chosen; else the piece
    parity, volume, fit   how far down each filter is applied; None: once, before the search
    parity_trigger, volume_trigger   down to how many pieces, 0: always; None: not at all
    order       heuristics, each with the number of pieces from which on it is used
    fila        from how many pieces on; None: not at all; -1: no number was given
    mch, emch, bruijn   from how many pieces on these engines of 1.2.1 are used; 0: not at all
    sampling    trials, pieces left, and the seed if it is given
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
    order: tuple[tuple[str, int], ...] = ()
    fila: int | None = None
    nof: bool = False
    mch: int = 0
    emch: int = 0
    bruijn: int = 0
    goal: int | None = None
    sampling: tuple[int, ...] | None = None
    trace: int | None = None
    format: tuple[str, str] = ("F", "L")
    help: bool = False
    version: bool = False
    files: tuple[str, ...] = ()

    @property
    def splits(self) -> bool:
        """Whether states are written as separate puzzles, whose solutions must add up."""
        return self.goal is not None and self.format[0] == "S"


# -- the table ------------------------------------------------------------------------------------


def _numbers(text: str) -> tuple[int] | None:
    number = whole_number(text)
    return None if number is None else (number,)


def _order(text: str) -> tuple[tuple[str, int], ...] | None:
    changes = []
    for part in text.split(":"):
        name, equals, number = part.partition("=")
        remaining = whole_number(number) if equals else START
        if remaining is None or not (name in ("s", "e") or is_fixed_order(name)):
            return None
        changes.append((name, remaining))
    return tuple(changes)


def _sampling(text: str) -> tuple[int, ...] | None:
    parts = [part.strip(" ") for part in text.split(",")]
    digits = (MAX_DIGITS, MAX_DIGITS, SEED_DIGITS)
    numbers = tuple(map(whole_number, parts, digits)) if 2 <= len(parts) <= 3 else (0,)
    return None if None in numbers or 0 in numbers[:2] else numbers  # type: ignore[return-value]


def _format(text: str) -> tuple[str, str] | None:
    match = re.fullmatch("([BFS])([LC])?|([LC])([BFS])?", text)
    return match and (match[1] or match[4] or "F", match[2] or match[3] or "L")


class Switch(NamedTuple):
    """One switch.

    letter   empty if it has only the long name
    form     its argument; in brackets if it may be left out
    field    of `PolycubeSwitches`; values of a field that is empty by default add up
    read     the value of an argument; None: it is wrong
    bare     the value without an argument; None: the argument is needed
    dialect  the one version that has it; empty: both
    """

    letter: str
    name: str
    form: str
    field: str
    summary: str
    read: Callable[[str], Any] = whole_number
    bare: Any = None
    dialect: str = ""

    def __str__(self) -> str:
        return f"-{self.letter}" if self.letter else f"--{self.name}"


def _flag(letter: str, name: str, meaning: str, summary: str, dialect: str = "") -> Switch:
    return Switch(letter, name, "", meaning, summary, lambda _: None, True, dialect)


SWITCHES = (
    _flag("i", "info", "info", "Print configuration, puzzle properties and statistics."),
    _flag("q", "quiet", "quiet", "Do not print solutions."),
    _flag("u", "unique", "unique", "Drop solutions that are rotations of others."),
    Switch("r", "redundancyFilter", "[=PIECE]", "redundancy",
           "Constrain a piece so that rotated copies of solutions do not arise.", str, ""),
    _flag("R", "redundancyFilterFirst", "first", "Place the constrained piece first."),
    Switch("P", "parityFilter", "[=N]", "parity",
           "Filter placements by parity: once, or while N pieces remain.", _numbers, (None,)),
    Switch("p", "parityBacktrack", "[=N]", "parity_trigger",
           "Go back where the pieces left cannot make up the parity.", bare=0),
    Switch("V", "volumeFilter", "[=N]", "volume",
           "Filter placements that make a hole nothing can fill: once, or while N remain.",
           _numbers, (None,)),
    Switch("v", "volumeBacktrack", "[=N]", "volume_trigger",
           "Go back where a hole cannot be filled, while N pieces remain.", bare=0),
    Switch("F", "fitFilter", "[=N]", "fit",
           "Filter placements that leave a hole or a piece without any: once, or while N remain.",
           _numbers, (None,)),
    Switch("o", "order", "=H[=R]:...", "order",
           "How to choose what is filled next, from R pieces on, as in x:s=20; H is f, s, e, "
           "x y z X Y Z xyz, l@a,b,c, a@angle, A@angle or R.", _order),
    Switch("f", "fila", "[=N]", "fila", "FILA instead of DLX from N remaining pieces on.",
           bare=-1, dialect=NEW),
    _flag("n", "nof", "nof", "Neighbour occupancy filtering in FILA.", NEW),
    Switch("m", "mch", "=N", "mch", "The most constrained hole from N remaining pieces on.",
           dialect=OLD),
    Switch("e", "emch", "=N", "emch", "The estimated one from N remaining pieces on.",
           dialect=OLD),
    Switch("b", "bruijn", "=N", "bruijn", "De Bruijn's order from N remaining pieces on.",
           dialect=OLD),
    Switch("g", "goal", "=N", "goal", "A state with N pieces left counts as a solution."),
    Switch("s", "sample", "=T,R[,S]", "sampling",
           "Compare parts of the search drawn at random, by the seed S, as in 1000,16,1, with at "
           "least one trial and piece.", _sampling),
    Switch("t", "trace", "=[-]K", "trace",
           "Print the board after each step with about K pieces or more left.", signed_number),
    Switch("", "format", "=B|F|S[L|C]", "format",
           "Brief, Full or Sub-puzzle; drawn as a Layout or by Coordinates. -f in 1.2.1.",
           _format),
    Switch("", "dialect", "=2.0|1.2", "dialect",
           "Whose switches these are: 2.0, meant in doubt, or 1.2.",
           lambda text: text if text in VERSIONS else None),
    _flag("", "help", "help", "Print this and stop."),
    _flag("", "version", "version", "Print the version and stop."),
)  # fmt: skip
"""In the order of the help. Long names follow the pattern of those in the articles."""

BY_NAME = {f"--{one.name}": one for one in SWITCHES}
BY_NAME |= {f"-{one.letter}": one for one in SWITCHES if one.letter}

OLD_FORMAT = BY_NAME["--format"]._replace(letter="f", dialect=OLD)


# -- the reader -----------------------------------------------------------------------------------


def read_switches(words: Sequence[str]) -> PolycubeSwitches:
    """The meaning of these words; raises `StrategyError`."""
    given, files = _taken_apart(words)
    values: dict[str, Any] = {}
    signs: dict[str, str] = {}
    for switch, argument, written in given:
        if switch.field == "fila" and argument and re.fullmatch("[A-Za-z]+", argument):
            switch = OLD_FORMAT
        name, shown = switch.field, written[:SHOWN]
        value = switch.bare if argument is None else switch.read(argument)
        if value is None:
            form = switch.form or ", without argument"
            raise StrategyError(f"{shown}: write {switch}{form}: {switch.summary}")
        if getattr(PolycubeSwitches, name) == ():
            values[name] = (*values.get(name, ()), *value)
        elif values.setdefault(name, value) != value:
            raise StrategyError(f"{shown}: give {switch} once")
        dialect = value if name == "dialect" else switch.dialect
        if name == "order" and any(heuristic in ("s", "e") for heuristic, _ in value):
            dialect = NEW  # 1.2.1 has no heuristic of this name; its `f` is the `s` of 2.0
        if dialect:
            signs.setdefault(dialect, shown)
    if len(signs) > 1:
        raise StrategyError(
            f"{signs[OLD]} means polycube 1.2.1, {signs[NEW]} polycube 2.0: one command line takes "
            "one of the dialects"
        )
    if values.get("first"):
        values.setdefault("redundancy", "")
    return PolycubeSwitches(**values | {"dialect": next(iter(signs), NEW), "files": tuple(files)})


def _taken_apart(words: Sequence[str]) -> tuple[list[tuple[Switch, str | None, str]], list[str]]:
    """The switches, each with its argument if it has one and how both were written; and the words
    that are files."""
    end = words.index("--") if "--" in words else len(words)
    waiting = deque(words[:end])
    given: list[tuple[Switch, str | None, str]] = []
    files = []
    while waiting:
        word = waiting.popleft()
        if not word.startswith("-") or word == "-":
            files.append(word)
            continue
        name = word.partition("=")[0] if word[1] == "-" else word[:2]
        rest = word.removeprefix(name)
        switch = BY_NAME.get(name)
        if switch is None:
            raise StrategyError(f"there is no switch {name[:SHOWN]}: --help lists them")
        if len(name) == 2 and not re.match(_attached(switch), rest):
            if rest:  # more letters
                waiting.appendleft(f"-{rest}")
            rest, word = "", name
        argument = rest.removeprefix("=") if rest else None
        if argument is None and switch.form and waiting:
            after = waiting[0]
            number = switch.form == "[=N]" and after.isdecimal() and after.isascii()
            wanted = end < len(words) or number or not switch.form.startswith("[")
            if wanted and not re.match(r"-(?!\d)", after):
                argument = waiting.popleft()
                word = f"{name} {argument}"
        given.append((switch, argument, word))
    return given, [*files, *words[end + 1 :]]


def _attached(switch: Switch) -> str:
    """A pattern of arguments that stand right after the letter of a switch."""
    begins = {"": "=", "[=N]": r"=|\d"}.get(switch.form, ".")
    return f"{begins}|[BFSLC]+$" if switch.letter == "f" else begins


# -- the strategy ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Translation:
    """The meaning of switches here.

    counted  `all` or `rotations`: whether symmetric copies of a solution are wanted
    notes    differences from polycube's behaviour
    """

    strategy: Strategy
    counted: Convention
    notes: tuple[str, ...] = ()


def translate(switches: PolycubeSwitches) -> Translation:
    """The strategy that these switches stand for; raises `StrategyError`."""
    notes: list[str] = []
    if switches.sampling is not None:
        notes.append("T and R of -s have no effect: compare chooses how many parts, and where")
    heuristics: dict[int, str] = {}
    for name, number in switches.order:
        if number in heuristics:
            where = "the start" if number == START else f"{number} pieces"
            raise StrategyError(f"-o names two heuristics from {where} on")
        heuristics[number] = "s" if (switches.dialect, name) == (OLD, "f") else name
    heuristics = {START: "s"} | heuristics
    engines = _engines(switches, heuristics, notes)
    filters = [*_filters(switches), *_triggers(switches, max(engines, default=-1) + 1, notes)]
    each = switches.redundancy is None and not switches.unique
    # Through the text, so that the printed strategy is the one that runs.
    strategy = Strategy.parse("; ".join(map(str, (*filters, *_stages(heuristics, engines)))))
    return Translation(strategy, "all" if each else "rotations", tuple(notes))


def _engines(
    switches: PolycubeSwitches, heuristics: dict[int, str], notes: list[str]
) -> dict[int, tuple[str, str]]:
    """The numbers of pieces from which on fila is used, its heuristic (empty: as in -o) and `nof`.

    If two engines of 1.2.1 begin together, the simpler one is used.
    """
    number = switches.fila
    if number is None:
        if switches.nof:
            notes.append("-n does nothing without -f")
        older = {switches.mch: "s"} | {switches.emch: "e"} | {switches.bruijn: "f"}
        return {number: (heuristic, "0") for number, heuristic in older.items() if number}
    if number < 0:
        number = max((number for number in heuristics if number < START), default=-1)
        if number < 0:
            raise StrategyError("-f: say from how many remaining pieces on, as in -f11")
        notes.append(f"-f without a number: {number}, where -o first changes")
    return {number: ("", "adjacent" if switches.nof else "0")} if number else {}


def _stages(heuristics: dict[int, str], engines: dict[int, tuple[str, str]]) -> Iterator[Stage]:
    """One stage from each number on at which a heuristic or an engine changes."""
    heuristic, engine, before = "", None, ("", "")
    for number in sorted({*heuristics, *engines}, reverse=True):
        heuristic, engine = heuristics.get(number, heuristic), engines.get(number, engine)
        remaining = None if number == START else number
        if engine is None:
            stage = Stage("dlx", heuristic, remaining)
        else:
            stage = Stage("fila", engine[0] or heuristic, remaining, (("nof", engine[1]),))
        if (stage.backend, stage.heuristic) != before:
            yield stage
        before = stage.backend, stage.heuristic


def _filters(switches: PolycubeSwitches) -> Iterator[Filter]:
    """The filters; those applied once come before those of every step."""
    if switches.redundancy is not None:
        piece = switches.redundancy or None
        if piece is not None and (re.search(r"[\s@;]", piece) or piece in WORDS):
            raise StrategyError(f"-r: a strategy cannot name a piece {piece!r}; give it another")
        yield Filter("redundancy", piece, first=switches.first or switches.splits)
    named = {"volume": switches.volume, "parity": switches.parity, "fit": switches.fit}
    for once in (True, False):
        for name, numbers in named.items():
            for number in dict.fromkeys(numbers):
                if (number is None) == once:
                    yield Filter(name, None, number)


def _triggers(switches: PolycubeSwitches, least: int, notes: list[str]) -> Iterator[Filter]:
    """The triggers, above the numbers where fila takes over, since it has none."""
    numbers = {"parity": switches.parity_trigger, "volume": switches.volume_trigger}
    for name, number in numbers.items():
        if number is None:
            continue
        if number < least:
            notes.append(f"-{name[0]} ends where fila begins, which goes back by fits alone")
        yield Filter(f"{name}-trigger", None, max(number, least) or None)
