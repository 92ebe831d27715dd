"""polycube's switches translated into a strategy.

polycube begins with DLX and changes to FILA, or to one of 1.2.1's engines, at a number of remaining
pieces. Its heuristics change at other numbers. A strategy states both at once, so a stage begins at
each number at which anything changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exactcover.base.values import Convention
from exactcover.cli.commands.polycube.switches import OLD, HeuristicChange, PolycubeSwitches
from exactcover.errors import StrategyError
from exactcover.search.strategy import Filter, Stage, Strategy

START = 1 << 30
"""More pieces than there are."""


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
    heuristics = _heuristics(switches)
    engines = _engines(switches, heuristics, notes)
    stages = _stages(heuristics, engines)
    filters = [*_filters(switches), *_triggers(switches, engines, notes)]
    each = switches.redundancy is None and not switches.unique
    counted: Convention = "all" if each else "rotations"
    # Through the text, so that the printed strategy is the one that runs.
    strategy = Strategy.parse("; ".join(map(str, (*filters, *stages))))
    return Translation(strategy, counted, tuple(notes))


def _heuristics(switches: PolycubeSwitches) -> list[HeuristicChange]:
    """The heuristics from the start on, by falling numbers."""
    changes = list(switches.order)
    if switches.dialect == OLD:
        changes = [
            HeuristicChange("s", at) if name == "f" else HeuristicChange(name, at)
            for name, at in changes
        ]
    numbers = [change.remaining for change in changes]
    for number in numbers:
        if numbers.count(number) > 1:
            where = "the start" if number is None else f"{number} pieces"
            raise StrategyError(f"-o names two heuristics from {where} on")
    if None not in numbers:
        changes.insert(0, HeuristicChange("s", None))
    return sorted(changes, key=lambda change: -_number(change.remaining))


def _engines(
    switches: PolycubeSwitches, heuristics: Sequence[HeuristicChange], notes: list[str]
) -> list[tuple[int, str | None, str]]:
    """The number of pieces from which on fila is used, its heuristic (None: as in -o) and `nof`."""
    if switches.fila is None:
        if switches.nof:
            notes.append("-n does nothing without -f")
        older = {"s": switches.mch, "e": switches.emch, "f": switches.bruijn}
        found = [(number, heuristic, "0") for heuristic, number in older.items() if number]
        return _falling(found)
    number = switches.fila
    if number < 0:
        numbered = [change.remaining for change in heuristics if change.remaining is not None]
        if not numbered:
            raise StrategyError("-f: say from how many remaining pieces on, as in -f11")
        number = numbered[0]
        notes.append(f"-f without a number: {number}, where -o first changes")
    return [(number, None, "adjacent" if switches.nof else "0")] if number else []


def _falling(found: Sequence[tuple[int, str, str]]) -> list[tuple[int, str | None, str]]:
    """Engines by falling numbers; if two begin together, only the simpler one."""
    at: dict[int, tuple[int, str | None, str]] = {one[0]: one for one in found}
    return [at[number] for number in sorted(at, reverse=True)]


def _stages(
    heuristics: Sequence[HeuristicChange], engines: Sequence[tuple[int, str | None, str]]
) -> list[Stage]:
    """One stage from each number on at which a heuristic or an engine changes."""
    changes = {_number(change.remaining) for change in heuristics}
    changes |= {number for number, _, _ in engines}
    stages: list[Stage] = []
    for number in sorted(changes, reverse=True):
        heuristic = [c.heuristic for c in heuristics if _number(c.remaining) >= number][-1]
        begun = [engine for engine in engines if engine[0] >= number]
        remaining = None if number == START else number
        if begun:
            _, own, nof = begun[-1]
            stage = Stage("fila", own or heuristic, remaining, (("nof", nof),))
        else:
            stage = Stage("dlx", heuristic, remaining)
        if not stages or _way(stages[-1]) != _way(stage):
            stages.append(stage)
    return stages


def _way(stage: Stage) -> tuple[str, str]:
    return stage.backend, stage.heuristic


def _filters(switches: PolycubeSwitches) -> Iterator[Filter]:
    """The filters; those applied once come before those of every step."""
    if switches.redundancy is not None:
        piece = switches.redundancy or None
        if piece is not None and (re.search(r"[\s@;]", piece) or piece in ("none", "estimate")):
            raise StrategyError(f"-r: a strategy cannot name a piece {piece!r}; give it another")
        yield Filter("redundancy", piece, first=switches.first or switches.splits)
    named = {"volume": switches.volume, "parity": switches.parity, "fit": switches.fit}
    for once in (True, False):
        for name, numbers in named.items():
            for number in dict.fromkeys(numbers):
                if (number is None) == once:
                    yield Filter(name, None, number)


def _triggers(
    switches: PolycubeSwitches, engines: Sequence[tuple[int, str | None, str]], notes: list[str]
) -> Iterator[Filter]:
    """The triggers, above the numbers where fila takes over, since it has none."""
    least = engines[0][0] + 1 if engines else 0
    for letter, name, number in (
        ("p", "parity-trigger", switches.parity_trigger),
        ("v", "volume-trigger", switches.volume_trigger),
    ):
        if number is None:
            continue
        if number < least:
            notes.append(f"-{letter} ends where fila begins, which goes back by fits alone")
            number = least
        yield Filter(name, None, number or None)


def _number(remaining: int | None) -> int:
    return START if remaining is None else remaining
