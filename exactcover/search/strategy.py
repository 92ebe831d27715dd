"""The strategy of a search, as one object with one text form.

    redundancy=L; volume; fit@20; dlx:s; fila:e@11 nof; fila:f@3

The parts are separated by semicolons and taken in order. A part is a filter, a trigger, or a stage:

| part | meaning |
|---|---|
| `redundancy` | constrain the piece that leaves fewest symmetric copies, then fewest options |
| `redundancy=L` | constrain piece L |
| `redundancy=cell` | constrain the cell that leaves fewest symmetric copies, then fewest options |
| `redundancy=none` | constrain nothing: symmetric copies are removed one by one |
| `redundancy first`, `redundancy=L first` | branch on the constrained piece or cell first |
| `volume`, `parity`, `fit` | filter the options once, before the search |
| `fit=1` | one pass only instead of repeating it until nothing changes |
| `parity=3` | every colouring modulo 3 instead of the lattice's natural one |
| `volume@13` | filter at every step, while at least 13 pieces remain |
| `parity-trigger` | go back as soon as the pieces left cannot make up a colour |
| `parity-trigger=3@5` | every colouring modulo 3, while at least 5 pieces remain |
| `volume-trigger` | go back as soon as the pieces left cannot fill a part of the open cells |
| `volume-trigger@5` | while at least 5 pieces remain |
| `dlx:s` | search with this engine and this heuristic |
| `fila:e@11 nof` | from 11 remaining pieces on, this engine with this setting |
| `fila:l@1,2,0@11` | arguments of the heuristic, then from how many remaining pieces on |
| `fila:random seed=7` | cells in an order drawn by lot |

A trigger may stand anywhere before the stages: its tables are made from the options that all
filters leave, and the engines read them. The volume trigger and the volume filter do nothing if a
piece is not connected.
`Strategy.parse` and `str` are exact inverses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from exactcover.backends.heuristics import heuristics
from exactcover.backends.heuristics.base import divided
from exactcover.base.text import MAX_DIGITS, whole_number
from exactcover.base.values.arguments import check_kind
from exactcover.errors import StrategyError
from exactcover.problem.filters import FilterKind, filter_kinds, get_filter_kind

MAX_TEXT = 10_000
"""The most characters of a strategy."""

STRATEGIES = 'a text such as "dlx:s", a Strategy, or None'
"""The kinds of a strategy that functions take, for messages."""

AFTER_AT = f"after @ stands a number of remaining pieces, of at most {MAX_DIGITS} digits"

PART = re.compile(r"(?P<name>[a-z][\w-]*)(?:=(?P<argument>[^\s@;]+))?(?:@(?P<down_to>[0-9]+))?")
STAGE = re.compile(r"(?P<backend>[a-z][\w-]*)(?::(?P<heuristic>[^\s;]+))?")


class Filter(NamedTuple):
    """One filter or trigger: its name, its argument, and the least number of pieces left for it.

    Without a number, a filter is applied once, before the search, and a trigger at every node.

    first  whether the piece that it constrains is placed before all others
    """

    name: str
    argument: str | None = None
    down_to: int | None = None
    first: bool = False

    @property
    def kind(self) -> FilterKind:
        """Its kind; raises `UnknownName` if no filter or trigger has this name."""
        return get_filter_kind(self.name)

    def __str__(self) -> str:
        argument = "" if self.argument is None else f"={self.argument}"
        down_to = "" if self.down_to is None else f"@{self.down_to}"
        return f"{self.name}{argument}{down_to}" + (" first" if self.first else "")


class Stage(NamedTuple):
    """An engine, and how it branches while at most `remaining` pieces are left.

    remaining  None: from the start
    settings   the settings of the engine, such as `nof` or `nof=6`
    """

    backend: str = "dlx"
    heuristic: str = "s"
    remaining: int | None = None
    settings: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        threshold = "" if self.remaining is None else f"@{self.remaining}"
        settings = [name + (f"={value}" if value else "") for name, value in self.settings]
        return " ".join([f"{self.backend}:{self.heuristic}{threshold}", *settings])

    @property
    def in_force(self) -> str:
        """Its text, with the cells that neighbour occupancy filtering looks at."""
        if self.backend != "fila":
            return str(self)
        settings = dict(self.settings)
        settings["nof"] = settings.get("nof") or "adjacent"
        return str(self._replace(settings=tuple(settings.items())))


@dataclass(frozen=True)
class Strategy:
    """Filters and triggers in order, then the stages of the search."""

    stages: tuple[Stage, ...] = (Stage(),)
    filters: tuple[Filter, ...] = ()

    def __post_init__(self) -> None:
        """Refuse stages out of order, and a second constraint: two may exclude all copies of a
        solution."""
        _check_order(self)
        constraints = [one for one in self.filters if one.name == "redundancy"]
        if len(constraints) > 1:
            raise StrategyError(
                f"{constraints[0]} and {constraints[1]}: only one piece or cell can be "
                "constrained, so redundancy stands once"
            )

    @classmethod
    def of(cls, given: Strategy | str) -> Strategy:
        """The strategy itself, or the strategy that the text names."""
        if isinstance(given, Strategy):
            return given
        check_kind("strategy", given, str, STRATEGIES)
        return cls.parse(given)

    @classmethod
    def parse(cls, text: str) -> Strategy:
        """The strategy that a text names.

            >>> from exactcover import Strategy
            >>> print(Strategy.parse("volume; dlx:s; fila:f@11"))
            volume; dlx:s; fila:f@11

        text  filters and triggers, then stages, with semicolons between them; without a stage,
              `dlx:s` searches
        """
        check_kind("text", text, str, 'a text such as "dlx:s"')
        if len(text) > MAX_TEXT:
            raise StrategyError(f"a strategy may have {MAX_TEXT:,} characters, not {len(text):,}")
        filters: list[Filter] = []
        stages: list[Stage] = []
        known = filter_kinds()
        for part in (piece.strip() for piece in text.split(";")):
            if not part:
                raise StrategyError(f"{text!r}: there is nothing between two semicolons")
            if re.split(r"[=@:\s]", part)[0] not in known:
                stages.append(_stage(part))
            elif stages:
                raise StrategyError(f"{text!r}: {part!r} comes after the stage {stages[-1]}")
            else:
                filters.append(_filter(part))
        return cls(tuple(stages) or (Stage(),), tuple(filters))

    def __str__(self) -> str:
        return "; ".join(map(str, (*self.filters, *self.stages)))

    @property
    def once(self) -> tuple[Filter, ...]:
        """The filters that are applied once, before the search."""
        return tuple(f for f in self.filters if f.down_to is None and not f.kind.trigger)

    @property
    def stepwise(self) -> tuple[Filter, ...]:
        """The filters that are applied at every step."""
        return tuple(f for f in self.filters if f.down_to is not None and not f.kind.trigger)

    @property
    def triggers(self) -> tuple[Filter, ...]:
        """The backtrack triggers."""
        return tuple(one for one in self.filters if one.kind.trigger)

    def at(self, remaining: int) -> Stage:
        """The stage that searches while this number of pieces is left."""
        first, *later = self.stages
        started = [one for one in later if one.remaining is not None and remaining <= one.remaining]
        return started[-1] if started else first


def _filter(part: str) -> Filter:
    head, *words = part.split()
    match = PART.fullmatch(head)
    if match is None:
        raise StrategyError(
            f"{part!r} is no filter: it is written name, name=argument or name@pieces"
        )
    kind, argument = get_filter_kind(match["name"]), match["argument"]
    if words not in ([], ["first"]):
        raise StrategyError(f"{part!r}: the only word that may follow a filter is `first`")
    down_to = None if match["down_to"] is None else whole_number(match["down_to"])
    if down_to is None and match["down_to"] is not None:
        raise StrategyError(f"{part!r}: {AFTER_AT}")
    if down_to is not None and not kind.every_step:
        able = ", ".join(one.name for one in filter_kinds().values() if one.every_step)
        raise StrategyError(f"{part!r}: {kind.name} is applied once; {able} take @pieces")
    fault = kind.fault(argument, bool(words))
    if fault:
        raise StrategyError(f"{part!r}: {kind.name} {fault}")
    return Filter(kind.name, argument, down_to, bool(words))


def _check_order(strategy: Strategy) -> None:
    """Each stage starts at fewer pieces than the one before; only the first may start at the
    root."""
    stages, text = strategy.stages, str(strategy)
    for before, stage in pairwise(stages):
        if stage.remaining is None:
            raise StrategyError(
                f"{text!r}: {stage} must say from how many remaining pieces on, as in "
                f"{stage.backend}:{stage.heuristic}@5"
            )
        if before.remaining is not None and stage.remaining >= before.remaining:
            raise StrategyError(
                f"{text!r}: {stage} must start at fewer than {before.remaining} pieces"
            )
    if stages and stages[0].remaining is not None:
        raise StrategyError(
            f"{text!r}: the first stage starts with all pieces, so {stages[0]} takes no number"
        )


def _stage(part: str) -> Stage:
    from exactcover.backends import backends, get_engine
    from exactcover.backends.tasks import check_heuristic, check_settings

    head, *words = part.split()
    match = STAGE.fullmatch(head)
    if match is None:
        raise StrategyError(
            f"{part!r} is no part of a strategy: a filter or trigger ({', '.join(filter_kinds())}) "
            f"or a stage (engine:heuristic) is; the engines are {', '.join(backends())}"
        )
    can = get_engine(match["backend"]).capabilities
    written = match["heuristic"] or can.heuristics[0]
    name, _ = divided(written)
    if name not in heuristics():  # what stands after its @ cannot be understood
        check_heuristic(match["backend"], can, name)
    heuristic, remaining = _heuristic_and_threshold(written)
    check_heuristic(match["backend"], can, heuristic)
    settings = [(name, value) for name, _, value in (word.partition("=") for word in words)]
    check_settings(match["backend"], can, dict(settings))
    return Stage(match["backend"], heuristic, remaining, tuple(settings))


def _heuristic_and_threshold(text: str) -> tuple[str, int | None]:
    """A heuristic, and the number of pieces from which on it is used: `e@11`, `l@1,2,0@11`.

    A heuristic that takes arguments takes them after the first @, as in `a@160@11`. If it takes
    none, or two or more, as `R` does, then a part without a comma is the number of pieces.
    """
    name, *after = text.split("@")
    known = heuristics().get(name)
    argued = known is not None and bool(known.arguments) and bool(after)
    if argued and known is not None and known.takes(0) and not known.takes(1):
        argued = "," in after[0]
    arguments = after[:1] if argued else []
    rest = after[len(arguments) :]
    remaining = whole_number(rest[0]) if rest else None
    if len(rest) > 1 or (rest and remaining is None):
        raise StrategyError(f"{text!r}: {AFTER_AT}")
    return "@".join([name, *arguments]), remaining
