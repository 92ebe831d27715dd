"""How a search is to be done, as one object with one text form.

    redundancy=L; volume; fit@20; dlx:s

The parts are separated by semicolons and taken in order. A part is a filter, a trigger, or a stage:

| part | meaning |
|---|---|
| `redundancy` | constrain the piece that leaves fewest symmetric copies, then fewest images |
| `redundancy=L` | constrain piece L |
| `redundancy=estimate` | constrain the piece that leaves the smallest tree, by random dives |
| `redundancy=none` | constrain nothing: symmetric copies are removed one by one |
| `reduce` | forced options, dominated options and equal items, until nothing changes |
| `volume`, `parity`, `fit` | filter the options once, before the search |
| `fit=1` | one pass only instead of repeating it until nothing changes |
| `parity=3` | every colouring modulo 3 instead of the lattice's natural one |
| `volume@13` | filter at every step, while at least 13 pieces remain |
| `parity-trigger` | go back as soon as the pieces left cannot make up a colour |
| `parity-trigger=3@5` | every colouring modulo 3, while at least 5 pieces remain |
| `volume-trigger` | go back as soon as the pieces left cannot fill a part of the open cells |
| `volume-trigger@5` | while at least 5 pieces remain |
| `dlx:s` | search with this backend and this heuristic |

A trigger may stand anywhere before the stage: it is told of what all filters have left. The volume
trigger, like the volume filter, does nothing where a piece does not hang together. `Strategy.parse`
and `str` are exact inverses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from exactcover.errors import StrategyError

FILTERS = ("redundancy", "reduce", "volume", "parity", "fit")
"""The filters, in the order in which they are best applied."""

STEPWISE = ("volume", "parity", "fit")
"""The filters that may be applied at every step."""

TRIGGERS = ("parity-trigger", "volume-trigger")
"""The backtrack triggers: cheap tests at every node, made by the backend."""

PART = re.compile(r"(?P<name>[a-z][\w-]*)(?:=(?P<argument>[^\s@;]+))?(?:@(?P<down_to>\d+))?")
STAGE = re.compile(r"(?P<backend>[a-z][\w-]*)(?::(?P<heuristic>[^\s;]+))?")


@dataclass(frozen=True)
class Filter:
    """One filter or trigger: its name, what it is told, and down to how many pieces it is applied.

    With no number a filter is applied once, before the search, and a trigger at every node.
    """

    name: str
    argument: str | None = None
    down_to: int | None = None

    def __str__(self) -> str:
        told = "" if self.argument is None else f"={self.argument}"
        return f"{self.name}{told}" + ("" if self.down_to is None else f"@{self.down_to}")


@dataclass(frozen=True)
class Strategy:
    """Filters and triggers in order, then the backend that searches and its heuristic."""

    backend: str = "dlx"
    heuristic: str = "s"
    filters: tuple[Filter, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Strategy:
        """The strategy that a text names; a text without a stage is searched by `dlx:s`."""
        filters: list[Filter] = []
        stage: tuple[str, str] | None = None
        for part in (piece.strip() for piece in text.split(";")):
            if not part:
                raise StrategyError(f"{text!r}: there is nothing between two semicolons")
            if stage is not None:
                raise StrategyError(f"{text!r}: {part!r} comes after the stage {':'.join(stage)}")
            if re.split(r"[=@:\s]", part)[0] in FILTERS + TRIGGERS:
                filters.append(_filter(part))
            else:
                stage = _stage(part)
        return cls(*(stage or ("dlx", "s")), filters=tuple(filters))

    def __str__(self) -> str:
        return "; ".join([*map(str, self.filters), f"{self.backend}:{self.heuristic}"])

    @property
    def once(self) -> tuple[Filter, ...]:
        """The filters that are applied once, before the search."""
        return tuple(f for f in self.filters if f.down_to is None and f.name not in TRIGGERS)

    @property
    def stepwise(self) -> tuple[Filter, ...]:
        """The filters that are applied at every step."""
        return tuple(f for f in self.filters if f.down_to is not None and f.name not in TRIGGERS)

    @property
    def triggers(self) -> tuple[Filter, ...]:
        """The backtrack triggers."""
        return tuple(one for one in self.filters if one.name in TRIGGERS)

    def named(self, name: str) -> tuple[Filter, ...]:
        """The filters of this name."""
        return tuple(one for one in self.filters if one.name == name)


def _filter(part: str) -> Filter:
    match = PART.fullmatch(part)
    if match is None:
        raise StrategyError(
            f"{part!r} is no filter: it is written name, name=argument or name@pieces"
        )
    name, argument = match["name"], match["argument"]
    down_to = None if match["down_to"] is None else int(match["down_to"])
    if down_to is not None and name not in STEPWISE + TRIGGERS:
        able = ", ".join(STEPWISE + TRIGGERS)
        raise StrategyError(f"{part!r}: {name} is applied once; {able} take @pieces")
    if argument is not None:
        if name in ("volume", "reduce", "volume-trigger"):
            raise StrategyError(f"{part!r}: {name} takes no argument")
        if name == "fit" and argument != "1":
            raise StrategyError(f"{part!r}: fit is repeated until nothing changes, or fit=1")
        parity = name in ("parity", "parity-trigger")
        if parity and not (argument.isdecimal() and 2 <= int(argument) <= 8):
            raise StrategyError(f"{part!r}: {name} takes a number of colours from 2 to 8")
    return Filter(name, argument, down_to)


def _stage(part: str) -> tuple[str, str]:
    from exactcover.backends import backends, get_backend

    match = STAGE.fullmatch(part)
    if match is None:
        raise StrategyError(
            f"{part!r} is no part of a strategy: a filter ({', '.join(FILTERS)}), a trigger "
            f"({', '.join(TRIGGERS)}) or a stage (backend:heuristic) is; the backends are "
            f"{', '.join(backends())}"
        )
    name, heuristic = match["backend"], match["heuristic"]
    known = get_backend(name).capabilities.heuristics
    if heuristic is None:
        return name, known[0]
    if heuristic not in known:
        raise StrategyError(f"{name} has no heuristic {heuristic!r}: it has {', '.join(known)}")
    return name, heuristic
