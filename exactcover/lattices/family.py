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
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Annotated, Any

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


def check_number(text: str, names: Collection[str]) -> None:
    """Raise a `LatticeError` unless the text is a number made of these names."""
    _check(_tree(text), names, text)


def check_condition(text: str, names: Collection[str]) -> None:
    """Raise a `LatticeError` unless the text is a condition on these names."""
    _check_condition(_tree(text), names, text)


def number(text: str, values: Mapping[str, Number]) -> Number:
    """The number that a checked text means for these values of its names."""
    return _number(_tree(text), values)


def holds(text: str, values: Mapping[str, Number]) -> Any:
    """Whether a checked condition holds: one truth value, or an array of them."""
    return _holds(_tree(text), values)


def _check_condition(node: ast.expr, names: Collection[str], text: str) -> None:
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            _check_condition(part, names, text)
    elif isinstance(node, ast.Compare) and all(type(op) in COMPARISONS for op in node.ops):
        for part in (node.left, *node.comparators):
            _check(part, names, text)
    else:
        raise LatticeError(f"{text!r:.60} is no condition, such as 'abs(x) + abs(y) <= n'")


def _check(node: ast.expr, names: Collection[str], text: str) -> None:
    """Check a number. Products of names are refused, so that numbers stay small."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Constant):
        value = node.value
        if not isinstance(value, int | float) or value is True or value is False:
            raise LatticeError(f"{text!r:.60}: {value!r:.20} is no number")
        if not abs(value) <= MAX_NUMBER:
            raise LatticeError(f"{text!r:.60}: a number is at most {MAX_NUMBER:,}")
    elif isinstance(node, ast.Name):
        if node.id not in names:
            known = ", ".join(names)
            raise LatticeError(f"{text!r:.60}: {node.id} is none of the names {known}")
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        parts = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        parts = [node.operand]
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in FUNCTIONS
        and node.args
        and not node.keywords
        and (node.func.id != "abs" or len(node.args) == 1)
    ):
        parts = node.args
    else:
        raise LatticeError(
            f"{text!r:.60}: an expression has numbers, names, + - * / // %, abs, min and max"
        )
    for part in parts:
        _check(part, names, text)
    if isinstance(node, ast.BinOp):
        left, right, both = _constant(node.left), _constant(node.right), None
        if isinstance(node.op, ast.Mult) and left is None and right is None:
            raise LatticeError(f"{text!r:.60}: one factor of a product must be a number")
        if isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod) and not right:
            raise LatticeError(f"{text!r:.60}: only a number other than 0 can divide")
        if left is not None and right is not None:
            both = _constant(node)
        if both is not None and not abs(both) <= MAX_NUMBER:
            raise LatticeError(f"{text!r:.60}: a number is at most {MAX_NUMBER:,}")


def _constant(node: ast.expr) -> Number | None:
    """The value of a checked expression without names."""
    if any(isinstance(part, ast.Name) and part.id not in FUNCTIONS for part in ast.walk(node)):
        return None
    return _number(node, {})


def _number(node: ast.expr, values: Mapping[str, Number]) -> Number:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return values[node.id]
        case ast.BinOp():
            return ARITHMETIC[type(node.op)](
                _number(node.left, values), _number(node.right, values)
            )
        case ast.UnaryOp():
            inner = _number(node.operand, values)
            return -inner if isinstance(node.op, ast.USub) else inner
        case ast.Call(func=ast.Name(id=name)):
            return FUNCTIONS[name](*(_number(part, values) for part in node.args))
    raise AssertionError(ast.dump(node))  # `_check` refuses every other node


def _holds(node: ast.expr, values: Mapping[str, Number]) -> Any:
    if isinstance(node, ast.BoolOp):
        join = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        return reduce(join, (_holds(part, values) for part in node.values))
    assert isinstance(node, ast.Compare)  # `_check_condition` refuses every other node
    numbers = [_number(part, values) for part in (node.left, *node.comparators)]
    pairs = zip(node.ops, numbers, numbers[1:], strict=False)
    return reduce(np.logical_and, (COMPARISONS[type(op)](a, b) for op, a, b in pairs))


# -- families -------------------------------------------------------------------------------------

COORDINATES = "xyzwvu"
NAME = re.compile(r"[a-z][a-z0-9-]*")
SIZE = re.compile(r"[a-z][a-z0-9_]*")
BETWEEN = ".."

Expression = Annotated[str, "expression"]
"""Text of `expressions`, which a lattice file may write as a number."""


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
    sides: tuple[tuple[Expression, ...], ...] = ()

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
            check_number(text, self.sizes)
        if self.where:
            check_condition(self.where, (*self.sizes, *coordinates))
        if self.needs:
            check_condition(self.needs, self.sizes)

    def resized(self, smaller: Callable[[str], str]) -> Family:
        """The family with another expression for each size, but the same sides and needs."""
        word = re.compile(rf"\b({'|'.join(self.sizes)})\b")

        def changed(text: str) -> str:
            return word.sub(lambda found: smaller(found[1]), text)

        limits = tuple(map(changed, self.limits))
        return replace(self, limits=limits, where=changed(self.where))
