"""Names: which characters they may contain, and distinct ones.

A terminal would obey some characters: the control characters of ASCII and of Latin-1 (C0 and C1),
which move the cursor or change colours; the marks that change the direction of writing, so that a
line looks different from its text; the separators of lines and paragraphs; and halves of surrogate
pairs, which cannot be written. Tabs and the ends of lines are not among them. Readers refuse these
characters, and writers replace them. Texts that must be shown unchanged, for example the name of a
file, are escaped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 and C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # directions of writing
    "\u2028\u2029\ud800-\udfff]"  # separators; halves of surrogate pairs
)

RULE = "names and titles may not hold control characters or marks of the direction of writing"


def escaped(text: str) -> str:
    """A text with every control character as `\\u001b`, as JSON has it; line ends stay."""
    return CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def plain(text: str) -> str:
    """A text in one line, in which every control character is a blank."""
    return " ".join(CONTROL.sub(" ", text).split())


def joined(parts: Iterable[str], between: str, room: int = 50) -> str:
    """The parts as one text, at least the first; `...` stands for those that it has no room for."""
    text = ""
    for number, part in enumerate(parts):
        if number and len(text) + len(between) + len(part) > room:
            return f"{text}{between}..."
        text += between * (number > 0) + part
    return text


def numbered(names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Distinct names: those that occur several times, or are taken, get numbers: `L1`, `L2`.

    A name that ends in a digit is numbered `I5_1`. No number makes a name that is there already.
    """
    times, number = Counter(names), Counter[str]()
    reserved = {*names, *taken}
    found = []
    for name in names:
        if times[name] > 1 or name in taken:
            own = name
            while own in reserved:
                number[name] += 1
                own = f"{name}{'_' * name[-1:].isdigit()}{number[name]}"
            reserved.add(own)
            name = own
        found.append(name)
    return found
