"""Named regions of a lattice: a diamond of radius 6, a hexagon of side 3.

A family of regions is data: the names of its sizes, limits for the coordinates of a cell's vector,
and a condition on where the centre of a cell lies, in lattice coordinates. The sides of these
regions run along or between cells, so a cell is in a region if its centre is.

Lengths and conditions are text, `2 * n - 1`, `abs(x) + abs(y) <= r`, so a region in a TOML file can
be all that a region in Python is, and lattices can be compared, copied and written. The language is
a small part of Python's, read into a tree and never run as code: numbers, names, + - * / // %, abs,
min, max, comparisons, and, or, parentheses.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from exactcover.errors import LatticeError
from exactcover.lattices.structured import check_fields

# -- expressions ----------------------------------------------------------------------------------

MAX_LENGTH = 200
MAX_NUMBER = 1_000_000

NEAR = 1e-7
"""Numbers that differ by less are equal: a third of a cell is rounded."""

Number = Any
"""A `Fraction`, or an array of floats: one number for each of many places."""

ARITHMETIC: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Number, Number], Any]] = {
    ast.Lt: lambda a, b: a < b - NEAR,
    ast.LtE: lambda a, b: a <= b + NEAR,
    ast.Gt: lambda a, b: a > b + NEAR,
    ast.GtE: lambda a, b: a >= b - NEAR,
    ast.Eq: lambda a, b: abs(a - b) <= NEAR,
    ast.NotEq: lambda a, b: abs(a - b) > NEAR,
}
FUNCTIONS: dict[str, Callable[..., Number]] = {
    "abs": abs,
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
}


@lru_cache(maxsize=1024)
def _tree(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise LatticeError(f"{text[:40]!r}... is longer than {MAX_LENGTH} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise LatticeError(
            f"{text!r:.60} is no expression, such as '2 * n - 1' or 'abs(x) + abs(y) <= n'"
        ) from None


def check_expression(text: str, names: Collection[str], *, condition: bool = False) -> None:
    """Raise a `LatticeError` unless the text is a number, or a condition, made of these names."""
    _check(_tree(text), names, text, condition)


def value_of(text: str, values: Mapping[str, Number]) -> Any:
    """The number, or the truth, of a checked text for these values of its names: one of it, or an
    array."""
    try:
        value = _value(_tree(text), values)
        if isinstance(value, float):
            return Fraction(value)  # raises if it is not finite
    except (ArithmeticError, ValueError):  # a ValueError: it is no number at all
        raise LatticeError(f"{text!r:.60} has no value: it divides by 0, or is too large") from None
    return value


def _check(node: ast.expr, names: Collection[str], text: str, condition: bool) -> None:
    parts: Sequence[ast.expr] = ()
    match node:
        case ast.BoolOp(values=parts) if condition:
            pass
        case ast.Compare(ops=ops) if condition and all(type(op) in COMPARISONS for op in ops):
            parts, condition = [node.left, *node.comparators], False
        case _ if condition:
            raise LatticeError(f"{text!r:.60} is no condition, such as 'abs(x) + abs(y) <= n'")
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            if not abs(value) <= MAX_NUMBER:
                raise LatticeError(f"{text!r:.60}: a number is at most {MAX_NUMBER:,}")
        case ast.Name(id=name):
            if name not in names:
                known = ", ".join(names)
                raise LatticeError(f"{text!r:.60}: {name} is none of the names {known}")
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            parts = [left, right]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            parts = [inner]
        case ast.Call(func=ast.Name(id=name), args=[_, *more], keywords=[]) if (
            name in FUNCTIONS and not (name == "abs" and more)
        ):
            parts = node.args
        case _:
            raise LatticeError(
                f"{text!r:.60}: an expression has numbers, names, + - * / // %, abs, min and max"
            )
    for part in parts:
        _check(part, names, text, condition)


def _value(node: ast.expr, values: Mapping[str, Number]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(left=left, op=op, right=right):
            return ARITHMETIC[type(op)](_value(left, values), _value(right, values))
        case ast.UnaryOp(op=sign, operand=inner):
            return -_value(inner, values) if isinstance(sign, ast.USub) else _value(inner, values)
        case ast.Call(func=ast.Name(id=name), args=parts):
            return FUNCTIONS[name](*(_value(part, values) for part in parts))
        case ast.BoolOp(op=join, values=parts):
            joined = np.logical_and if isinstance(join, ast.And) else np.logical_or
            return reduce(joined, (_value(part, values) for part in parts))
        case ast.Compare(left=left, ops=ops, comparators=others):
            numbers = [_value(part, values) for part in (left, *others)]
            pairs = zip(ops, numbers, numbers[1:], strict=False)
            return reduce(np.logical_and, (COMPARISONS[type(op)](a, b) for op, a, b in pairs))
    raise AssertionError(ast.dump(node))  # `_check` refuses every other node


# -- families -------------------------------------------------------------------------------------

COORDINATES = "xyzwvu"
NAME = re.compile(r"[a-z][a-z0-9-]*")
SIZE = re.compile(r"[a-z][a-z0-9_]*")
BETWEEN = ".."


@dataclass(frozen=True)
class Family:
    """A family of regions; every size is 1 or more.

    name     the name in puzzle files
    sizes    what its whole numbers mean, in order
    summary  one line for lists
    limits   for each coordinate of a vector its range, as in `0..n - 1`
    where    a condition on the centre x, y ... of a cell; empty: every cell within the limits
    needs    a condition on the sizes; empty: all sizes are right
    sides    vectors along the sides that can be joined, so that the board is a cylinder or a torus
    """

    name: str
    sizes: tuple[str, ...]
    summary: str
    limits: tuple[str, ...]
    where: str = ""
    needs: str = ""
    sides: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def usage(self) -> str:
        return " ".join((self.name, *self.sizes))

    def bounds(self) -> list[tuple[str, str]]:
        """The two ends of each limit."""
        ends = [limit.split(BETWEEN) for limit in self.limits]
        return [(low, high) for low, high in ends]

    def check(self, dimension: int) -> None:
        """Raise a `LatticeError` if this is no family of regions in this many dimensions."""
        coordinates = COORDINATES[:dimension]
        if not NAME.fullmatch(self.name) or self.name == "box":
            raise LatticeError(
                f"{self.name!r:.60} is no name of a region: small letters, digits and hyphens; "
                "every lattice has a box"
            )
        if not 1 <= len(self.sizes) == len(set(self.sizes)) <= dimension + 3:
            raise LatticeError(f"{self.name}: sizes are 1 to {dimension + 3} different names")
        for size in self.sizes:
            if not SIZE.fullmatch(size) or size in (*coordinates, *FUNCTIONS):
                raise LatticeError(f"{self.name}: {size!r:.60} is no name of a size, such as 'n'")
        if len(self.limits) != dimension or any(
            len(limit.split(BETWEEN)) != 2 for limit in self.limits
        ):
            raise LatticeError(
                f"{self.name}: limits are {dimension} ranges, such as '0..n - 1', "
                f"not {list(self.limits)!r:.60}"
            )
        if any(len(side) != dimension for side in self.sides) or len(self.sides) > dimension:
            raise LatticeError(f"{self.name}: sides are up to {dimension} vectors of {dimension}")
        for text in (*sum(self.bounds(), ()), *sum(self.sides, ())):
            check_expression(text, self.sizes)
        if self.where:
            check_expression(self.where, (*self.sizes, *coordinates), condition=True)
        if self.needs:
            check_expression(self.needs, self.sizes, condition=True)

    def resized(self, smaller: Callable[[str], str]) -> Family:
        """The family with another expression for each size, but the same sides and needs."""
        word = re.compile(rf"\b({'|'.join(self.sizes)})\b")

        def changed(text: str) -> str:
            return word.sub(lambda found: smaller(found[1]), text)

        limits = tuple(map(changed, self.limits))
        return replace(self, limits=limits, where=changed(self.where))
