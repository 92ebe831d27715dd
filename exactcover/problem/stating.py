"""Options as a user states them, with names, colours and ranges, or as a matrix, made into arrays.

Each distinct entry is parsed once: there are far fewer distinct entries than entries, and a problem
may have a million options.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, count
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from exactcover.base.values.arguments import is_whole
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
    """Arguments of `Problem.from_arrays`."""

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
    distinct, which = _numbered_entries(rows, option_names)
    coloured = colored or Coloured in set(map(type, distinct))
    said = [_split_colour(entry, colored) for entry in distinct] if coloured else []
    seen = [item for item, _ in said] if coloured else distinct
    item_number, primaries = _numbered_items(seen, primary, secondary)
    item_of = np.fromiter(map(item_number.__getitem__, seen), np.int32, len(distinct))
    colours_seen = dict.fromkeys(colour for _, colour in said if colour is not None)
    colour_number = {colour: number for number, colour in enumerate(colours_seen, 1)}
    colours = np.zeros(which.size, np.int32)
    if colour_number:
        shades = [0 if colour is None else colour_number[colour] for _, colour in said]
        colours = np.array(shades, np.int32)[which]
    low, high = np.ones(primaries, np.int64), np.ones(primaries, np.int64)
    for item, times in multiplicity.items():
        if item not in item_number or item_number[item] >= primaries:
            raise ProblemError(f"multiplicity of {item!r}: no primary item has this name")
        low[item_number[item]], high[item_number[item]] = _range(item, times)
    return Stated(
        items=tuple(item_number),
        starts=np.fromiter(accumulate(map(len, rows), initial=0), np.int64, len(rows) + 1),
        entries=item_of[which],
        colours=colours,
        low=low,
        high=high,
        option_names=option_names,
        colour_names=tuple(colour_number),
    )


def _rows(options: Any, names: Sequence[Hashable] | None) -> Sequence[Sequence[Hashable]]:
    """The options as lists of entries."""
    rows = _listed("options", options)
    if {list, tuple}.issuperset(map(type, rows)):
        return rows
    return [
        row if isinstance(row, list | tuple) else _listed(_option_title(number, names), row)
        for number, row in enumerate(rows)
    ]


def _numbered_entries(
    rows: Sequence[Sequence[Hashable]], names: Sequence[Hashable] | None
) -> tuple[Entries, npt.NDArray[np.int64]]:
    """The distinct entries, numbered as they occur, and the number of each entry in the rows."""
    distinct: defaultdict[Hashable, int] = defaultdict(count().__next__)
    try:
        which = np.fromiter(map(distinct.__getitem__, chain.from_iterable(rows)), np.int64)
    except TypeError:  # an entry has no hash: look for it again, to say where it is
        for number, option in enumerate(rows):
            _listed(_option_title(number, names), option)
        raise
    if distinct.keys() <= {0, 1} and _are_of_matrix(rows):
        raise ProblemError(
            "these rows of 0 and 1 are a matrix, not options, which list items: "
            "give Problem.from_matrix(rows), or an array of NumPy"
        )
    return dict(distinct), which


def _are_of_matrix(rows: Sequence[Sequence[Hashable]]) -> bool:
    """Whether rows of 0 and 1 cannot be meant as options: one has an item twice, or all have the
    two items, one of them the second first."""
    if any(len(set(row)) < len(row) for row in rows):
        return True
    return all(len(row) == 2 for row in rows) and any(row[0] == 1 for row in rows)


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


def _numbered_items(
    seen: Iterable[Hashable],
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable] | None,
) -> tuple[Entries, int]:
    """The number of each item named or seen in options, and how many are primary: these come
    first."""
    first, second = _distinct("primary", primary), _distinct("secondary", secondary)
    both = first.keys() & second.keys()
    if both:
        raise ProblemError(f"item {next(iter(both))!r} is named both primary and secondary")
    named = {**first, **second}
    rest = dict.fromkeys([item for item in seen if item not in named], 0)
    if primary is None:
        first |= rest
    elif secondary is None:
        second = rest
    elif rest:
        raise ProblemError(
            f"item {next(iter(rest))!r} is used but named neither primary nor secondary"
        )
    numbers = {**first, **second}
    numbers.update(zip(numbers, range(len(numbers)), strict=True))
    return numbers, len(first)


def _distinct(sort: str, names: Iterable[Hashable] | None) -> Entries:
    """The items named, in their order; raises if one is named twice."""
    listed = _listed(f"the {sort} items", () if names is None else names)
    distinct = dict.fromkeys(listed, 0)
    if len(distinct) < len(listed):
        twice = next(name for number, name in enumerate(listed) if name in listed[:number])
        raise ProblemError(f"{sort} item {twice!r} is named twice")
    return distinct


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
        if not is_whole(number):
            raise ProblemError(
                f"multiplicity of {item!r}: {times!r} is neither a whole number nor a pair of them"
            )
        if abs(int(number)) > MAX_COUNT:
            raise ProblemError(
                f"multiplicity of {item!r}: {times!r} must lie within 0..{MAX_COUNT}"
            )
    return int(pair[0]), int(pair[1])


# -- matrices of 0 and 1, dense or sparse ---------------------------------------------------------


class SparseMatrix(Protocol):
    """A sparse matrix of SciPy, in any format; SciPy itself is not needed here."""

    def tocsr(self, copy: bool = ...) -> Any: ...


Matrix = npt.NDArray[Any] | SparseMatrix
"""A matrix of a problem: a row for each option, a column for each item, entries 0 and 1."""


def filled_places(matrix: Any) -> tuple[int, npt.NDArray[Any], npt.NDArray[Any]]:
    """The number of columns of a matrix of 0 and 1, and its ones: `starts` by row, and columns."""
    wrong = "the matrix must hold only 0 and 1 (or False and True)"
    if hasattr(matrix, "tocsr"):
        if len(matrix.shape) != 2:
            raise ProblemError(f"the matrix must have two dimensions, not {len(matrix.shape)}")
        sparse = matrix.tocsr(copy=True)
        sparse.sum_duplicates()
        sparse.eliminate_zeros()
        if not (sparse.data == 1).all():
            raise ProblemError(wrong)
        return sparse.shape[1], sparse.indptr, sparse.indices
    try:
        array = np.asarray(matrix)
    except ValueError:
        raise ProblemError("the rows of the matrix must be equally long") from None
    if array.ndim != 2:
        raise ProblemError(f"the matrix must have two dimensions, not {array.ndim}")
    if array.dtype != np.bool_ and not np.isin(array, (0, 1)).all():
        raise ProblemError(wrong)
    rows, columns = np.nonzero(array)
    starts = np.searchsorted(rows, np.arange(array.shape[0] + 1))
    return array.shape[1], starts, columns


def primary_first(columns: int, secondary: Iterable[int]) -> tuple[npt.NDArray[np.int64], int]:
    """The columns with the secondary ones last, and how many are primary."""
    second = sorted(set(secondary))
    if second and not (0 <= second[0] and second[-1] < columns):
        raise ProblemError(f"secondary columns must lie in 0..{columns - 1}")
    is_second = np.zeros(columns, bool)
    is_second[second] = True
    order = np.concatenate([np.flatnonzero(~is_second), np.flatnonzero(is_second)])
    return order, columns - len(second)
