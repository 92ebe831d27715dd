"""Knuth's text of an exact cover, as his programs for algorithms X, C, M and $ read it.

    | a comment
    2:3|a 1|b c | d e          items: primary ones, maybe with how often; `|`; secondary ones
    a d:red e |7               options: items, secondary ones maybe with a colour, maybe a cost

A multiplicity `2|a` is `2:2|a`. Behind the items of an option stands what it costs, `|7` or `|$7`;
several costs add up, and an option without one costs 0. An option without a primary item is read
and never chosen. A line that begins with `|` is a comment; ours say more: `| title: ...`,
`| source: ...`, `| count all: 92`.

A text with items and without options is hardly ever a problem: any text of one line looks like
that. It is refused unless a comment says `| options: 0`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from exactcover.base.text import CONTROL, numbered
from exactcover.errors import ConversionError, FormatError, shown
from exactcover.formats.document import Document, Remarks, Source, whole
from exactcover.formats.exports import one_problem
from exactcover.problem import Problem
from exactcover.problem.checking import MAX_COUNT
from exactcover.problem.clauses import name_text

COMMENT = "|"
NO_OPTIONS = "options: 0"
COST = re.compile(r"\|\$?([+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)")
ODD = re.compile(rf"[\s|:]|{CONTROL.pattern}")


@dataclass
class _Draft:
    """A problem that is being read: items by name, then options as compressed rows."""

    number_of: dict[str, int] = field(default_factory=dict)
    primary: int = 0
    low: list[int] = field(default_factory=list)
    high: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    entries: list[int] = field(default_factory=list)
    colours: list[int] = field(default_factory=list)
    colour_number: dict[str, int] = field(default_factory=dict)
    costs: list[float] = field(default_factory=list)
    priced: bool = False
    none: bool = False


def read_dlx(source: Source) -> list[Document]:
    """The problem of a file: there is always just one."""
    draft, remarks = _Draft(), Remarks()
    take: Callable[[_Draft, list[str]], None] = _read_items
    for number, line in enumerate(source.lines, 1):
        try:
            if line.lstrip().startswith(COMMENT):
                comment = line.lstrip()[1:].strip()
                draft.none |= comment == NO_OPTIONS
                remarks.add(comment)
            elif words := line.split():
                take(draft, words)
                take = _read_option
        except FormatError as error:
            raise error.at(number) from None
    if take is _read_items:
        raise source.error("no items here: the first line that is no comment names them")
    if not draft.costs and not draft.none:
        raise source.error(
            "no options here: each line after that of the items names the items of one option; "
            f"for a problem without options write a line {COMMENT} {NO_OPTIONS}"
        )
    problem = Problem.from_arrays(
        len(draft.number_of),
        draft.starts,
        np.array(draft.entries, np.int32),
        primary=draft.primary,
        low=np.array(draft.low, np.int32),
        high=np.array(draft.high, np.int32),
        colours=np.array(draft.colours, np.int32),
        costs=draft.costs if draft.priced else None,
        items=tuple(draft.number_of),
        colour_names=tuple(draft.colour_number),
    )
    return [source.document(problem, remarks)]


def _read_items(draft: _Draft, words: list[str]) -> None:
    secondary = False
    for word in words:
        if word == "|":
            if secondary:
                raise FormatError("a second | among the items: one parts primary and secondary")
            secondary = True
            continue
        times, bar, name = word.rpartition("|")
        if bar and secondary:
            raise FormatError("a secondary item has no multiplicity", token=shown(word))
        low, high = _multiplicity(times, word) if bar else (1, 1)
        if not name or ":" in name or "|" in name:
            raise FormatError(
                "an item's name has no : and no |; a multiplicity is written 2|name or 1:3|name",
                token=shown(word),
            )
        if name in draft.number_of:
            raise FormatError("this item is named twice", token=shown(name))
        draft.number_of[name] = len(draft.number_of)
        if not secondary:
            draft.primary += 1
            draft.low.append(low)
            draft.high.append(high)


def _multiplicity(text: str, word: str) -> tuple[int, int]:
    parts = text.split(":")
    if len(parts) > 2:
        raise FormatError("a multiplicity is written 2|name or 1:3|name", token=shown(word))
    try:
        low, high = whole(parts[0], "a multiplicity"), whole(parts[-1], "a multiplicity")
    except FormatError as error:
        raise FormatError(error.message, token=shown(word)) from None
    if not 0 <= low <= high <= MAX_COUNT:
        raise FormatError(
            "a multiplicity must not be negative, and its range not run backwards",
            token=shown(word),
        )
    return low, high


def _read_option(draft: _Draft, words: list[str]) -> None:
    cost = 0.0
    while words and "|" in (word := words[-1]):
        priced = COST.fullmatch(word)
        if not priced:
            raise FormatError("a cost is written |7 or |$7", token=shown(word))
        cost, draft.priced = cost + float(priced[1]), True
        if abs(cost) == float("inf"):
            raise FormatError("a cost must be a finite number", token=shown(word))
        words.pop()
    before = len(draft.entries)
    for word in words:
        name, colon, colour = word.partition(":")
        if "|" in word:
            raise FormatError("a | can only begin a cost, at the end", token=shown(word))
        item = draft.number_of.get(name)
        if item is None:
            raise FormatError(
                "no item has this name: the first line that is no comment names them",
                token=shown(name),
            )
        if colon and (not colour or ":" in colour):
            raise FormatError("a coloured item is written item:colour", token=shown(word))
        if colon and item < draft.primary:
            raise FormatError("a primary item has no colour", token=shown(word))
        draft.entries.append(item)
        numbers = draft.colour_number
        draft.colours.append(numbers.setdefault(colour, len(numbers) + 1) if colon else 0)
    added = draft.entries[before:]
    if len(set(added)) < len(added):
        last = {item: place for place, item in enumerate(added)}
        twice = next(word for n, word in enumerate(words) if last[added[n]] > n)
        raise FormatError("an option names an item twice", token=shown(twice))
    draft.starts.append(len(draft.entries))
    draft.costs.append(cost)


# -- writing --------------------------------------------------------------------------------------


def write_dlx(documents: Sequence[Document]) -> str:
    """The problem of the one document: of a puzzle its geometry is lost, the problem is not."""
    problem, document = one_problem(documents, "dlx"), documents[0]
    lines = Remarks.written(document.title, document.source, document.counts, "|")
    if not problem.n_options:
        lines.append(f"{COMMENT} {NO_OPTIONS}")
    lines += _written(problem)
    return "\n".join(lines) + "\n"


def _written(problem: Problem) -> Iterator[str]:
    if not problem.primary:
        raise ConversionError("dlx needs a primary item, and this problem has none")
    names = _words(problem.items)
    used = np.unique(problem.colours[problem.colours > 0]).tolist()
    colours = dict(zip(used, _words(map(problem.colour_name, used)), strict=True))
    ranges = zip(problem.low.tolist(), problem.high.tolist(), names, strict=False)
    first = [
        name if low == high == 1 else f"{low}{'' if low == high else f':{high}'}|{name}"
        for low, high, name in ranges
    ]
    yield " ".join([*first, *(["|", *names[problem.primary :]] if len(names) > len(first) else [])])
    for option in range(problem.n_options):
        words = [
            f"{names[item]}:{colours[colour]}" if colour else names[item]
            for item, colour in zip(
                problem.items_of(option).tolist(), problem.colours_of(option).tolist(), strict=True
            )
        ]
        if not words:
            raise ConversionError(f"dlx cannot say an option without items: {option}")
        if problem.costs is not None:
            words.append(f"|{_cost_text(float(problem.costs[option]))}")
        yield " ".join(words)


def _words(names: Iterable[Hashable]) -> list[str]:
    """The names as distinct words that can stand in the file."""
    return numbered([ODD.sub("_", name_text(name)) or "_" for name in names])


def _cost_text(cost: float) -> str:
    """A cost with all its digits, without a decimal point if it is whole."""
    return str(int(cost)) if cost.is_integer() and abs(cost) < 1 << 53 else repr(cost)
