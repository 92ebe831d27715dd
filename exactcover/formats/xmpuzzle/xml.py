"""XML read with distrust: elements with their lines, and nothing that could do harm.

Expat, Python's own parser, tells of one element after the other; a tree is built of them without
recursion. Document types and entities are refused before anything is expanded, so are trees that
are too large. Elements that a reader has no use for are checked and not kept.

The package defusedxml refuses document types and entities, which is one method here. It has no
limits of depth and size: three million nested elements take it 4.8 s and 774 MiB.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from xml.parsers import expat

from exactcover.errors import FormatError, shown
from exactcover.formats.document import Source, errors_at
from exactcover.formats.limits import MAX_ELEMENTS

CHUNK = 1 << 16


@dataclass(frozen=True)
class Element:
    """An element with its attributes, its text, and the line on which it begins."""

    name: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts).strip()

    def error(self, message: str, token: str | None = None) -> FormatError:
        shown_token = None if token is None else shown(token)
        return FormatError(f"<{shown(self.name)}>: {message}", token=shown_token).at(self.line)

    def errors(self) -> AbstractContextManager[None]:
        """Give errors from this block the line of this element."""
        return errors_at(self.line)

    def check(
        self, attributes: Iterable[str] = (), children: Iterable[str] = (), *, text: bool = False
    ) -> None:
        """Refuse what is not among the attributes and children that the reader understands."""
        known, inside = set(attributes), set(children)
        for name in self.attributes:
            if name not in known:
                raise self.error("an attribute that is not understood", name)
        for child in self.children:
            if child.name not in inside:
                raise child.error(f"an element that is not understood inside <{self.name}>")
        if not text and self.text:
            raise self.error("there should be no text here", self.text)

    def every(self, name: str) -> Iterator[Element]:
        return (child for child in self.children if child.name == name)

    def has(self, name: str) -> bool:
        return any(child.name == name for child in self.children)

    def only(self, name: str) -> Element:
        found = [*self.every(name)]
        if len(found) != 1:
            many = "is missing" if not found else "is there more than once"
            raise self.error(f"its <{name}> {many}")
        return found[0]

    def number(self, name: str, low: int = 0, high: int = 999_999_999) -> int:
        """The attribute of this name, a whole number in a range."""
        value = self.attributes.get(name)
        if value is None:
            raise self.error(f"its attribute {name} is missing")
        if not (value.isascii() and value.isdigit() and len(value) <= 9):
            raise self.error(f"{name} must be a whole number of at most 9 digits", value)
        if not low <= int(value) <= high:
            raise self.error(f"{name} must lie in {low}..{high}", value)
        return int(value)


def read_markup(source: Source, skipped: Collection[str] = ()) -> Element:
    """The root of the tree; elements of the names in `skipped` are left out with all in them."""
    above = Element("", 0)
    open_ = [above]
    skipping = elements = 0  # open elements in one that is skipped, itself included; those kept
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal skipping, elements
        if skipping or name in skipped:
            skipping += 1
            return
        elements += 1
        if elements > MAX_ELEMENTS:
            raise FormatError(f"more than {MAX_ELEMENTS:,} elements")
        element = Element(name, parser.CurrentLineNumber, attributes)
        open_[-1].children.append(element)
        open_.append(element)

    def end(name: str) -> None:
        nonlocal skipping
        if skipping:
            skipping -= 1
        else:
            open_.pop()

    def characters(text: str) -> None:
        if not skipping:
            open_[-1].texts.append(text)

    def declaration(*_: object) -> None:
        raise FormatError("a document type or an entity is declared: that is never read")

    def instruction(target: str, text: str) -> None:
        raise FormatError("a processing instruction: that is never read", token=shown(target))

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = declaration
    parser.ProcessingInstructionHandler = instruction
    text = source.text.lstrip()
    try:
        for begin in range(0, len(text), CHUNK):
            parser.Parse(text[begin : begin + CHUNK], False)
        parser.Parse("", True)
    except FormatError as error:
        raise error.at(parser.CurrentLineNumber) from None
    except expat.ExpatError as error:
        message = f"this is no proper XML: {expat.ErrorString(error.code)}"
        blank = source.text.count("\n", 0, len(source.text) - len(text))
        raise source.error(message, error.lineno + blank) from None
    if not above.children:
        raise source.error("a puzzle file of BurrTools begins with <puzzle>")
    return above.children[0]
