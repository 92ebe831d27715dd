"""The abstract exact cover: items to cover, options that cover them.

A solution is a set of options. A *primary* item must be covered by exactly one of them or, where
the problem says so, by `low..high` of them. A *secondary* item may be covered at most once, or any
number of times by options that give it the same colour. An option without a primary item is never
chosen, as in Knuth's programs: nothing asks for it.

Options are two integer arrays (compressed rows): option `o` covers the items
`entries[starts[o]:starts[o + 1]]`. Names of items, options and colours are kept apart from them, so
that a problem with a million options costs no million Python objects.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from exactcover.errors import ProblemError
from exactcover.values import Value

IntArray = npt.NDArray[np.int32]
Multiplicity = int | tuple[int, int]


class SparseMatrix(Protocol):
    """A sparse matrix of SciPy, of whatever format; SciPy itself is not needed here."""

    def tocsr(self, copy: bool = ...) -> Any: ...


Matrix = npt.NDArray[Any] | SparseMatrix
Options = Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]]
"""The options of a problem: lists of items, or such lists by name."""

MAX_COUNT = 1_000_000_000
"""The largest multiplicity: kernels keep what is left of each item in 32 bits."""


def _frozen(values: npt.ArrayLike, name: str) -> IntArray:
    """`values` as a read-only int32 array of one dimension."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ProblemError(f"{name} must have one dimension, not {array.ndim}")
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ProblemError(f"{name} must be whole numbers, not {array.dtype}")
    if array.size and (array.min() < -MAX_COUNT or array.max() > MAX_COUNT):
        raise ProblemError(f"{name} must lie within +-{MAX_COUNT}")
    out = array.astype(np.int32, copy=True)
    out.setflags(write=False)
    return out


@dataclass(frozen=True)
class Coloured:
    """An entry of an option that gives a secondary item a colour; both may be any hashables.

    The colour None is none at all: the item is covered at most once.
    """

    item: Hashable
    colour: Hashable


