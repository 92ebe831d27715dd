"""Conditions on the records of a batch: `solutions == 1 and depth > 0.6`.

A condition is written as in Python. It is read by Python's own parser, and evaluated here: only
comparisons, `and`, `or`, `not`, arithmetic, numbers, texts and the keys of a record are understood,
so a condition can neither call nor change anything.

The count of a search that a limit stopped is a lower bound. A condition on its record is
true, false, or cannot be decided (`None`), in the logic of Kleene.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import floor, inf
from typing import Any

from exactcover.base.text.names import one_of
from exactcover.errors import ExactCoverError

NUMBER, TEXT, TRUTH = "a number", "text", "true or false"

KEYS = {
    "puzzle": TEXT, "status": TEXT, "counted": TEXT, "strategy": TEXT, "stopped_by": TEXT,
    "reason": TEXT, "title": TEXT, "solutions": NUMBER, "fits": NUMBER, "nofits": NUMBER,
    "seconds": NUMBER, "compiling": NUMBER, "pieces": NUMBER, "cells": NUMBER, "images": NUMBER,
    "images_per_cell": NUMBER, "fits_per_solution": NUMBER, "fits_to_first": NUMBER,
    "depth": NUMBER,
}  # fmt: skip
"""The keys of a record, and what each holds."""

GROWING = ("fits", "nofits", "seconds", "compiling", "solutions")
"""The figures that would have grown if a limit of time or memory had not stopped the search."""

UNSETTLED = ("depth", "fits_per_solution")
"""The figures that would have become larger or smaller."""

LONGEST, DEEPEST = 1_000, 50
"""The most characters of a condition, and the most parts within parts."""

ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


@dataclass(frozen=True)
class AtLeast:
    """A number that is known only to be no smaller than this."""

    least: float


ANYTHING = AtLeast(-inf)
"""A value of which nothing is known."""

NOTHING = None
"""The value of a key that a record does not have."""


@dataclass(frozen=True)
class Condition:
    """A condition on a record; `Condition.of` reads one.

    text  as it was written
    most  with this many solutions it is false, whatever else is the case; None: with no number
    """

    text: str
    _node: ast.expr
    most: int | None = None

    @staticmethod
    def of(text: str) -> Condition:
        """The condition that a text says; raises `ExactCoverError` if it says none."""
        if len(text) > LONGEST:
            raise _error(text[:60] + "...", f"it may have {LONGEST:,} characters")
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            said = getattr(error, "msg", None) or "it cannot be read"
            raise _error(text, f"{said}; it is written as in Python") from None
        _sort_of(node, text)
        return Condition(text, node, _most(node))

    def judge(self, record: Mapping[str, Any]) -> bool | None:
        """Whether it is true of a record; None: a limit stopped the search too soon to tell."""
        values: dict[str, Any] = {key: record.get(key, NOTHING) for key in KEYS}
        stopped_by = record.get("stopped_by", "")
        if stopped_by:
            growing = ("solutions",) if stopped_by == "solutions" else GROWING
            values |= {key: AtLeast(values[key]) for key in growing}
        if stopped_by in ("time", "memory"):
            unknown = [key for key in KEYS if values[key] is NOTHING]
            values |= dict.fromkeys((*UNSETTLED, *unknown), ANYTHING)
        return _truth(_value(self._node, values))


def _most(node: ast.expr) -> int | None:
    said = [
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, int | float)
    ]
    found = {floor(number) + more for number in said if abs(number) < 1e9 for more in (0, 1)} | {1}
    anything: dict[str, Any] = dict.fromkeys(KEYS, ANYTHING)
    for most in sorted(found):
        known = anything | {"solutions": AtLeast(most)}
        if most >= 1 and _truth(_value(node, known)) is False:
            return most
    return None


# -- reading --------------------------------------------------------------------------------------


def _sort_of(node: ast.expr, text: str, depth: int = 0) -> str:
    """The value of an expression; raises an error if a condition cannot have it."""
    if depth > DEEPEST:
        raise _error(text, "too many brackets in brackets")

    def sort(inner: ast.expr) -> str:
        return _sort_of(inner, text, depth + 1)

    def numbers(*inner: ast.expr) -> str:
        for one in inner:
            if (found := sort(one)) != NUMBER:
                raise _error(text, f"{ast.unparse(one)} is {found}, and no number")
        return NUMBER

    match node:
        case ast.Name(name):
            if name not in KEYS:
                raise _error(text, f"there is no {name!r}: {one_of(list(KEYS), name)}")
            return KEYS[name]
        case ast.Constant(bool()):
            return TRUTH
        case ast.Constant(int() | float()):
            return NUMBER
        case ast.Constant(str()):
            return TEXT
        case ast.UnaryOp(ast.Not(), operand):
            sort(operand)
            return TRUTH
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            return numbers(operand)
        case ast.BinOp(left, kind, right) if type(kind) in ARITHMETIC:
            return numbers(left, right)
        case ast.BoolOp(_, values):
            for one in values:
                sort(one)
            return TRUTH
        case ast.Compare(left, kinds, others):
            for one, relation, other in zip([left, *others], kinds, others, strict=False):
                sides = [other]
                if isinstance(relation, ast.In | ast.NotIn):
                    if not isinstance(other, ast.Tuple | ast.List):
                        what = "behind `in` comes a list, as in status in ('complete', 'limit')"
                        raise _error(text, what)
                    sides = other.elts
                elif type(relation) not in COMPARISONS:
                    raise _error(text, "`is` compares nothing here: write == or !=")
                for side in sides:
                    if sort(one) != sort(side):
                        raise _error(
                            text,
                            f"{ast.unparse(one)} is {sort(one)} and {ast.unparse(side)} is "
                            f"{sort(side)}: they cannot be compared",
                        )
            return TRUTH
    shown = ast.unparse(node)
    raise _error(
        text,
        f"{shown[:60]!r} is none of what it may have: comparisons, and, or, not, + - * / // %, "
        f"numbers, texts in quotes, and {', '.join(KEYS)}",
    )


def _error(text: str, what: str) -> ExactCoverError:
    return ExactCoverError(f"the condition {text!r}: {what}")


# -- evaluating -----------------------------------------------------------------------------------


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    """The value of an expression: a number, a text, True, False, `AtLeast`, or `NOTHING`; of a
    comparison that cannot be decided, `ANYTHING`."""
    match node:
        case ast.Name(name):
            return values[name]
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.Not(), operand):
            truth = _truth(_value(operand, values))
            return ANYTHING if truth is None else not truth
        case ast.UnaryOp(kind, operand):
            value = _value(operand, values)
            return _calculated(ast.Sub() if isinstance(kind, ast.USub) else ast.Add(), 0, value)
        case ast.BinOp(left, operation, right):
            return _calculated(operation, _value(left, values), _value(right, values))
        case ast.BoolOp(junction, inner):
            ends = isinstance(junction, ast.Or)  # the truth of one part that settles the whole
            return _all_of((_truth(_value(one, values)) for one in inner), ends=ends)
        case ast.Compare(left, kinds, others):
            sides = [left, *others]
            pairs = zip(sides, kinds, others, strict=False)
            return _all_of((_compared(*pair, values) for pair in pairs), ends=False)
    raise AssertionError(ast.dump(node))  # `_sort_of` has refused it


def _all_of(truths: Iterator[bool | None], *, ends: bool) -> Any:
    """The truth of several joined by `and` (`ends` is false) or by `or` (it is true)."""
    undecided = False
    for truth in truths:
        if truth is ends:
            return ends
        undecided |= truth is None
    return ANYTHING if undecided else not ends


def _calculated(operation: ast.operator, left: Any, right: Any) -> Any:
    """A sum or another result; `NOTHING` of nothing, and where Python has no result."""
    if left is NOTHING or right is NOTHING:
        return NOTHING
    if isinstance(left, AtLeast) or isinstance(right, AtLeast):
        return ANYTHING
    try:
        return ARITHMETIC[type(operation)](left, right)
    except (ZeroDivisionError, OverflowError):
        return NOTHING


def _compared(
    left: ast.expr, kind: ast.cmpop, right: ast.expr, values: Mapping[str, Any]
) -> bool | None:
    """Whether a comparison is true; it is false of `NOTHING`."""
    one = _value(left, values)
    if isinstance(right, ast.Tuple | ast.List):
        if one is NOTHING:
            return False
        equal = (_related(ast.Eq, one, _value(other, values)) for other in right.elts)
        found = _truth(_all_of(equal, ends=True))
        return found if isinstance(kind, ast.In) or found is None else not found
    return _related(type(kind), one, _value(right, values))


def _related(kind: type[ast.cmpop], one: Any, other: Any) -> bool | None:
    """Whether two values are so related; None: it cannot be told."""
    if one is NOTHING or other is NOTHING:
        return False
    if ANYTHING in (one, other):
        return None

    def cases(value: Any, beside: Any) -> tuple[Any, ...]:
        """The values at which the truth can change: the least, where both are equal, the end."""
        if not isinstance(value, AtLeast):
            return (value,)
        return value.least, max(value.least, getattr(beside, "least", beside)), inf

    truths = {COMPARISONS[kind](*pair) for pair in product(cases(one, other), cases(other, one))}
    return truths.pop() if len(truths) == 1 else None


def _truth(value: Any) -> bool | None:
    """The truth of a value; None: it cannot be told."""
    if isinstance(value, AtLeast):
        return True if value.least > 0 else None
    return bool(value)
