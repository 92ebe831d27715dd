"""The abstract exact cover: items to cover, options that cover them.

A solution is a set of options. A *primary* item must be covered by exactly one of them, or by
`low..high` of them if the problem says so. A *secondary* item may be covered at most once, or any
number of times by options that give it the same colour. An option without a primary item is never
chosen, as in Knuth's programs.

Options are two integer arrays (compressed rows): option `o` covers the items
`entries[starts[o]:starts[o + 1]]`. Names of items, options and colours are kept separately, so a
problem with a million options does not need a million Python objects.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import numpy.typing as npt

from exactcover.base.values import Value
from exactcover.errors import ProblemError
from exactcover.problem.checking import IntArray, check, numbers, whole_numbers
from exactcover.problem.stating import (
    Matrix,
    Multiplicity,
    Options,
    filled_places,
    primary_first,
    stated_options,
)


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
            object.__setattr__(self, name, whole_numbers(getattr(self, name), name))
        if self.costs is not None:
            costs = numbers(self.costs)
            costs.setflags(write=False)
            object.__setattr__(self, "costs", costs)
        self.freeze()
        check(self)

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
            costs=None if costs is None else numbers(costs),
            option_names=option_names,
            colour_names=colour_names,
        )

    @classmethod
    def of(cls, subject: Problem | Options | Matrix) -> Problem:
        """A problem from a problem, options or a matrix.

        subject  a Problem, which is returned unchanged; lists of items, or a mapping of names to
                 them; or a matrix of 0 and 1, of numpy or SciPy
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

        options       lists of items, or a mapping to these lists: its keys become the
                      `option_names`. An item is any hashable value. An entry
                      `Coloured(item, colour)` gives a secondary item a colour
        primary       the items to cover exactly once. Default: None, those that are not secondary
        secondary     the items to cover at most once. Default: None, those that are not primary, or
                      none if `primary` is None, too. With both, every item must be named
        colored       whether the string "item:colour" gives a secondary item a colour, too.
                      Default: False
        multiplicity  how often primary items must be covered, by item: a number, or a pair of the
                      least and the most. Default: None, exactly once
        costs         a number for each option. Default: None, no costs
        """
        stated = stated_options(options, primary, secondary, colored, multiplicity or {})
        return cls.from_arrays(
            len(stated.items), primary=stated.low.size, costs=costs, **stated._asdict()
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
        columns, starts, filled = filled_places(matrix)
        if items is not None and len(items) != columns:
            raise ProblemError(f"{len(items)} names for {columns} columns")
        order, primary = primary_first(columns, secondary)
        return cls.from_arrays(
            columns,
            starts,
            np.argsort(order)[filled],
            primary=primary,
            items=[int(column) if items is None else items[column] for column in order],
            option_names=option_names,
            costs=costs,
        )

    # -- what it is ---------------------------------------------------------------------------

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_options(self) -> int:
        return self.starts.size - 1

    @cached_property
    def needs(self) -> frozenset[str]:
        """The features that an engine needs for this problem, in the words of `Capabilities`.

        Costs are not included: they do not change which sets of options are solutions.
        """
        used = {
            "secondary": self.primary < self.n_items,
            "colours": bool(self.colours.any()),
            "multiplicities": bool(((self.low != 1) | (self.high != 1)).any()),
        }
        return frozenset(name for name, needed in used.items() if needed)

    def rows(
        self, options: npt.NDArray[np.integer]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The entries of these options, in this order: where each option begins, and the numbers of
        the entries."""
        lengths = np.diff(self.starts)[options]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        return starts, np.repeat(self.starts[:-1][options], lengths) + inside

    def restricted(self, options: npt.NDArray[np.integer]) -> Problem:
        """The problem with the same items and only these options, in this order."""
        starts, entry = self.rows(options)
        names = self.option_names
        return replace(
            self,
            starts=starts.astype(np.int32),
            entries=self.entries[entry],
            colours=self.colours[entry],
            costs=None if self.costs is None else self.costs[options],
            option_names=None if names is None else [names[option] for option in options.tolist()],
        )

    def option_name(self, option: int) -> Hashable:
        return option if self.option_names is None else self.option_names[option]

    def colour_name(self, colour: int) -> Hashable:
        """The name of a colour other than 0, or its number if it has no name."""
        return self.colour_names[colour - 1] if colour <= len(self.colour_names) else colour

    def items_of(self, option: int) -> IntArray:
        """The item numbers of an option, in the order in which it was given."""
        return self.entries[self.starts[option] : self.starts[option + 1]]

    def colours_of(self, option: int) -> IntArray:
        """The colours of an option's entries, beside `items_of`."""
        return self.colours[self.starts[option] : self.starts[option + 1]]

    def words_of(self, option: int) -> list[str]:
        """The items of an option by name, as Knuth's programs write them: `X:1` has colour 1."""
        items, colours = self.items_of(option).tolist(), self.colours_of(option).tolist()
        return list(map(self.word, items, colours))

    def word(self, item: int, colour: int) -> str:
        """An entry of an option as one of `words_of`."""
        return f"{self.items[item]}:{self.colour_name(colour)}" if colour else str(self.items[item])

    @cached_property
    def choosable(self) -> npt.NDArray[np.bool_]:
        """The options that may be chosen: with a primary item, and without an item whose `high` is
        0.

        bool [options], read-only
        """
        owners = np.repeat(np.arange(self.n_options), np.diff(self.starts))
        out = np.zeros(self.n_options, bool)
        out[owners[self.entries < self.primary]] = True
        if not self.high.all():
            barred = np.flatnonzero(self.high == 0)
            out[owners[np.isin(self.entries, barred)]] = False
        out.setflags(write=False)
        return out

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
        """The total cost of a set of options; 0 if the problem has no costs."""
        return 0.0 if self.costs is None else float(self.costs[list(options)].sum())

    def violation(self, options: Iterable[int], *, partial: bool = False) -> str | None:
        """Why this set of options is no solution, or no part of one; None if it is."""
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
            if times[item] > self.high[item] or (not partial and times[item] < self.low[item]):
                low, high = self.low[item], self.high[item]
                wanted = str(low) if low == high else f"{low}..{high}"
                return f"item {self.items[item]!r} is covered {times[item]} times, not {wanted}"
        return None

    def __repr__(self) -> str:
        parts = [f"{self.n_options:,} options", f"{self.primary:,} items"]
        if self.primary < self.n_items:
            parts[1] += f" + {self.n_items - self.primary:,} secondary"
        parts.append(f"{self.entries.size:,} entries")
        parts += sorted(self.needs - {"secondary"})
        return f"<Problem: {', '.join(parts)}>"
