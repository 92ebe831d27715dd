"""Names of sets of pieces: a number and a family, and words that narrow it down.

`pentominoes`, `One-sided Hexiamonds`, `4d tetracubes` and `polyominoes of 7` are each read into one
`Noun`. Families come from the lattices: what stands after `poly` in a lattice's word for its
shapes. Case does not matter, and a space, a hyphen or an underscore separates words. Qualifiers
stand before the name or after it, and so may the letters of a piece: `X pentomino`. A hyphen with a
blank beside it is a minus sign: `pentominoes - X` is the set without X.

A rectangle or a brick is called by its size: `32x11` is made of squares, `4x2x1` of cubes. A size
is written without blanks, so `domino x 2` is two dominoes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import prod
from typing import NamedTuple

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

SIZES = {word: size for size, words in NUMBERS.items() for word in words}

QUALIFIERS = ("free", "one-sided", "fixed", "planar", "nonplanar", "solid")

CONTRADICTIONS = ({"free", "one-sided", "fixed"}, {"planar", "nonplanar"})
"""Of each of these qualifiers at most one may stand."""

_QUALIFIER = r"(?:(free|one ?sided|fixed|planar|non ?planar|solid)|([0-9]) ?d)"
LEADING = re.compile(rf"{_QUALIFIER}(?: |$)", re.IGNORECASE)
TRAILING = re.compile(rf"(?:^| ){_QUALIFIER}$", re.IGNORECASE)

MINUS = re.compile(r"\s+[-\u2212\u2013]\s*|[-\u2212\u2013]\s+")
"""A hyphen (or a longer dash) with a blank on at least one side."""

LOOSE = re.compile(r"(?:^|[\s_-])[_-]|[_-](?:$|[\s_-])")
"""A hyphen or an underscore that does not join two words."""

MAX_SIZE = 99


class Noun(NamedTuple):
    """A set of pieces by name.

    stem        the family: `omino`, `cube`, `iamond` ...
    size        cells in a piece
    qualifiers  some of `QUALIFIERS`
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


class Phrase(NamedTuple):
    """A name with a noun in it, or with the name of a named set.

    noun           what it is about; a text for a named set
    plural         whether it is about all pieces: `pentominoes`
    before, after  the other words, which say which piece
    """

    noun: Noun | str
    plural: bool
    before: str = ""
    after: str = ""


def spaced(name: str) -> str:
    """Words with single spaces between them."""
    return " ".join(re.split(r"[\s_-]+", name)).strip()


def simplified(name: str) -> str:
    """Words in small letters with single spaces between them."""
    return spaced(name).lower()


def stem_of(lattice: Lattice) -> str:
    """The part after `poly`: `omino` for a lattice of polyominoes."""
    return _stem(lattice.polyform)


def _stem(polyform: str) -> str:
    return simplified(polyform.removeprefix("poly"))


def families() -> tuple[str, ...]:
    """The families of the built-in lattices."""
    forms = (entry.polyform for entry in BUILT_IN.values())
    return tuple(_stem(form) for form in forms if form.startswith("poly"))


def lattice_of_family(stem: str, extra: Lattice | None = None) -> Lattice:
    """The lattice of a family, perhaps the extra one."""
    if extra is not None and stem_of(extra) == stem:
        return extra
    return next(
        LATTICES[name]
        for name, entry in entries()
        if entry.polyform.startswith("poly") and _stem(entry.polyform) == stem
    )


def difference(text: str) -> tuple[str, tuple[str, ...]]:
    """The parts of `pentominoes - X - I`: the set, and what is taken out of it."""
    first, *others = MINUS.split(f"{text} ")
    return first.strip(), tuple(other.strip() for other in others)


def read_phrase(text: str, extra: Lattice | None = None) -> Phrase | None:
    """The noun or the named set in a text, and the words round it; None: there is none.

    The families of plug-ins come last, and are loaded only then.
    """
    if LOOSE.search(text.strip()):
        return None
    own = () if extra is None else (stem_of(extra),)
    sets = () if extra is None else tuple(_names_of_sets(extra))
    sets += tuple(name for entry in BUILT_IN.values() for name in entry.sets)
    found = _phrase(spaced(text), (*own, *families()), sets)
    if found is None and (plugged := tuple(LATTICES.plug_ins.values())):
        stems = tuple(stem_of(one) for one in plugged if one.polyform.startswith("poly"))
        sets = tuple(name for one in plugged for name in _names_of_sets(one))
        found = _phrase(spaced(text), stems, sets)
    return found


def _names_of_sets(lattice: Lattice) -> Iterator[str]:
    for main, named in lattice.piece_names.sets.items():
        yield from (main, *named.also)


@lru_cache(maxsize=64)
def _pattern(stems: tuple[str, ...], sets: tuple[str, ...]) -> re.Pattern[str]:
    """A named set, a number with a family, or `polyominoes of 7`."""
    forms = {form for stem in stems for form in (stem, plural(stem), f"{stem}s")}
    named, numbers, form = (
        "|".join(re.escape(one) for one in sorted(words, key=len, reverse=True)) or r"\b\B"
        for words in (set(sets), set(SIZES), forms)
    )
    return re.compile(
        rf"(?<!\S)(?:(?P<named>{named})|(?:(?P<word>{numbers}) ?|(?P<digits>[0-9]{{1,2}}) )"
        rf"(?P<form>{form})|poly ?(?P<of>{form}) of (?P<size>[0-9]{{1,2}}))(?!\S)",
        re.IGNORECASE,
    )


def _phrase(words: str, stems: tuple[str, ...], sets: tuple[str, ...]) -> Phrase | None:
    found = _pattern(stems, sets).search(words)
    if found is None:
        return None
    before, after = words[: found.start()].strip(), words[found.end() :].strip()
    if found["named"]:
        return Phrase(found["named"].lower(), True, before, after)
    said: list[str] = []
    while match := LEADING.match(before):
        said += filter(None, match.groups())
        before = before[match.end() :]
    while match := TRAILING.search(after):
        said += filter(None, match.groups())
        after = after[: match.start()]
    dimensions = [int(one) for one in said if one.isdigit()]
    named = [one.lower().replace(" ", "") for one in said if not one.isdigit()]
    qualifiers = {one.replace("onesided", "one-sided") for one in named}
    size = SIZES[found["word"].lower()] if found["word"] else int(found["digits"] or found["size"])
    if len(qualifiers) < len(named) or len(dimensions) > 1 or not size:
        return None
    if any(len(qualifiers & one) > 1 for one in CONTRADICTIONS):
        return None
    form = (found["form"] or found["of"]).lower()
    stem = next(one for one in stems if form in (one, plural(one), f"{one}s"))
    noun = Noun(stem, size, frozenset(qualifiers), next(iter(dimensions), None))
    return Phrase(noun, form != stem, before, after)


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
    for stem in sorted(families(), key=len, reverse=True):
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
