"""Exact covers in numbers: `p ec` files, and the texts in which set partitioning is published.

    c a comment
    p ec 3 2        items are 1 to 3; how many options follow may be left out
    s 1 3           an option
    s 2

    3 2             items are 1 to 3; 2 options
    2 1 3           an option: how many items it has, and these
    1 2

In OR-Library's texts of set partitioning the cost of an option stands before its number of items,
`30 2 1 3`. Which of the two a text is shows in its lines, since the number of items must be right.
Every item is covered exactly once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactcover.base.text import plain
from exactcover.errors import ConversionError, FormatError, shown
from exactcover.formats.document import Document, Remarks, Source, errors_at, whole
from exactcover.formats.exports import one_problem
from exactcover.geometry.cells import MAX_CELLS
from exactcover.problem import Problem
from exactcover.problem.clauses import name_text

COMMENT = "c"


def read_ec(source: Source) -> list[Document]:
    """The problem of a file: there is always just one."""
    remarks = Remarks()
    rows: list[int] = []
    for number, line in enumerate(source.lines, 1):
        if line.split(maxsplit=1)[:1] == [COMMENT]:
            with errors_at(number):
                remarks.add(line.strip()[1:])
        elif line.strip():
            rows.append(number)
    if not rows:
        raise source.error("no problem here: a line `p ec ITEMS OPTIONS` begins one")
    first = rows.pop(0)
    head = source.lines[first - 1].split()
    marked = head[0] == "p"
    with errors_at(first):
        items, options = _sizes(head, marked)
    if options is None and not rows:
        raise source.error(f"no options here: without any write `p ec {items} 0`", first)
    if options not in (None, len(rows)):
        message = f"the file says {options:,} options, and has {len(rows):,}: was it cut off?"
        raise source.error(message, first)
    skipped = 1 if marked else _before_the_items(source, rows)
    starts, entries, costs = [0], [], []
    for row in rows:
        words = source.lines[row - 1].split()
        with errors_at(row):
            if marked and words[0] != "s":
                raise FormatError("an option is written `s 1 5 7`", token=shown(words[0]))
            entries += _items(words[skipped:], items)
            if skipped == 2:
                costs.append(whole(words[0], "a cost"))
        starts.append(len(entries))
    problem = Problem.from_arrays(
        items, starts, np.array(entries, np.int32) - 1, costs=costs or None,
        items=range(1, items + 1),
    )  # fmt: skip
    return [source.document(problem, remarks)]


def _sizes(head: list[str], marked: bool) -> tuple[int, int | None]:
    """The number of items and, if it is there, that of options."""
    numbers = head[2:] if marked else head
    if len(numbers) not in (1, 2) or (marked and head[1] != "ec"):
        message = "the first line is `p ec ITEMS OPTIONS`, or two numbers, of items and options"
        raise FormatError(message, token=shown(" ".join(head)))
    items, *options = (whole(number, "the number of items or options") for number in numbers)
    if not 1 <= items <= MAX_CELLS or min(options, default=0) < 0:
        message = f"a problem has 1 to {MAX_CELLS:,} items, and no negative number of options"
        raise FormatError(message, token=shown(" ".join(numbers)))
    return items, options[0] if options else None


def _before_the_items(source: Source, rows: list[int]) -> int:
    """How many numbers stand before the items of a line: 1, or 2 where there are costs."""
    possible = [1, 2]
    for row in rows:
        words = source.lines[row - 1].split()
        possible = [n for n in possible if words[n - 1 : n] == [str(len(words) - n)]]
        if not possible:
            message = (
                "a line is the number of items and the items, `2 1 5`, or has a cost before, "
                "`30 2 1 5`; all lines of a text are of one kind"
            )
            raise FormatError(message, token=shown(" ".join(words))).at(row)
    if rows and len(possible) == 2:
        message = "it does not show whether options have costs: write it as `p ec`"
        raise FormatError(message).at(rows[0])
    return possible[0]


def _items(words: list[str], most: int) -> list[int]:
    items: dict[int, None] = {}
    for word in words:
        item = whole(word, "an item")
        if not 1 <= item <= most:
            raise FormatError(f"items are 1 to {most:,}", token=shown(word))
        if item in items:
            raise FormatError("an option names an item twice", token=shown(word))
        items[item] = None
    return [*items]


def write_ec(documents: Sequence[Document]) -> str:
    """The problem of the one document as `p ec`; comments say the names of the items."""
    problem, document = one_problem(documents, "ec"), documents[0]
    once = (problem.low == 1).all() and (problem.high == 1).all()
    if not problem.primary or problem.primary < problem.n_items or not once:
        raise ConversionError("ec has items that are covered exactly once, no others: take dlx")
    lines = Remarks.written(document.title, document.source, document.counts, COMMENT)
    if problem.costs is not None:
        lines.append(f"{COMMENT} the costs of the options are left out: ec cannot say them")
    for number, name in enumerate(map(name_text, problem.items), 1):
        if name != str(number):
            lines.append(f"{COMMENT} {number} = {plain(name)}")
    lines.append(f"p ec {problem.n_items} {problem.n_options}")
    for option in range(problem.n_options):
        items = (problem.items_of(option) + 1).tolist()
        if not items:
            raise ConversionError(f"ec cannot say an option without items: {option}")
        lines.append(" ".join(map(str, ("s", *items))))
    return "\n".join(lines) + "\n"
