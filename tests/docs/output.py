"""When what a page shows is what was printed, and how the page is rewritten when it is not.

Seconds, memory and the like differ from run to run, so any number with their unit equals any other.
`...` in a line stands for any text, and a line `...` for any number of lines.
"""

from __future__ import annotations

import re

VOLATILE = [
    (re.compile(r"\b\d[\d,]*(?:\.\d+)?(?= (?:s|ms|seconds?|MiB|GiB)\b)"), "N"),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:\.\d+)?"), "00:00:00"),
    (re.compile(r'("seconds": )[-+.\de]+'), r"\1N"),
]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
MANY = "..."

SHOWN_AT_MOST = 40
SHOWN_OF_MORE = 12, 4
WIDTH = 110


def tidy(text: str) -> list[str]:
    """The lines of a text, without blanks at their ends, and without blank lines at its ends."""
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def agree(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed."""
    wanted, had = tidy(shown), tidy(printed)
    if MANY not in wanted:
        return len(wanted) == len(had) and all(map(line_agrees, wanted, had))
    head = wanted.index(MANY)
    tail = len(wanted) - head - 1
    return (
        len(had) >= head + tail
        and all(map(line_agrees, wanted[:head], had))
        and all(map(line_agrees, wanted[head + 1 :], had[len(had) - tail :]))
    )


def line_agrees(shown: str, printed: str) -> bool:
    parts = map(re.escape, _settled(shown).split(MANY))
    return re.fullmatch(".*".join(parts), _settled(printed)) is not None


def _settled(line: str) -> str:
    for pattern, instead in VOLATILE:
        line = pattern.sub(instead, line)
    return line


def rewritten(shown: str, printed: str) -> list[str]:
    """What the page should show: lines that agree stay, and what was left out is left out again."""
    wanted, had = tidy(shown), tidy(printed)
    if MANY in wanted:
        head = wanted.index(MANY)
        tail = len(wanted) - head - 1
        if len(had) > head + tail:
            last = had[len(had) - tail :]
            return [
                *map(_line, wanted[:head], had[:head]),
                MANY,
                *map(_line, wanted[head + 1 :], last),
            ]
    elif len(wanted) == len(had):
        return [*map(_line, wanted, had)]
    kept = {_settled(line): line for line in wanted}
    return [kept.get(_settled(line), _cut(line)) for line in _abridged(had)]


def fresh(printed: str) -> list[str]:
    """The lines for a page that has shown nothing yet."""
    return [_cut(line) for line in _abridged(tidy(printed))]


def _line(shown: str, printed: str) -> str:
    if line_agrees(shown, printed):
        return shown
    before = len(shown.split(MANY, maxsplit=1)[0]) if MANY in shown else WIDTH
    return _cut(printed, max(before, WIDTH // 2))


def _cut(line: str, width: int = WIDTH) -> str:
    """A line that is not too long for a page, cut behind a blank if there is one."""
    if len(line) <= WIDTH:
        return line
    blank = line.rfind(" ", WIDTH // 4, width)
    return line[: blank + 1 if blank > 0 else width] + MANY


def _abridged(lines: list[str]) -> list[str]:
    if len(lines) <= SHOWN_AT_MOST:
        return lines
    first, last = SHOWN_OF_MORE
    return [*lines[:first], MANY, *lines[-last:]]


def numbers(text: str) -> list[str]:
    """The numbers of a text, without the commas that part thousands."""
    return [found.replace(",", "") for found in NUMBER.findall(text)]
