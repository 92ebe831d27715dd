"""A problem as two kinds of constraint on true-or-false variables, which any solver can be told.

Variable o + 1 is true where option o is chosen. Only a colour needs more: where several options
give a secondary item the same colour, a further variable is true just if one of them is chosen. It
is defined both ways, so that a problem's solutions and its models are one to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import numpy as np

from exactcover.errors import ConversionError
from exactcover.formats.document import Document
from exactcover.formats.source import Remarks
from exactcover.problem import Problem

MAX_SCALE = 10**18
"""Costs that need more than this factor to become whole are refused."""


@dataclass(frozen=True)
class Count:
    """Of the variables, at least `low` and at most `high` are true."""

    variables: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True)
class Union:
    """The variable `whole` is true just if one of the `parts` is."""

    whole: int
    parts: tuple[int, ...]


@dataclass
class Constraints:
    """Variables 1..n_options are the options; those up to n_variables stand for colours."""

    problem: Problem
    n_variables: int
    counts: list[Count] = field(default_factory=list)
    unions: list[Union] = field(default_factory=list)
    meanings: dict[int, str] = field(default_factory=dict)

    def variable(self, meaning: str) -> int:
        self.n_variables += 1
        self.meanings[self.n_variables] = meaning
        return self.n_variables


def constraints_of(problem: Problem) -> Constraints:
    """The conditions that a choice of options must meet to be a solution."""
    made = Constraints(problem, problem.n_options)
    for option in _never_chosen(problem):
        made.counts.append(Count((option + 1,), 0, 0))
    for item in range(problem.primary):
        options = tuple((problem.options_of(item) + 1).tolist())
        low, high = int(problem.low[item]), int(problem.high[item])
        if low > len(options):
            name = _word(problem.items[item])
            made.counts.append(Count((made.variable(f"{name} cannot be covered"),), 2, 2))
        elif low or high < len(options):
            made.counts.append(Count(options, low, min(high, len(options))))
    by_colour = _by_colour(problem)
    for item in range(problem.primary, problem.n_items):
        sorts: list[int] = []
        for colour, chosen in sorted(by_colour[item - problem.primary].items()):
            if colour == 0 or len(chosen) == 1:
                sorts += chosen
                continue
            name = f"{_word(problem.items[item])}:{_word(problem.colour_name(colour))}"
            whole = made.variable(f"{name} is used")
            made.unions.append(Union(whole, tuple(chosen)))
            sorts.append(whole)
        if len(sorts) > 1:
            made.counts.append(Count(tuple(sorts), 0, 1))
    return made


def _never_chosen(problem: Problem) -> list[int]:
    """The options without a primary item: nothing asks for them."""
    asked = np.zeros(problem.n_options, bool)
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    asked[owners[problem.entries < problem.primary]] = True
    return [int(option) for option in np.flatnonzero(~asked)]


def _by_colour(problem: Problem) -> list[dict[int, list[int]]]:
    """For each secondary item the variables of its options, by the colour they give it."""
    found: list[dict[int, list[int]]] = [{} for _ in range(problem.n_items - problem.primary)]
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.starts))
    for place in np.flatnonzero(problem.entries >= problem.primary).tolist():
        item, colour = int(problem.entries[place]), int(problem.colours[place])
        found[item - problem.primary].setdefault(colour, []).append(int(owners[place]) + 1)
    return found


# -- what the writers share -----------------------------------------------------------------------


def one_problem(documents: Sequence[Document], form: str) -> Problem:
    """The problem of the one document, where its solutions are those of the puzzle."""
    if len(documents) != 1:
        raise ConversionError(
            f"a {form} file holds one problem, not {len(documents)}: pick one, for example with #1"
        )
    document = documents[0]
    model = document.model
    if model is not None and model.reason and model.puzzle.region.empty is not None:
        raise ConversionError(
            f"{document.name} has no solution, which {form} could not say: {model.reason}"
        )
    return document.problem


def remarks(document: Document, made: Constraints, mark: str) -> Iterator[str]:
    """Comment lines: what the problem is, and what each variable means."""
    yield from Remarks.written(document.title, document.source, document.counts, mark)
    problem = made.problem
    for option in range(problem.n_options):
        entries = zip(
            problem.items_of(option).tolist(), problem.colours_of(option).tolist(), strict=True
        )
        words = [
            f"{_word(problem.items[item])}:{_word(problem.colour_name(colour))}"
            if colour
            else _word(problem.items[item])
            for item, colour in entries
        ]
        named = f" {_word(problem.option_name(option))}" if problem.option_names else ""
        yield f"{mark} x{option + 1} = option {option}{named}: {' '.join(words)}"
    for variable, meaning in made.meanings.items():
        yield f"{mark} x{variable} = {meaning}"


def whole_costs(problem: Problem) -> tuple[list[int], int]:
    """The costs times the least factor that makes them whole, and that factor."""
    if problem.costs is None:
        return [], 1
    exact = [Fraction(repr(float(cost))) for cost in problem.costs]
    factor = lcm(*(cost.denominator for cost in exact))
    if factor > MAX_SCALE:
        raise ConversionError("opb has whole costs only, and these have too many decimal places")
    return [int(cost * factor) for cost in exact], factor


def _word(name: object) -> str:
    """A name in one word of a comment; of a tuple its members with commas."""
    text = ",".join(map(str, name)) if isinstance(name, tuple) else str(name)
    return "_".join("".join(c if c.isprintable() else " " for c in text).split()) or "_"
