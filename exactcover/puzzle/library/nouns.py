"""Names of sets of pieces: a number and a family, and words that narrow it down.

`pentominoes`, `One-sided Hexiamonds`, `4d tetracubes` and `polyominoes of 7` are all read into one
`Noun`. Families come from the lattices: what stands after `poly` in a lattice's word for its
shapes. Case does not matter, and a space, a hyphen or an underscore separates words. Qualifiers
stand before the name or after it. A hyphen with a blank beside it is a minus sign:
`pentominoes - X` is the set without X. A text with a word that is not understood is no noun.

A rectangle or a brick is called by its size: `32x11` is made of squares, `4x2x1` of cubes. A size
is written without blanks, so `2 x domino` remains two dominoes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from exactcover.errors import PuzzleError
from exactcover.geometry.cells import MAX_CELLS
from exactcover.geometry.enumeration import Sort
from exactcover.lattices import Cells, Lattice, get_lattice
from exactcover.lattices.registry import BUILT_IN, LATTICES, entries

NUMBERS = {
    1: ("mono", "mon"),
    2: ("di", "do", "d"),
    3: ("tri", "tro", "tr"),
    4: ("tetra", "tetro", "tetr"),
    5: ("penta", "pento", "pent"),
    6: ("hexa", "hexo", "hex"),
    7: ("hepta", "hepto", "hept"),
    8: ("octa", "octo", "oct"),
    9: ("nona", "nono", "non", "ennea", "enneo", "enne"),
    10: ("deca", "deco", "dec"),
    11: ("hendeca", "hendeco", "hendec", "undeca", "undeco", "undec"),
    12: ("dodeca", "dodeco", "dodec"),
}
"""Greek (and some Latin) numbers: in full before a consonant, with o or cut off before a vowel."""

QUALIFIERS = {
    "free": "free",
    "one sided": "one-sided",
    "onesided": "one-sided",
    "fixed": "fixed",
    "planar": "planar",
    "flat": "planar",
    "solid": "solid",
    "nonplanar": "nonplanar",
    "non planar": "nonplanar",
    "nonflat": "nonplanar",
}

CONTRADICTIONS = (
    frozenset({"free", "one-sided"}),
    frozenset({"free", "fixed"}),
    frozenset({"one-sided", "fixed"}),
    frozenset({"planar", "nonplanar"}),
)
"""Qualifiers that exclude each other."""

_QUALIFIER = rf"(?:(?P<word>{'|'.join(QUALIFIERS)})|(?P<dimension>[0-9]) ?d)"
LEADING = re.compile(f"{_QUALIFIER} ")
TRAILING = re.compile(f" {_QUALIFIER}$")

MINUS = re.compile(r"\s+[-\u2212\u2013]\s*|[-\u2212\u2013]\s+")
"""A hyphen (or a longer dash) with a blank on at least one side."""

LOOSE = re.compile(r"(?:^|[\s_-])[_-]|[_-](?:$|[\s_-])")
"""A hyphen or an underscore that does not join two words."""

MAX_SIZE = 99


@dataclass(frozen=True)
class Noun:
    """A set of pieces by name.

    stem        the family: `omino`, `cube`, `iamond` ...
    size        cells in a piece
    qualifiers  `free`, `one-sided`, `fixed`, `planar`, `solid`, `nonplanar`
    dimension   if the name has one: `4d`
    """

    stem: str
    size: int
    qualifiers: frozenset[str] = frozenset()
    dimension: int | None = None

    @property
    def sort(self) -> Sort | None:
        """The sort of the shapes if the name states it, else None."""
        return next((sort for sort in Sort if sort.value in self.qualifiers), None)


def simplified(name: str) -> str:
    """Words in small letters with single spaces between them."""
    return " ".join(re.split(r"[\s_-]+", name.strip().lower())).strip()


def stem_of(lattice: Lattice) -> str:
    """The part after `poly`: `omino` for a lattice of polyominoes."""
    return _stem(lattice.polyform)


def _stem(polyform: str) -> str:
    return simplified(polyform.removeprefix("poly"))


def families(extra: Lattice | None = None) -> Iterator[str]:
    """The families: of one more lattice and of every registered one, whose plug-ins come last.

    The longest of the built-in ones come first, since one may end as another does.
    """
    built_in = [entry.polyform for entry in BUILT_IN.values()]
    stems = [_stem(polyform) for polyform in built_in if polyform.startswith("poly")]
    yield from sorted(
        dict.fromkeys([stem_of(extra), *stems] if extra else stems), key=len, reverse=True
    )
    plugged = LATTICES.plug_ins.values()
    others = [stem_of(one) for one in plugged if one.polyform.startswith("poly")]
    yield from sorted(dict.fromkeys(others), key=len, reverse=True)


def lattice_of_family(stem: str, extra: Lattice | None = None) -> Lattice:
    """The lattice of a family that `families` gives."""
    if extra is not None and stem_of(extra) == stem:
        return extra
    return next(
        LATTICES[name]
        for name, entry in entries()
        if entry.polyform.startswith("poly") and _stem(entry.polyform) == stem
    )


def is_joined(text: str) -> bool:
    """Whether every hyphen and underscore stands between two words."""
    return LOOSE.search(text.strip()) is None


def difference(text: str) -> tuple[str, tuple[str, ...]]:
    """The parts of `pentominoes - X - I`: the set, and what is taken out of it."""
    first, *others = MINUS.split(f"{text} ")
    return first.strip(), tuple(other.strip() for other in others)


def read_noun(text: str, extra: Lattice | None = None) -> Noun | None:
    """The set that a name means; None if it names no set."""
    if not is_joined(text):
        return None
    rest, found, dimensions = _without_qualifiers(simplified(text))
    if len(found) > len(set(found)) or len(dimensions) > 1:
        return None
    if any(both <= set(found) for both in CONTRADICTIONS):
        return None
    for stem in families(extra):
        size = _size(rest, stem)
        if size is not None:
            return Noun(stem, size, frozenset(found), next(iter(dimensions), None))
    return None


def _without_qualifiers(words: str) -> tuple[str, list[str], list[int]]:
    """The words without qualifiers at their ends, those qualifiers, and the dimensions there."""
    found: list[str] = []
    dimensions: list[int] = []
    while match := LEADING.match(words) or TRAILING.search(words):
        if match["word"]:
            found.append(QUALIFIERS[match["word"]])
        else:
            dimensions.append(int(match["dimension"]))
        words = words[: match.start()] + words[match.end() :]
    return words, found, dimensions


def is_plural(text: str, noun: Noun) -> bool:
    """Whether a text that was read as this noun has it in the plural."""
    words = f"{simplified(text)} "
    return any(f"{form} " in words for form in (plural(noun.stem), noun.stem + "s"))


def _size(text: str, stem: str) -> int | None:
    """The number in `pentominoes`, `polyominoes of 5` or `5-ominoes`."""
    last = "|".join(re.escape(form) for form in (stem, plural(stem), stem + "s"))
    if match := re.fullmatch(rf"poly ?(?:{last}) of (?:size |order )?([0-9]{{1,2}})", text):
        return int(match[1]) or None
    if match := re.fullmatch(rf"([0-9]{{1,2}}) (?:{last})", text):
        return int(match[1]) or None
    for size, numbers in NUMBERS.items():
        if re.fullmatch(rf"(?:{'|'.join(numbers)}) ?(?:{last})", text):
            return size
    return None


def plural(word: str) -> str:
    if word.endswith("hedron"):
        return word.removesuffix("on") + "a"
    return word + ("es" if word.endswith(("x", "o")) else "s")


def set_name(stem: str, size: int) -> str:
    """The usual name: `pentominoes`, `tetracubes`, `polyominoes of 13`."""
    if size not in NUMBERS:
        return f"poly{plural(stem)} of {size}"
    if stem[0] not in "aeiou":
        return NUMBERS[size][0] + plural(stem)
    return next(number for number in NUMBERS[size] if number[-1] not in "aeiou") + plural(stem)


def common_names() -> Iterator[str]:
    """Names to offer where one is not known."""
    for stem in families():
        for size in range(1, 9):
            yield set_name(stem, size)


# -- rectangles and bricks ------------------------------------------------------------------------


SIZE = re.compile(r"[0-9]{1,9}(?:[x×][0-9]{1,9}){1,2}")


def sizes_in(name: str) -> tuple[int, ...] | None:
    """The sizes that a name says; None: it says none."""
    if not SIZE.fullmatch(name):
        return None
    return tuple(int(size) for size in re.split("[x×]", name))


def box_of(sizes: tuple[int, ...], lattice: Lattice | None) -> tuple[Lattice, Cells]:
    """The lattice and the cells of a rectangle or a brick; in space a rectangle is one cube high.

    Raises `PuzzleError` if the lattice has no such pieces, or a size is 0 or too large.
    """
    name = "x".join(map(str, sizes))
    where = lattice or get_lattice("square" if len(sizes) == 2 else "cubic")
    if where.name not in ("square", "cubic") or len(sizes) > where.dimension:
        what = "a rectangle of squares" if len(sizes) == 2 else "a brick of cubes"
        raise PuzzleError(f"{name} is {what}, which the lattice {where.name!r} does not have")
    volume = prod(sizes)
    if not 1 <= volume <= MAX_CELLS:
        raise PuzzleError(f"{name}: a piece has 1 to {MAX_CELLS:,} cells, not {volume:,}")
    full = (*sizes, *[1] * (where.dimension - len(sizes)))
    cells = np.indices(full).reshape(where.dimension, -1).T.astype(np.int64)
    return where, cells