@dataclass(frozen=True, eq=False, repr=False)
class Problem(Value):
    """An exact-cover problem. Immutable; validated when made.

    items         names of the items, the primary ones first
    primary       how many of them are primary
    starts        int32 [options + 1]   where each option's entries begin
    entries       int32 [entries]       item numbers, option after option
    colours       int32 [entries]       0: none, c: `colour_names[c - 1]`; only on secondary items
    low, high     int32 [primary]       how often each primary item must be covered
    costs         float64 [options] or None
    option_names  names of the options, or None: they are numbered
    """

    items: Sequence[Hashable]
    primary: int
    starts: IntArray
    entries: IntArray
    colours: IntArray
    low: IntArray
    high: IntArray
    costs: npt.NDArray[np.float64] | None = None
    option_names: Sequence[Hashable] | None = None
    colour_names: tuple[Hashable, ...] = ()

    def __post_init__(self) -> None:
        for name in ("starts", "entries", "colours", "low", "high"):
            object.__setattr__(self, name, _frozen(getattr(self, name), name))
        if self.costs is not None:
            costs = _numbers(self.costs)
            costs.setflags(write=False)
            object.__setattr__(self, "costs", costs)
        self.freeze()
        self._check_shapes()
        self._check_entries()
        self._check_multiplicities()

    # -- making one ---------------------------------------------------------------------------

    @classmethod
    def from_arrays(
        cls,
        n_items: int,
        starts: npt.ArrayLike,
        entries: npt.ArrayLike,
        *,
        primary: int | None = None,
        low: npt.ArrayLike | None = None,
        high: npt.ArrayLike | None = None,
        colours: npt.ArrayLike | None = None,
        costs: npt.ArrayLike | None = None,
        items: Sequence[Hashable] | None = None,
        option_names: Sequence[Hashable] | None = None,
        colour_names: tuple[Hashable, ...] = (),
    ) -> Problem:
        """A problem from compressed rows: option o has `entries[starts[o]:starts[o + 1]]`.

            >>> from exactcover import Problem
            >>> Problem.from_arrays(3, [0, 2, 3], [0, 1, 2])
            <Problem: 2 options, 3 items, 3 entries>

        n_items       how many items there are
        starts        where each option begins, and the end: whole numbers, one more than options
        entries       item numbers, option after option
        primary       how many items are primary: these come first. Default: None, all
        low, high     how often each primary item must be covered, at least and at most. Default:
                      None, exactly once; `high` None: as `low`
        colours       a whole number for each entry, 0 for none. Default: None, no colours
        costs         a number for each option. Default: None, no costs
        items         names of the items. Default: None, their numbers
        option_names  names of the options. Default: None, their numbers
        colour_names  names of the colours, from 1 on. Default: ()
        """
        if n_items < 0:
            raise ProblemError(f"{n_items} items: their number must not be negative")
        if items is not None and len(items) != n_items:
            raise ProblemError(f"{len(items)} names for {n_items} items")
        primary = n_items if primary is None else primary
        if not 0 <= primary <= n_items:
            raise ProblemError(f"{primary} primary items of {n_items} items")
        low = np.ones(primary, np.int32) if low is None else low
        return cls(
            items=range(n_items) if items is None else items,
            primary=primary,
            starts=np.asarray(starts),
            entries=np.asarray(entries),
            colours=np.zeros(np.size(entries), np.int32)
            if colours is None
            else np.asarray(colours),
            low=np.asarray(low),
            high=np.asarray(low if high is None else high),
            costs=None if costs is None else _numbers(costs),
            option_names=option_names,
            colour_names=colour_names,
        )

    @classmethod
    def of(cls, subject: Problem | Options | Matrix) -> Problem:
        """A problem from whatever states one.

        subject  a Problem, which is given back; lists of items, or such lists by name; or a matrix
                 of 0 and 1, of numpy or SciPy
        """
        if isinstance(subject, Problem):
            return subject
        if isinstance(subject, np.ndarray) or hasattr(subject, "tocsr"):
            return cls.from_matrix(cast("Matrix", subject))
        return cls.from_options(cast("Options", subject))

    @classmethod
    def from_options(
        cls,
        options: Options,
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] | None = None,
        colored: bool = False,
        multiplicity: Mapping[Hashable, Multiplicity] | None = None,
        costs: Sequence[float] | None = None,
    ) -> Problem:
        """A problem from lists of item names, or from a mapping of option names to such lists.

            >>> from exactcover import Problem
            >>> Problem.from_options({"x": ["a", "b"], "y": ["a"]}, secondary=["b"])
            <Problem: 2 options, 1 items + 1 secondary, 3 entries>

        options       lists of items, which may be anything that can be a key, or a mapping of names
                      to such lists. An entry `Coloured(item, colour)` gives a secondary item a
                      colour
        primary       the items to cover exactly once. Default: None, those that are not secondary
        secondary     the items to cover at most once. Default: None, those that are not primary,
                      or none where neither is given; with both, every item must be named
        colored       whether the string "item:colour" gives a secondary item a colour, too.
                      Default: False
        multiplicity  how often primary items must be covered, by item: a number, or a pair of the
                      least and the most. Default: None, exactly once
        costs         a number for each option. Default: None, no costs
        """
        option_names: list[Hashable] | None = None
        if isinstance(options, Mapping):
            option_names = list(options)
            options = options.values()
        rows = []
        for number, option in enumerate(_listed("options", options)):
            if not isinstance(option, (list, tuple)):
                option = _listed(_option_title(number, option_names), option)
            rows.append(option)
        try:
            distinct = dict.fromkeys(chain.from_iterable(rows), 0)
        except TypeError:  # an entry has no hash: look for it again, to say where it is
            for number, option in enumerate(rows):
                _listed(_option_title(number, option_names), option)
            raise
        if distinct.keys() <= {0, 1} and any(len(set(row)) < len(row) for row in rows):
            raise ProblemError(
                "these rows of 0 and 1 are a matrix, not options, which list items: "
                "give Problem.from_matrix(rows), or an array of NumPy"
            )
        # What entries say is found out for distinct ones only: there are far fewer of them.
        said: list[tuple[Hashable, Hashable | None]]
        if colored or Coloured in set(map(type, distinct)):
            said = [_split_colour(entry, colored) for entry in distinct]
            seen = list(dict.fromkeys(item for item, _ in said))
        else:
            said, seen = [(entry, None) for entry in distinct], list(distinct)
        first, second = _item_sorts(seen, primary, secondary)
        number_of = {item: number for number, item in enumerate([*first, *second])}
        colours_seen = dict.fromkeys(colour for _, colour in said if colour is not None)
        colour_number: dict[Hashable, int] = {
            colour: number for number, colour in enumerate(colours_seen, 1)
        }
        distinct.update(zip(distinct, range(len(distinct)), strict=True))
        which = np.fromiter(map(distinct.__getitem__, chain.from_iterable(rows)), np.int64)
        item_of = np.array([number_of[item] for item, _ in said], np.int32)
        colour_of = np.array(
            [0 if colour is None else colour_number[colour] for _, colour in said], np.int32
        )
        starts = np.cumsum([0, *map(len, rows)])

        low, high = np.ones(len(first), np.int64), np.ones(len(first), np.int64)
        for item, times in (multiplicity or {}).items():
            if item not in number_of or number_of[item] >= len(first):
                raise ProblemError(f"multiplicity of {item!r}: there is no such primary item")
            low[number_of[item]], high[number_of[item]] = _range(item, times)
        return cls.from_arrays(
            len(first) + len(second),
            starts,
            item_of[which],
            primary=len(first),
            low=low,
            high=high,
            colours=colour_of[which],
            costs=costs,
            items=(*first, *second),
            option_names=option_names,
            colour_names=tuple(colour_number),
        )

    @classmethod
    def from_matrix(
        cls,
        matrix: Matrix | npt.ArrayLike,
        *,
        secondary: Iterable[int] = (),
        costs: Sequence[float] | None = None,
        items: Sequence[Hashable] | None = None,
        option_names: Sequence[Hashable] | None = None,
    ) -> Problem:
        """A problem from a matrix of 0 and 1: rows are options, columns are items.

            >>> from exactcover import Problem
            >>> Problem.from_matrix([[1, 1, 0], [0, 0, 1]])
            <Problem: 2 options, 3 items, 3 entries>

        matrix        an array, lists of rows, or a sparse matrix of SciPy
        secondary     the columns that may be covered at most once instead of exactly once. Default:
                      (), none
        costs         a number for each row. Default: None, no costs
        items         names of the columns. Default: None, their numbers
        option_names  names of the rows. Default: None, their numbers
        """
        columns, starts, filled = _filled(matrix)
        if items is not None and len(items) != columns:
            raise ProblemError(f"{len(items)} names for {columns} columns")
        second = sorted(set(secondary))
        if second and not (0 <= second[0] and second[-1] < columns):
            raise ProblemError(f"secondary columns must lie in 0..{columns - 1}")
        is_second = np.zeros(columns, bool)
        is_second[second] = True
        order = np.concatenate([np.flatnonzero(~is_second), np.flatnonzero(is_second)])
        number = np.empty(columns, np.int64)
        number[order] = np.arange(columns)
        return cls.from_arrays(
            columns,
            starts,
            number[filled],
            primary=columns - len(second),
            items=[int(column) if items is None else items[column] for column in order],
            option_names=option_names,
            costs=costs,
        )

    # -- validation ---------------------------------------------------------------------------

    def _check_shapes(self) -> None:
        if not 0 <= self.primary <= len(self.items):
            raise ProblemError(f"{self.primary} primary items of {len(self.items)} items")
        if self.starts.size == 0 or self.starts[0] != 0 or self.starts[-1] != self.entries.size:
            raise ProblemError("starts must run from 0 to the number of entries")
        if (np.diff(self.starts) < 0).any():
            raise ProblemError("starts must not decrease")
        for name, expected in (
            ("colours", self.entries.size),
            ("low", self.primary),
            ("high", self.primary),
        ):
            if getattr(self, name).size != expected:
                raise ProblemError(
                    f"{name} has {getattr(self, name).size} numbers, {expected} are needed"
                )
        if self.costs is not None:
            if self.costs.shape != (self.n_options,):
                raise ProblemError(
                    f"{self.costs.size} costs for {self.n_options} options: one each is needed"
                )
            if not np.isfinite(self.costs).all():
                raise ProblemError("every cost must be a finite number")
        if self.option_names is not None and len(self.option_names) != self.n_options:
            raise ProblemError(f"{len(self.option_names)} names for {self.n_options} options")

    def _check_entries(self) -> None:
        entries, colours = self.entries, self.colours
        if entries.size == 0:
            return
        outside = (entries < 0) | (entries >= self.n_items)
        if outside.any():
            place = int(outside.argmax())
            raise ProblemError(
                f"option {self._option_at(place)} names item {entries[place]}; "
                f"items are 0..{self.n_items - 1}"
            )
        options = np.repeat(np.arange(self.n_options), np.diff(self.starts))
        codes = options * self.n_items + entries
        order = np.argsort(codes, kind="stable")
        twice = np.flatnonzero(np.diff(codes[order]) == 0)
        if twice.size:
            place = int(order[twice[0]])
            raise ProblemError(
                f"option {self.option_name(self._option_at(place))!r} names item "
                f"{self.items[entries[place]]!r} twice"
            )
        wrong = (colours != 0) & (entries < self.primary)
        if wrong.any():
            place = int(wrong.argmax())
            raise ProblemError(
                f"option {self.option_name(self._option_at(place))!r} colours item "
                f"{self.items[entries[place]]!r}, which is primary: only secondary items may be"
            )
        if colours.min() < 0:
            raise ProblemError("a colour must be 0 (none) or positive")

    def _check_multiplicities(self) -> None:
        wrong = (self.low < 0) | (self.high < self.low)
        if wrong.any():
            item = int(wrong.argmax())
            raise ProblemError(
                f"item {self.items[item]!r} is to be covered {self.low[item]}..{self.high[item]} "
                "times: a range must not be negative or run backwards"
            )

    def _option_at(self, entry: int) -> int:
        """The option that the entry with this number belongs to."""
        return int(np.searchsorted(self.starts, entry, side="right")) - 1

    # -- what it is ---------------------------------------------------------------------------

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_options(self) -> int:
        return self.starts.size - 1

    @cached_property
    def needs(self) -> frozenset[str]:
        """What an engine must be able to do for this problem, in the words of `Capabilities`.

        Costs are not among it: they change nothing about which sets of options are solutions.
        """
        used = {
            "secondary": self.primary < self.n_items,
            "colours": bool(self.colours.any()),
            "multiplicities": bool(((self.low != 1) | (self.high != 1)).any()),
        }
        return frozenset(name for name, needed in used.items() if needed)

    def restricted(self, options: npt.NDArray[np.integer]) -> Problem:
        """The same items with these options alone, in this order."""
        lengths = np.diff(self.starts)[options]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        entry = np.repeat(self.starts[:-1][options], lengths) + inside
        names = self.option_names
        return replace(
            self,
            starts=starts,
            entries=self.entries[entry],
            colours=self.colours[entry],
            costs=None if self.costs is None else self.costs[options],
            option_names=None if names is None else [names[option] for option in options.tolist()],
        )

    def option_name(self, option: int) -> Hashable:
        return option if self.option_names is None else self.option_names[option]

    def items_of(self, option: int) -> IntArray:
        """The item numbers of an option, in the order in which it was given."""
        return self.entries[self.starts[option] : self.starts[option + 1]]

    def colours_of(self, option: int) -> IntArray:
        """The colours of an option's entries, beside `items_of`."""
        return self.colours[self.starts[option] : self.starts[option + 1]]

    @cached_property
    def columns(self) -> tuple[IntArray, IntArray]:
        """The transposed matrix: `starts` by item, and the options of each item, ascending."""
        counts = np.bincount(self.entries, minlength=self.n_items)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        options = np.repeat(np.arange(self.n_options, dtype=np.int32), np.diff(self.starts))
        by_item = options[np.argsort(self.entries, kind="stable")]
        starts.setflags(write=False)
        by_item.setflags(write=False)
        return starts, by_item

    def options_of(self, item: int) -> IntArray:
        """The options that cover an item, ascending."""
        starts, options = self.columns
        return options[starts[item] : starts[item + 1]]

    def cost(self, options: Iterable[int]) -> float:
        """What a set of options costs together; 0 where the problem has no costs."""
        return 0.0 if self.costs is None else float(self.costs[list(options)].sum())

    def violation(self, options: Iterable[int]) -> str | None:
        """Why this set of options is no solution, or None where it is one."""
        chosen = list(options)
        if len(set(chosen)) < len(chosen):
            return "an option is chosen twice"
        times = [0] * self.n_items
        colour_of: dict[int, int] = {}
        for option in chosen:
            if not 0 <= option < self.n_options:
                return f"there is no option {option}"
            asked_for = False
            for item, colour in zip(self.items_of(option), self.colours_of(option), strict=True):
                times[item] += 1
                asked_for |= bool(item < self.primary)
                if (
                    item >= self.primary
                    and times[item] > 1
                    and not (colour and colour == colour_of[int(item)])
                ):
                    return f"secondary item {self.items[item]!r} is covered twice"
                colour_of[int(item)] = int(colour)
            if not asked_for:
                return f"option {self.option_name(option)!r} has no primary item"
        for item in range(self.primary):
            if not self.low[item] <= times[item] <= self.high[item]:
                return (
                    f"item {self.items[item]!r} is covered {times[item]} times, "
                    f"not {_range_text(int(self.low[item]), int(self.high[item]))}"
                )
        return None

    def __repr__(self) -> str:
        parts = [f"{self.n_options} options", f"{self.primary} items"]
        if self.primary < self.n_items:
            parts[1] += f" + {self.n_items - self.primary} secondary"
        parts.append(f"{self.entries.size} entries")
        parts += sorted(self.needs - {"secondary"})
        return f"<Problem: {', '.join(parts)}>"


def _filled(matrix: Any) -> tuple[int, npt.NDArray[Any], npt.NDArray[Any]]:
    """How many columns a matrix of 0 and 1 has, and its ones: `starts` by row, and columns."""
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


def _option_title(number: int, names: Sequence[Hashable] | None) -> str:
    return f"option {number if names is None else repr(names[number])}"


def _range_text(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}..{high}"


def _split_colour(entry: Hashable, colored: bool) -> tuple[Hashable, Hashable | None]:
    """An entry as item and colour; `None` where it has no colour."""
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
    """What a user listed; a string, which is a list of letters to Python, is a slip."""
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


def _numbers(costs: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Costs as an array of their own."""
    try:
        return np.array(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ProblemError("every cost must be a number") from None
    except OverflowError:
        raise ProblemError("every cost must be a finite number, of at most 308 digits") from None
