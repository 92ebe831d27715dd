"""Messages about text that is not TOML, in plain words and with a correct example.

The parser of the standard library says `Invalid value` or `Cannot overwrite a value`, which helps
only someone who knows the standard. Its place is right; the line at that place shows the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
KEY_LINE = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=(.*)")
HEADING = re.compile(r"\s*\[\[?([^\[\]]+)\]")
CURLY = "“”„‘’"

EXAMPLES = {
    "title": 'title = "Pentominoes in a box"',
    "source": 'source = "Golomb, 1965"',
    "lattice": 'lattice = "square"',
    "pieces": 'pieces = "pentominoes"',
    "region": 'region = "10x6"',
    "name": 'name = "A"',
    "reflections": "reflections = true",
    "crossing": "crossing = false",
    "stationary": "stationary = true",
    "copies": 'copies = "1..3"',
    "cost": "cost = 3",
    "cells": "cells = [[0, 0], [1, 0]]",
    "empty": 'empty = "0..3"',
}
"""A correct line, by its key."""

ANY = 'region = "10x6"'

LOOKED_AT = 20
"""The number of last lines that are searched for a repeated key."""


MAX_SHOWN = 60
"""The most characters of a file that a message shows."""


@dataclass(frozen=True)
class Mistake:
    """The mistake and its line, counted from 1."""

    message: str
    line: int | None = None
    token: str | None = None


def explained(message: str, text: str) -> Mistake:
    """The meaning of the parser's message for this text."""
    found = PLACE.search(message)
    if not found:
        return Mistake(message)
    lines = text.replace("\r\n", "\n").split("\n")
    line = int(found[1]) if found[1] else len(lines)
    column = int(found[2]) if found[2] else len(lines[-1]) + 1
    said = message[: found.start()]
    at = _last_written(lines, line)
    repeated = re.match(r"Cannot overwrite|Cannot declare|Cannot mutate|Duplicate", said)
    if repeated:
        return Mistake(_repeated(lines, at), at)
    key, value = _key_and_value(lines[at - 1])
    open_list = said == "Invalid value" and not found[1] and value.endswith(("[", ",", "{"))
    if open_list or said.startswith(("Unclosed", "Expected ']")):
        return Mistake(_unclosed(said, lines, line), line)
    if said.startswith(("Unterminated", "Illegal character", 'Expected "\'"')):
        return _unquoted_end(lines, at, said)
    if said.startswith(("Invalid value", "Expected newline")) and key:
        return Mistake(_wrong_value(key, value), at, _shown(value) if value else None)
    token = lines[line - 1][column - 1 :].strip()
    if said == "Invalid value" and (word := re.match(r"[A-Za-z][\w-]*", token)):
        return Mistake(f'a text stands in quotation marks: "{word[0]}"', line, _shown(word[0]))
    if said.startswith("Unescaped"):
        message = "a backslash in a text is written twice, or the text stands in single quotes: "
        return Mistake(message + r"title = 'A \ B'", at)
    form = f"a line is KEY = VALUE, for example {EXAMPLES.get(_first_word(lines[at - 1]), ANY)}"
    return Mistake(form, line, _shown(token) if token else None)


def _last_written(lines: list[str], line: int) -> int:
    """This line, or the last one before it that is not blank."""
    while line > 1 and not lines[line - 1].strip():
        line -= 1
    return line


def _key_and_value(line: str) -> tuple[str, str]:
    """The key of a line and its value; empty if it has none."""
    found = KEY_LINE.match(line)
    return (found[1], _bare(found[2])) if found else ("", "")


def _bare(value: str) -> str:
    """A value without a comment and without quotation marks."""
    return value.split("#", maxsplit=1)[0].strip().strip("\"'" + CURLY)


def _first_word(line: str) -> str:
    found = re.match(r"\s*([A-Za-z0-9_-]+)", line)
    return found[1] if found else ""


def _quoted(key: str, value: str) -> str:
    """The line as it was meant, if it was meant as a text; else the example for its key."""
    plain = value and len(value) <= 60 and not re.search(r"[\"'\\\[\]{}=]", value)
    return f'{key} = "{value}"' if plain else EXAMPLES.get(key, f'{key} = "..."')


def _wrong_value(key: str, value: str) -> str:
    if value.lower() in ("true", "false"):
        return f"true and false are written small: {key} = {value.lower()}"
    if not value:
        return f"{key} has no value: {EXAMPLES.get(key, ANY)}"
    if re.match(r"[\[{]", value):
        return 'a list is written [1, 2] or ["a", "b"]'
    return f"a text stands in quotation marks: {_quoted(key, value)}"


def _unquoted_end(lines: list[str], at: int, said: str) -> Mistake:
    """A text without a quotation mark at its end; one of several lines began further up."""
    for mark in ('"""', "'''"):
        opened = [n for n, line in enumerate(lines[:at], 1) for _ in range(line.count(mark))]
        if len(opened) % 2:
            message = f"a text of several lines begins here and is not closed: it ends with {mark}"
            return Mistake(message, opened[-1])
    key, value = _key_and_value(lines[at - 1])
    example = _quoted(key, value) if key else ANY
    return Mistake(f"a text is not closed by a quotation mark: {example}", at)


def _unclosed(said: str, lines: list[str], line: int) -> str:
    """A list, a table or a heading without its end; it may have begun further up."""
    if "declaration" in said:
        return "a heading is not closed: it is [counts] or [[piece]]"
    mark, what = ("}", "a table") if "inline" in said else ("]", "a list")
    opening = {"}": "{", "]": "["}[mark]
    began = next((n for n in range(line, 0, -1) if opening in lines[n - 1]), line)
    example = (
        'pieces = ["pentominoes", "domino"]' if mark == "]" else '{family = "box", sizes = [2, 2]}'
    )
    return f"{what} that begins on line {began} is not closed with {mark}: {example}"


def _repeated(lines: list[str], at: int) -> str:
    """A key or a heading that was there before."""
    for number in range(at, max(0, at - LOOKED_AT), -1):
        text = lines[number - 1]
        if heading := HEADING.match(text):
            return _repeated_heading(lines, number, heading[1].strip())
        key, _ = _key_and_value(text)
        first = _first_with(lines, number, key) if key else None
        if first is not None:
            example = lines[first - 1].strip()
            return (
                f"the key {key} is there twice, first on line {first}: keep one line, "
                f"for example {_shown(example)}"
            )
    return f"a key is there twice: keep one line, for example {ANY}"


def _first_with(lines: list[str], before: int, key: str) -> int | None:
    """The line above `before`, in the same table, that has the same key."""
    for number in range(before - 1, 0, -1):
        if HEADING.match(lines[number - 1]):
            return None
        if _key_and_value(lines[number - 1])[0] == key:
            return number
    return None


def _repeated_heading(lines: list[str], at: int, name: str) -> str:
    for number in range(1, at):
        text = lines[number - 1]
        heading = HEADING.match(text)
        if (heading and heading[1].strip() == name) or _key_and_value(text)[0] == name:
            return (
                f"{name} is there twice, first on line {number}: say it in one place, "
                f"under one heading [{name}], or each time as [[{name}]] if there are several"
            )
    return f"{name} is there twice: say it in one place"


def _shown(text: str) -> str:
    """A part of the text for a message; a long one is cut."""
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."
