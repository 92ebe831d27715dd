"""Rules that the code is read for: of tests, and of what is drawn and made."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
from grimp import build_graph

ROOT = Path(__file__).parents[1]
TESTS = sorted((ROOT / "tests").rglob("*.py"))

Function = tuple[Path, str]

BLAS = {
    "geometry/bodies.py": "whole numbers; a basis, which is rounded then",
    "show/text.py": "whole numbers",
    "show/tiles.py": "whole numbers",
    "studio/burrs/blocking.py": "whole numbers",
}
"""The uses of BLAS that are allowed in the rooms that draw and make, each with its values."""


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports within functions count, those for the type checker do not."""
    graph = build_graph("exactcover", exclude_type_checking_imports=True, cache_dir=None)
    pairs = [
        (module, other)
        for module in graph.modules
        for other in graph.find_modules_directly_imported_by(module)
    ]
    assert [
        one for one in nx.strongly_connected_components(nx.DiGraph(pairs)) if len(one) > 1
    ] == []


def test_every_test_asserts_something() -> None:
    """A test has an assertion of its own, or calls a function of the tests that has one."""
    functions = {function: node for path in TESTS for function, node in functions_of(path)}
    imported = {path: dict(imports_of(path)) for path in TESTS}
    called = {
        (path, name): {imported[path].get(one, (path, one)) for one in calls(node)}
        for (path, name), node in functions.items()
    }
    asserting = {function for function, node in functions.items() if asserts(node)}
    while callers := {one for one in functions if called[one] & asserting} - asserting:
        asserting |= callers
    tests = {function for function in functions if function[1].startswith("test_")}
    assert len(tests) > 1000
    assert sorted(f"{path.relative_to(ROOT)}: {name}" for path, name in tests - asserting) == []


def test_no_test_uses_a_private_name() -> None:
    """A test that needs one is bound to how the code does it, not to what it does."""
    found = {path.relative_to(ROOT / "tests").as_posix(): private_names(path) for path in TESTS}
    assert {name: names for name, names in found.items() if names} == {}


def test_what_is_drawn_and_made_does_not_depend_on_the_processor() -> None:
    """BLAS rounds as the processor likes; `exactcover/base/values/products.py` does not."""
    using = set()
    bodies = ("geometry/bodies.py", "studio/burrs/blocking.py")
    for room in ("show/**/*.py", "backends/heuristics/**/*.py", *bodies):
        for path in sorted((ROOT / "exactcover").glob(room)):
            for node in nodes(path):
                product = isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
                if product or is_attribute(node, "np", {"dot", "einsum", "inner", "linalg"}):
                    using.add(path.relative_to(ROOT / "exactcover").as_posix())
    assert using == BLAS.keys()


def test_no_class_name_stands_twice() -> None:
    """A reader who meets a name knows which class it is."""
    places: dict[str, list[str]] = {}
    for path in sorted((ROOT / "exactcover").rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.name)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_docstrings_and_comments_are_plain_english() -> None:
    """A docstring names its subject instead of asking "What"; "at most n" replaces "so many"."""
    found: list[str] = []
    for path in sorted((ROOT / "exactcover").rglob("*.py")):
        place = path.relative_to(ROOT / "exactcover")
        for line, text in prose_of(path):
            if re.match(r'r?"""What\b', text) or re.search(r"\bso\s+many\b", text, re.IGNORECASE):
                found.append(f"{place}:{line}: {text[:60]}")
    assert found == []


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a file, each with its line."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            docstring = token.type == tokenize.STRING and token.string.startswith(('"""', 'r"""'))
            if docstring or token.type == tokenize.COMMENT:
                yield token.start[0], token.string


@cache
def nodes(path: Path) -> list[ast.AST]:
    """The nodes of the syntax tree of a file."""
    return [*ast.walk(ast.parse(path.read_text()))]


def is_attribute(node: ast.AST, module: str, names: set[str]) -> bool:
    """Whether the node is `module.name` with one of the names."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return node.value.id == module and node.attr in names


def private_names(path: Path) -> set[str]:
    """The names that begin with an underscore and that a file uses and does not define.

    Names of other packages are left out: three by name, those that end with an underscore all.
    """
    used: set[str] = set()
    own = {"_getframe", "_Highs", "_replace"}
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Attribute):
            own_object = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
            (own if own_object else used).add(node.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("exactcover"):
            used.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and is_setattr(node):
            used.add(str(ast.literal_eval(node.args[-2])).rpartition(".")[2])
    return {name for name in used - own if name.startswith("_") and not name.endswith("_")}


def is_setattr(node: ast.Call) -> bool:
    """Whether the node replaces an attribute that it names, alone or at the end of a path."""
    named = isinstance(node.func, ast.Attribute) and node.func.attr == "setattr"
    return named and len(node.args) > 1 and isinstance(node.args[-2], ast.Constant)


def functions_of(path: Path) -> Iterator[tuple[Function, ast.FunctionDef]]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef):
            yield (path, node.name), node


def imports_of(path: Path) -> Iterator[tuple[str, Function]]:
    """The names that a file imports from other files of the tests, and where they are defined."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
            source = ROOT.joinpath(*str(node.module).split(".")).with_suffix(".py")
            for alias in node.names:
                yield alias.asname or alias.name, (source, alias.name)


def asserts(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(node, ast.Assert) or is_attribute(node, "pytest", {"raises", "warns", "fail"})
        for node in ast.walk(function)
    )


def calls(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
