"""Options as a user states them, with names, colours and ranges, turned into arrays.

Each distinct entry is parsed once: there are far fewer distinct entries than entries, and a problem
may have a million options.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactcover.errors import ProblemError
from exactcover.problem.checking import MAX_COUNT, IntArray

Multiplicity = int | tuple[int, int]
"""How often an item is covered: a number, or the least and the greatest number."""

Options = Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]]
"""The options of a problem: lists of items, or a mapping of names to them."""

Entries = dict[Hashable, int]
"""The distinct entries of all options, in the order in which they first occur."""


@dataclass(frozen=True)
class Coloured:
    """An entry of an option that gives a secondary item a colour; both may be any hashables.

    The colour None means no colour: the item is covered at most once.
    """

    item: Hashable
    colour: Hashable


class Stated(NamedTuple):
    """The arrays for `Problem.from_arrays`; `low` and `high` are by primary item."""

    items: tuple[Hashable, ...]
    starts: npt.NDArray[np.int64]
    entries: IntArray
    colours: IntArray
    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]
    option_names: list[Hashable] | None
    colour_names: tuple[Hashable, ...]


def stated_options(
    options: Options,
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable] | None,
    colored: bool,
    multiplicity: Mapping[Hashable, Multiplicity],
) -> Stated:
    """The arrays of a problem that a user states; the arguments are those of
    `Problem.from_options`."""
    option_names: list[Hashable] | None = None
    if isinstance(options, Mapping):
        option_names = list(options)
        options = options.values()
    rows = _rows(options, option_names)
    distinct = _distinct_entries(rows, option_names)
    said: list[tuple[Hashable, Hashable | None]]
    if colored or Coloured in set(map(type, distinct)):
        said = [_split_colour(entry, colored) for entry in distinct]
        seen = list(dict.fromkeys(item for item, _ in said))
    else:
        said, seen = [(entry, None) for entry in distinct], list(distinct)
    first, second = _item_sorts(seen, primary, secondary)
    item_number = {item: number for number, item in enumerate([*first, *second])}
    colours_seen = dict.fromkeys(colour for _, colour in said if colour is not None)
    colour_number = {colour: number for number, colour in enumerate(colours_seen, 1)}
    which = np.fromiter(map(distinct.__getitem__, chain.from_iterable(rows)), np.int64)
    item_of = np.array([item_number[item] for item, _ in said], np.int32)
    colour_of = np.array(
        [0 if colour is None else colour_number[colour] for _, colour in said], np.int32
    )
    low, high = np.ones(len(first), np.int64), np.ones(len(first), np.int64)
    for item, times in multiplicity.items():
        if item not in item_number or item_number[item] >= len(first):
            raise ProblemError(f"multiplicity of {item!r}: there is no such primary item")
        low[item_number[item]], high[item_number[item]] = _range(item, times)
    return Stated(
        items=(*first, *second),
        starts=np.cumsum([0, *map(len, rows)]),
        entries=item_of[which],
        colours=colour_of[which],
        low=low,
        high=high,
        option_names=option_names,
        colour_names=tuple(colour_number),
    )


def _rows(options: Any, names: Sequence[Hashable] | None) -> list[Sequence[Hashable]]:
    """The options as lists of entries."""
    rows = []
    for number, option in enumerate(_listed("options", options)):
        if not isinstance(option, (list, tuple)):
            option = _listed(_option_title(number, names), option)
        rows.append(option)
    return rows


def _distinct_entries(
    rows: Sequence[Sequence[Hashable]], names: Sequence[Hashable] | None
) -> Entries:
    """The distinct entries, numbered."""
    try:
        distinct = dict.fromkeys(chain.from_iterable(rows), 0)
    except TypeError:  # an entry has no hash: look for it again, to say where it is
        for number, option in enumerate(rows):
            _listed(_option_title(number, names), option)
        raise
    if distinct.keys() <= {0, 1} and any(len(set(row)) < len(row) for row in rows):
        raise ProblemError(
            "these rows of 0 and 1 are a matrix, not options, which list items: "
            "give Problem.from_matrix(rows), or an array of NumPy"
        )
    distinct.update(zip(distinct, range(len(distinct)), strict=True))
    return distinct


def _option_title(number: int, names: Sequence[Hashable] | None) -> str:
    return f"option {number if names is None else repr(names[number])}"


def _split_colour(entry: Hashable, colored: bool) -> tuple[Hashable, Hashable | None]:
    """An entry as item and colour; `None` if it has no colour."""
    if isinstance(entry, Coloured):
        return entry.item, entry.colour
    if not colored or not isinstance(entry, str) or ":" not in entry:
        return entry, None
    item, _, colour = entry.partition(":")
    if not item or not colour:
        raise ProblemError(f"{entry!r}: a coloured entry is written item:colour")
    return item, colour


def _item_sorts(
    seen: Sequence[Hashable],
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable] | None,
) -> tuple[list[Hashable], list[Hashable]]:
    """The primary and the secondary items, from those named and those seen in options."""
    first, second = _distinct("primary", primary), _distinct("secondary", secondary)
    both = set(first) & set(second)
    if both:
        raise ProblemError(f"item {next(iter(both))!r} is named both primary and secondary")
    named = {*first, *second}
    rest = [item for item in seen if item not in named]
    if primary is None:
        return [*first, *rest], second
    if secondary is None:
        return first, rest
    if rest:
        raise ProblemError(f"item {rest[0]!r} is used but named neither primary nor secondary")
    return first, second


def _distinct(sort: str, names: Iterable[Hashable] | None) -> list[Hashable]:
    listed = _listed(f"the {sort} items", () if names is None else names)
    if len(set(listed)) < len(listed):
        twice = next(name for number, name in enumerate(listed) if name in listed[:number])
        raise ProblemError(f"{sort} item {twice!r} is named twice")
    return listed


def _listed(what: str, names: Any) -> list[Any]:
    """The user's list; raises for a string, which Python would read as a list of letters."""
    each = "options" if what == "options" else "items"
    if isinstance(names, str):
        raise ProblemError(f"{what}: the string {names!r} is given where a list of {each} belongs")
    try:
        listed = list(names)
    except TypeError:
        raise ProblemError(f"{what}: {names!r} is given where a list of {each} belongs") from None
    for name in listed if each == "items" else ():
        try:
            hash(name)
        except TypeError:
            raise ProblemError(
                f"{what}: {name!r} cannot be an item: use a string, a number or a tuple"
            ) from None
    return listed


def _range(item: Hashable, times: Any) -> tuple[int, int]:
    """A multiplicity as its least and its most."""
    pair: Sequence[Any] = (times, times)
    if isinstance(times, (tuple, list)) and len(times) == 2:
        pair = times
    for number in pair:
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
            raise ProblemError(
                f"multiplicity of {item!r}: {times!r} is neither a whole number nor a pair of them"
            )
        if abs(int(number)) > MAX_COUNT:
            raise ProblemError(
                f"multiplicity of {item!r}: {times!r} must lie within 0..{MAX_COUNT}"
            )
    return int(pair[0]), int(pair[1])
