"""The words of a command line, read by the table of switches.

A switch's argument stands right after its letter, after an `=`, or in the next word. If the
argument is optional, the next word is taken if it is a suitable number, or if a `--` comes later:
before a `--` no word is a file, and without a `--` a word that stands alone is a file. So `-r L -i
-- soma` and `-rL -i soma` are the same. Letters without arguments may be put together: `-iqr`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from exactcover.cli.commands.polycube.switches import (
    BY_LETTER,
    BY_NAME,
    NEW,
    NEW_HEURISTICS,
    OLD,
    SWITCHES,
    GivenSwitch,
    PolycubeSwitches,
    Switch,
    Takes,
    heuristic_changes,
)
from exactcover.errors import StrategyError

MAX_WORD = 10_000
MAX_CHANGES = 1_000


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
    return replace(_meaning(given), files=tuple(files), words=tuple(words))


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


def _taken_apart(words: Sequence[str]) -> tuple[list[GivenSwitch], list[str]]:
    """The switches with their arguments, and the words that are files."""
    given: list[GivenSwitch] = []
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
                parts[-1] = GivenSwitch(last.switch, following, f"{last.written} {following}")
                at += 1
            elif not last.switch.takes.optional:
                raise StrategyError(f"{last.written} takes an argument: {last.switch.form}")
        given += parts
    return given, files


def _is_argument(word: str, switch: Switch, before_files: bool) -> bool:
    """Whether the word after a switch is its argument."""
    if word.startswith("-") and not re.match(r"-\d", word):
        return False
    number = switch.takes is Takes.MAYBE_NUMBER and word.isdecimal() and word.isascii()
    return before_files or number or not switch.takes.optional


def _long(word: str) -> Iterator[GivenSwitch]:
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
    yield GivenSwitch(switch, argument if equals else None, word)


def _short(word: str) -> Iterator[GivenSwitch]:
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
            yield GivenSwitch(switch, None, f"{switch}")
            continue
        own = r"=|\d|[BFSLC]+$" if switch.letter == "f" else r"=|\d"
        if rest and switch.takes is Takes.MAYBE_NUMBER and not re.match(own, rest):
            yield GivenSwitch(switch, None, f"{switch}")
            continue
        yield GivenSwitch(switch, rest.removeprefix("=") if rest else None, f"{switch}{rest}")
        return


def _unknown(name: str) -> str:
    if len(name) == 1:
        letters = " ".join(f"-{letter}" for letter in BY_LETTER)
        return f"there is no switch -{name}: there are {letters}"
    near = get_close_matches(name, BY_NAME, n=2)
    hint = f"did you mean --{' or --'.join(near)}?" if near else "--help lists them"
    return f"there is no switch --{name}: {hint}"


# -- from switches to their meaning ---------------------------------------------------------------


def _meaning(given: Sequence[GivenSwitch]) -> PolycubeSwitches:
    """The record of the given switches."""
    given = [_format_of_old(one) for one in given]
    values: dict[str, Any] = {}
    for switch in SWITCHES:
        same = [one for one in given if one.switch is switch]
        if not same:
            continue
        if switch.adds:
            values[switch.meaning] = tuple(value for one in same for value in switch.read(one))
            continue
        for other in same:
            if other.argument != same[0].argument:
                written = f"{same[0].written[:60]} and {other.written[:60]}"
                raise StrategyError(f"{written}: give {switch} once")
        values[switch.meaning] = switch.read(same[-1])
    if len(order := values.get("order", ())) > MAX_CHANGES:
        raise StrategyError(f"-o may name {MAX_CHANGES} heuristics, not {len(order):,}")
    if "first" in values:
        values.setdefault("redundancy", "")
    values["dialect"] = _dialect_of(given, values.get("dialect"))
    return PolycubeSwitches(**values)


def _format_of_old(one: GivenSwitch) -> GivenSwitch:
    """`-f` with letters is the format, in 1.2.1."""
    letters = one.argument is not None and re.fullmatch("[A-Za-z]+", one.argument) is not None
    if one.switch.letter == "f" and letters:
        return GivenSwitch(BY_NAME["format"], one.argument, one.written)
    return one


def _dialect_of(given: Sequence[GivenSwitch], wanted: str | None) -> str:
    """The version of these switches: as named, or shown by a switch that only one version has."""
    signs: dict[str, list[str]] = {OLD: [], NEW: []}
    for one in given:
        if one.switch.dialect:
            signs[one.switch.dialect].append(one.written)
        elif one.switch.name == "format" and one.written.startswith("-f"):
            signs[OLD].append(one.written)
        elif one.switch.name == "order" and any(
            change.heuristic in NEW_HEURISTICS for change in heuristic_changes(one)
        ):
            signs[NEW].append(one.written)
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
