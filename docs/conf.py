"""How the documentation is built: `make docs`. Nothing is fetched from the network."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from importlib import import_module
from pathlib import Path

from sphinx.application import Sphinx

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(CHECKOUT))

project = "exactcover"
author = "The exactcover authors"
copyright = "2026, The exactcover authors"  # noqa: A001 - Sphinx wants this name
release = version = import_module("exactcover").__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = f"exactcover {release}"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_default_options["no-value"] = True
autodoc_type_aliases = {
    name: name.rpartition(".")[2]
    for name in ("IntArray", "npt.ArrayLike", "npt.NDArray", "Function")
}


def as_restructured_text(docstring: list[str]) -> list[str]:
    """A docstring, which is written as plain text, in the words of Sphinx.

    Names in `single backticks` become code. A paragraph that is indented or set in columns is a
    picture or a table and is shown as it stands. A list of `-` or `*` points stays a list.
    """
    paragraphs = re.split(r"\n(?:[ \t]*\n)+", "\n".join(docstring).strip("\n"))
    shown: list[str] = []
    for paragraph in paragraphs:
        lines = paragraph.splitlines()
        points = bool(lines) and lines[0].startswith(("- ", "* "))
        columns = any(re.search(r"\S {2,}\S", line) for line in lines)
        indented = any(line.startswith((" ", "\t")) for line in lines)
        if columns or (indented and not points):
            shown += ["::", "", *textwrap.indent(paragraph, "    ").splitlines()]
        else:
            shown += _inline(paragraph).splitlines()
        shown.append("")
    return shown


def _inline(prose: str) -> str:
    """Prose: `code` is code, *stress* is stress, and no other sign means anything."""
    shown = []
    for part in re.split(r"(`[^`]+`|(?<!\S)\*\w+\*)", prose):
        if part.startswith("`") and part.endswith("`") and len(part) > 2:
            code = " ".join(part[1:-1].split())
            shown.append(rf"\ ``{code}``\ ")
        elif re.fullmatch(r"\*\w+\*", part):
            shown.append(rf"{part}\ ")
        else:
            shown.append(re.sub(r"([\\`|_]|\*(?! ))", r"\\\1", part))
    return "".join(shown)


def _on_docstring(
    _app: Sphinx, what: str, name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    from tests.docs.names import written_below

    if what == "data":  # Sphinx reads only the `__init__.py` of the package that gives the name
        room, _, own = name.rpartition(".")
        lines[:] = inspect.cleandoc(written_below(room, own)).splitlines()
    lines[:] = as_restructured_text(lines)


def with_docstrings(page: str) -> str:
    """The reference, with the docstrings of each room behind the table of its names."""
    from tests.docs.names import is_data, listed, rooms

    elsewhere = [
        getattr(import_module(room), name)
        for room in rooms()[1:]
        for name in import_module(room).__all__
    ]
    head, *parts = re.split(r"(?m)^(?=### exactcover)", page)
    for room, part in zip(rooms(), parts, strict=True):
        lines = [] if room == "exactcover" else [f".. automodule:: {room}", INHERITED]
        for name in listed(room):
            value = getattr(import_module(room), name)
            if is_data(value):  # of a room that is one module, Sphinx finds the constants
                if hasattr(import_module(room), "__path__"):
                    lines.append(f".. autodata:: {room}.{name}")
            elif room == "exactcover" and not any(value is one for one in elsewhere):
                kind = "class" if isinstance(value, type) else "function"
                lines.append(f".. auto{kind}:: {room}.{name}")
        head += part + "\n".join(["\n```{eval-rst}", *lines, "```\n\n"])
    return head


INHERITED = "   :inherited-members: Iterator, tuple, Exception, BaseException"


def _on_source(_app: Sphinx, page: str, source: list[str]) -> None:
    if page == "reference":
        source[0] = with_docstrings(source[0])
    else:
        from docs.tables import TABLES

        source[0] += "\n".join(TABLES[page]() if page in TABLES else ())


def setup(app: Sphinx) -> None:
    app.connect("source-read", _on_source)
    app.connect("autodoc-process-docstring", _on_docstring)
