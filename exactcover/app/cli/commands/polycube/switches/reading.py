"""From the words of a command line to their meaning, as polycube reads them.

A switch's argument stands right after its letter, after an `=`, or in the next word. If the
argument is optional, the next word is taken if it is a suitable number, or if a `--` comes later:
before a `--` no word is a file, and without a `--` a word that stands alone is a file. So `-r L -i
-- soma` and `-rL -i soma` are the same. Letters without arguments may be put together: `-iqr`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple

from exactcover.app.cli.commands.polycube.switches.table import (
    BY_LETTER,
    BY_NAME,
    DIALECTS,
    NEW,
    OLD,
    Switch,
    Takes,
)
from exactcover.backends.heuristics.orders import is_fixed_order
from exactcover.base.text.numerals import MAX_DIGITS, SEED_DIGITS, signed_number, whole_number
from exactcover.errors import StrategyError

FORMAT = re.compile(r"(?P<amount>[BFS])?(?P<way>[LC])?|(?P<way_first>[LC])(?P<amount_last>[BFS])")

LIMIT = f" (of at most {MAX_DIGITS} digits)"

MAX_WORD = 10_000
MAX_CHANGES = 1_000

REPEATED = "PVFo"
"""The letters of switches that may be given more than once, and add up."""

NEW_HEURISTICS = ("s", "e")
"""1.2.1 has no heuristic of this name; its `f` is the `s` of 2.0."""


class Given(NamedTuple):
    """A switch as it was given."""

    switch: Switch
    argument: str | None
    written: str


class Change(NamedTuple):
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
    older       from how many pieces on 1.2.1's engines are used, by their letters
    amount, way   the format: `B`, `F` or `S`, and `L` or `C`
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
    order: tuple[Change, ...] = ()
    fila: int | None = None
    nof: bool = False
    older: tuple[tuple[str, int], ...] = ()
    goal: int | None = None
    sampling: Sampling | None = None
    trace: int | None = None
    amount: str = "F"
    way: str = "L"
    conf: str | None = None
    help: bool = False
    version: bool = False
    files: tuple[str, ...] = ()
    words: tuple[str, ...] = field(default=(), compare=False)


def read_switches(words: Sequence[str], configuration: Iterable[str] = ()) -> PolycubeSwitches:
    """The meaning of these words; raises `StrategyError`.

    configuration  words from a file; ignored if the command line has the same switch
    """
    if any(len(word) > MAX_WORD for word in words):
        raise StrategyError(f"a word of a command line may have {MAX_WORD:,} characters")
    given, files = _taken_apart(words)
    said = {one.switch.name for one in given}
    more, stray = _taken_apart([*configuration])
    if stray or any(one.switch.name in ("conf", "help", "version") for one in more):
        raise StrategyError("a configuration file holds switches, no files, and names no other")
    given += [one for one in more if one.switch.name not in said]
    return _meaning(given, files, tuple(words))


def configured(text: str, name: str) -> list[str]:
    """The words that a configuration file stands for: lines `name=value`, or a name alone."""
    words = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        if len(line) > MAX_WORD:
            raise StrategyError(f"{name}:{number}: a line may have {MAX_WORD:,} characters")
        key, equals, value = (part.strip() for part in line.partition("="))
        key = key.lstrip("-")
        if key not in BY_NAME and key not in BY_LETTER:
            raise StrategyError(f"{name}:{number}: {_unknown(key)}")
        words.append(f"-{'-' if key in BY_NAME else ''}{key}{equals}{value}")
    return words


# -- words ----------------------------------------------------------------------------------------


def _taken_apart(words: Sequence[str]) -> tuple[list[Given], list[str]]:
    """The switches with their arguments, and the words that are files."""
    given: list[Given] = []
    files: list[str] = []
    end = words.index("--") if "--" in words else None
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            files += words[at:]
            break
        if not word.startswith("-") or word == "-":
            files.append(word)
            continue
        parts = [*(_long(word) if word.startswith("--") else _short(word))]
        last = parts[-1]
        if last.argument is None and last.switch.takes is not Takes.NOTHING:
            following = words[at] if at < len(words) else None
            before_files = end is not None and at < end
            if following is not None and _is_argument(following, last.switch, before_files):
                parts[-1] = Given(last.switch, following, f"{last.written} {following}")
                at += 1
            elif not last.switch.takes.optional:
                raise StrategyError(f"{last.written} takes an argument: {_form(last.switch)}")
        given += parts
    return given, files


def _is_argument(word: str, switch: Switch, before_files: bool) -> bool:
    """Whether the word after a switch is its argument."""
    if word.startswith("-") and not re.match(r"-\d", word):
        return False
    number = switch.takes is Takes.MAYBE_NUMBER and word.isdecimal() and word.isascii()
    return before_files or number or not switch.takes.optional


def _long(word: str) -> Iterator[Given]:
    """A switch by its long name, or by a unique beginning of it."""
    name, equals, argument = word[2:].partition("=")
    known = [full for full in BY_NAME if full == name] or [
        full for full in BY_NAME if name and full.startswith(name)
    ]
    if len(known) != 1:
        several = f"{word} may be --{' or --'.join(known)}"
        raise StrategyError(several if known else _unknown(name))
    switch = BY_NAME[known[0]]
    if equals and switch.takes is Takes.NOTHING:
        raise StrategyError(f"{word}: --{switch.name} takes no argument")
    yield Given(switch, argument if equals else None, word)


def _short(word: str) -> Iterator[Given]:
    """One or more letters, the last of them with its argument, if it has one."""
    rest = word[1:]
    while rest:
        switch, rest = BY_LETTER.get(rest[0]), rest[1:]
        if switch is None:
            letter = word[len(word) - len(rest) - 1]
            raise StrategyError(_unknown(letter) + (f", in {word}" if len(word) > 2 else ""))
        if switch.takes is Takes.NOTHING:
            if rest.startswith("="):
                raise StrategyError(f"{word}: {switch} takes no argument")
            yield Given(switch, None, f"{switch}")
            continue
        own = r"=|\d|[BFSLC]+$" if switch.letter == "f" else r"=|\d"
        if rest and switch.takes is Takes.MAYBE_NUMBER and not re.match(own, rest):
            yield Given(switch, None, f"{switch}")
            continue
        yield Given(switch, rest.removeprefix("=") if rest else None, f"{switch}{rest}")
        return


def _unknown(name: str) -> str:
    if len(name) == 1:
        letters = " ".join(f"-{letter}" for letter in BY_LETTER)
        return f"there is no switch -{name}: there are {letters}"
    near = get_close_matches(name, BY_NAME, n=2)
    hint = f"did you mean --{' or --'.join(near)}?" if near else "--help lists them"
    return f"there is no switch --{name}: {hint}"


def _form(switch: Switch) -> str:
    return f"{switch}{switch.shown or switch.takes.value}"


# -- meaning --------------------------------------------------------------------------------------


def _meaning(
    given: Sequence[Given], files: Sequence[str], words: tuple[str, ...]
) -> PolycubeSwitches:
    """The record of the given switches."""
    given = [_format_of_old(one) for one in given]
    by_name: dict[str, list[Given]] = {}
    for one in given:
        by_name.setdefault(one.switch.name, []).append(one)
    for same in by_name.values():
        if len({one.argument for one in same}) > 1 and same[0].switch.letter not in REPEATED:
            once = same[0].written[:60]
            other = next(two.written for two in same if two.argument != same[0].argument)[:60]
            raise StrategyError(f"{once} and {other}: give {same[0].switch} once")
    last = {name: same[-1] for name, same in by_name.items()}
    order = tuple(change for one in by_name.get("order", []) for change in _changes(one))
    if len(order) > MAX_CHANGES:
        raise StrategyError(f"-o may name {MAX_CHANGES} heuristics, not {len(order):,}")
    way = _format(last.get("format"))
    numbers = {
        name: tuple(_number(one, None) for one in by_name.get(name, []))
        for name in ("parityFilter", "volumeFilter", "fitFilter")
    }
    redundancy = (last["redundancyFilter"].argument or "") if "redundancyFilter" in last else None
    first = "redundancyFilterFirst" in last
    return PolycubeSwitches(
        dialect=_dialect(given, last.get("dialect")),
        info="info" in last,
        quiet="quiet" in last,
        unique="unique" in last,
        redundancy="" if first and redundancy is None else redundancy,
        first=first,
        parity=numbers["parityFilter"],
        volume=numbers["volumeFilter"],
        fit=numbers["fitFilter"],
        parity_trigger=_maybe(last.get("parityBacktrack"), 0),
        volume_trigger=_maybe(last.get("volumeBacktrack"), 0),
        order=order,
        fila=_maybe(last.get("fila"), -1),
        nof="nof" in last,
        older=tuple(
            (one.switch.letter, _number(one, 0) or 0)
            for one in (last.get(name) for name in ("mch", "emch", "bruijn"))
            if one is not None
        ),
        goal=_maybe(last.get("goal"), None),
        sampling=_sampling(last.get("sample")),
        trace=None if "trace" not in last else _signed(last["trace"]),
        amount=way[0],
        way=way[1],
        conf=last["conf"].argument if "conf" in last else None,
        help="help" in last,
        version="version" in last,
        files=tuple(files),
        words=words,
    )


def _format_of_old(one: Given) -> Given:
    """`-f` with letters is the format, in 1.2.1."""
    letters = one.argument is not None and re.fullmatch("[A-Za-z]+", one.argument) is not None
    if one.switch.letter == "f" and letters:
        return Given(BY_NAME["format"], one.argument, one.written)
    return one


def _dialect(given: Sequence[Given], asked: Given | None) -> str:
    """The version of these switches: as named, or shown by a switch that only one version has."""
    signs: dict[str, list[str]] = {OLD: [], NEW: []}
    for one in given:
        if one.switch.dialect:
            signs[one.switch.dialect].append(one.written)
        elif one.switch.name == "format" and one.written.startswith("-f"):
            signs[OLD].append(one.written)
        elif one.switch.name == "order" and any(
            change.heuristic in NEW_HEURISTICS for change in _changes(one)
        ):
            signs[NEW].append(one.written)
    if asked is not None and asked.argument not in DIALECTS:
        raise StrategyError(f"{asked.written}: the dialects are {' and '.join(DIALECTS)}")
    wanted = asked.argument if asked is not None else None
    if signs[OLD] and signs[NEW]:
        raise StrategyError(
            f"{signs[OLD][0]} is a switch of polycube 1.2.1, {signs[NEW][0]} of 2.0: "
            "one command line takes one of the dialects"
        )
    for dialect, other in ((OLD, NEW), (NEW, OLD)):
        if wanted == dialect and signs[other]:
            raise StrategyError(
                f"{signs[other][0]} is a switch of polycube {other}, not of {dialect} "
                f"as --dialect says"
            )
    return wanted or (OLD if signs[OLD] else NEW)


def _changes(one: Given) -> list[Change]:
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
        changes.append(Change(name, remaining))
    return changes


def _format(one: Given | None) -> tuple[str, str]:
    """The format: how much is printed, and in which way."""
    if one is None:
        return "F", "L"
    match = FORMAT.fullmatch(one.argument or "")
    if match is None or not one.argument:
        raise StrategyError(
            f"{one.written}: a format is B (brief), F (full) or S (sub-puzzle), with L (drawn) or "
            "C (coordinates), as in SC"
        )
    amount = match["amount"] or match["amount_last"] or "F"
    return amount, match["way"] or match["way_first"] or "L"


def _number(one: Given, without: int | None) -> int | None:
    """The number of a switch, or its meaning without one."""
    if one.argument is None:
        return without
    number = whole_number(one.argument)
    if number is None:
        raise StrategyError(
            f"{one.written}: {one.switch} takes a number of remaining pieces{LIMIT}"
        )
    return number


def _maybe(one: Given | None, without: int | None) -> int | None:
    return None if one is None else _number(one, without)


def _signed(one: Given) -> int:
    number = signed_number(one.argument or "")
    if number is None:
        raise StrategyError(f"{one.written}: {_form(one.switch)} takes a whole number{LIMIT}")
    return number


def _sampling(one: Given | None) -> Sampling | None:
    if one is None:
        return None
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
