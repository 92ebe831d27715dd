"""Public names: the tables of the reference, names of the packages, and what pages import."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest

from tests.docs.blocks import ROOT, blocks, pages, read
from tests.docs.names import is_data, rooms, with_names, written_below
from tests.docs.running import ENTRY_POINTS

REFERENCE = read("docs/reference.md")

ROOMS = rooms()

NAMES = [(room, name) for room in ROOMS for name in import_module(room).__all__]

CURRENT = [page for page in pages() if page != "CHANGELOG.md" and "decisions" not in page]
"""The changelog and the records of decisions may name what is private, or gone."""

Public = tuple[str, str]
"""A room, and a name that it gives."""


def test_the_page_has_a_line_for_each_public_name() -> None:
    """Made again by `python -m tests.docs.names`."""
    assert len(NAMES) > 150
    assert with_names(REFERENCE) == REFERENCE
    shown = re.findall(r"(?m)^\| `(\w+)` \| \w", REFERENCE.partition("## Python")[2])
    assert set(shown) == {name for _, name in NAMES}


def test_each_public_name_has_a_docstring(subtests: pytest.Subtests) -> None:
    for room, name in NAMES:
        with subtests.test(room=room, name=name):
            value = getattr(import_module(room), name)
            if is_data(value):
                assert written_below(room, name)
            else:
                written_by_dataclass = f"{name}("
                assert value.__doc__
                assert not value.__doc__.startswith(written_by_dataclass)


def test_a_name_means_one_thing() -> None:
    meanings: dict[str, Any] = {}
    for room, name in NAMES:
        value = getattr(import_module(room), name)
        assert meanings.setdefault(name, value) is value, f"{room}.{name}"


def test_a_name_is_not_hidden_by_a_module(subtests: pytest.Subtests) -> None:
    for room in ROOMS:
        with subtests.test(room):
            package = import_module(room)
            for module in iter_modules(getattr(package, "__path__", ())):
                if module.name in package.__all__:
                    import_module(f"{room}.{module.name}")
                    assert not isinstance(getattr(package, module.name), ModuleType), module.name


def lazy_packages() -> Iterator[tuple[str, dict[str, str], dict[str, str]]]:
    """The packages whose names load on demand: where type checkers, and Python, look for each."""
    for path in sorted((ROOT / "exactcover").rglob("__init__.py")):
        text = path.read_text()
        if "import on_demand" in text:
            branch = next(one for one in ast.parse(text).body if isinstance(one, ast.If))
            imports = [one for one in branch.body if isinstance(one, ast.ImportFrom)]
            checked = {
                alias.name: one.module or ""
                for one in imports
                for alias in one.names
                if alias.asname
            }
            [table] = [one for one in ast.walk(branch) if isinstance(one, ast.Dict)]
            loaded = {
                name: f"exactcover.{module}"
                for module, names in ast.literal_eval(table).items()
                for name in names.split()
            }
            yield str(path.parent.relative_to(ROOT)).replace("/", "."), checked, loaded


def test_a_package_lists_and_loads_its_names(subtests: pytest.Subtests) -> None:
    packages = list(lazy_packages())
    assert len(packages) > 4
    for room, checked, loaded in packages:
        with subtests.test(room):
            package = import_module(room)
            assert checked == loaded
            assert set(loaded) <= set(package.__all__) == set(dir(package))
            for name in loaded:
                assert getattr(package, name) is not None
            with pytest.raises(AttributeError, match="'nothing'"):
                _ = package.nothing


def programs() -> Iterator[tuple[str, str]]:
    """The Python of pages, examples and docstrings, and where it is."""
    parser = doctest.DocTestParser()
    for page in pages():
        for block in blocks(page, read(page)):
            if block.language == "python":
                yield block.place, block.text
    for path in sorted((ROOT / "examples").glob("*.py")):
        yield path.name, path.read_text()
    for path in sorted((ROOT / "exactcover").rglob("*.py")):
        for text in docstrings(path):
            yield path.name, "".join(one.source for one in parser.get_examples(text))


def docstrings(path: Path) -> Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, kinds):
            yield ast.get_docstring(node) or ""


def imports(code: str) -> Iterator[Public]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == "exactcover"


def test_pages_and_examples_import_public_names_alone() -> None:
    public = {*NAMES, *((room, "") for room in ROOMS)}
    found = [
        (place, module, name)
        for place, code in programs()
        for module, name in imports(code)
        if is_ours(module)
    ]
    assert len(found) > 50
    assert [one for one in found if one[1:] not in public] == []


def test_pages_name_public_modules_alone(subtests: pytest.Subtests) -> None:
    for page in CURRENT:
        with subtests.test(page):
            for module in re.findall(r"`(exactcover\.[\w.]+)`", read(page)):
                room, _, name = module.rpartition(".")
                public = {*ROOMS, *ENTRY_POINTS}
                assert module in public or (room, name) in NAMES, module
