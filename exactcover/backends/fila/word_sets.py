"""Word sets: sets of cells or of kinds of pieces, as the bits of one or several 64-bit words.

A word set is a plain `uint64` if 64 bits suffice, else a tuple of them. Each function is plain
Python, for readers and for runs without a compiler. The compiler replaces it by a few machine
instructions, for every width; the second half of the module emits them. A signed number is no word
set: it is a `TypingError` when the kernel is compiled.

Numba does not notice if a cached kernel was compiled with an older text of this file. That does no
harm, since these functions do not change.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from exactcover.backends.arrays import Bits, Index
from exactcover.base.compiled.bits import compiled_as

Words = Any
"""A word set: `np.uint64`, or a tuple of several."""


def meet(a: Words, b: Words) -> Words:
    """The bits that both have."""
    return _parted(_whole(a) & _whole(b), a)


def join(a: Words, b: Words) -> Words:
    """The bits that at least one has."""
    return _parted(_whole(a) | _whole(b), a)


def less(a: Words, b: Words) -> Words:
    """The bits of `a` that are not in `b`."""
    return _parted(_whole(a) & ~_whole(b), a)


def differ(a: Words, b: Words) -> Words:
    """The bits that exactly one of them has."""
    return _parted(_whole(a) ^ _whole(b), a)


def is_empty(a: Words) -> bool:
    """Whether no bit is set."""
    return not _whole(a)


def has(a: Words, number: np.uint64) -> bool:
    """Whether the bit of this number is set."""
    return bool(_whole(a) >> int(number) & 1)


def first(a: Words) -> np.uint64:
    """The number of the lowest bit of a set that is not empty."""
    return np.uint64((_whole(a) & -_whole(a)).bit_length() - 1)


def drop_first(a: Words) -> Words:
    """The set without its lowest bit."""
    return _parted(_whole(a) & (_whole(a) - 1), a)


def bit(number: np.uint64, like: Words) -> Words:
    """The set of one bit; of as many words as `like`."""
    return _parted(1 << int(number), like)


def width(like: Words) -> np.uint64:
    """How many words a word set has."""
    return np.uint64(len(like) if isinstance(like, tuple) else 1)


def load(flat: Bits, at: np.uint64, like: Words) -> Words:
    """The word set at a place of a flat array; of as many words as `like`."""
    words = flat[int(at) : int(at) + int(width(like))].tolist()
    return _parted(sum(word << (64 * i) for i, word in enumerate(words)), like)


def load_halves(flat: Index, at: np.uint64, like: Words) -> Words:
    """The word set at a place of a flat array of 32-bit halves, the low one of each first."""
    halves = flat[int(at) : int(at) + 2 * int(width(like))].tolist()
    return _parted(sum(half << (32 * i) for i, half in enumerate(halves)), like)


def store(flat: Bits, at: np.uint64, words: Words) -> None:
    """Store a word set at a place of a flat array, for `load`."""
    for i, word in enumerate(words if isinstance(words, tuple) else (words,)):
        flat[int(at) + i] = word


def marked(words: Words, flat: Bits, at: np.uint64) -> np.uint64:
    """The words, masked, one upon the other, times a multiplier, modulo 2^64.

    The masks lie in the flat array, then the multiplier. No two masks share a bit, so nothing is
    lost. With the right multiplier the high bits number the states of the bits that the masks
    select, see `tables`.
    """
    parts = words if isinstance(words, tuple) else (words,)
    folded = 0
    for i, part in enumerate(parts):
        folded |= int(part & flat[int(at) + i])
    return np.uint64(folded * int(flat[int(at) + len(parts)]) % (1 << 64))


def _whole(words: Words) -> int:
    """A word set as one whole number."""
    if not isinstance(words, tuple):
        return int(words)
    return sum(int(word) << (64 * i) for i, word in enumerate(words))


def _parted(whole: int, like: Words) -> Words:
    if not isinstance(like, tuple):
        return np.uint64(whole)
    return tuple(np.uint64(whole >> (64 * i) & (1 << 64) - 1) for i in range(len(like)))


# -- the same for the compiler --------------------------------------------------------------------

WORD = ir.IntType(64)
ZERO, ONE = WORD(0), WORD(1)
DEFINED_FOR_ZERO = ir.IntType(1)(0)

Value = Any
"""A value of LLVM; a word set is a list of them, a flat array a pointer."""

NUMBER, TRUTH, NOTHING, SET = types.uint64, types.boolean, types.void, None
"""The types of what functions return; a word set is of the type of the argument."""


def _takes(kind: Any, letter: str) -> bool:
    """Whether a type is that of a set, a number, a flat array of words, or one of halves."""
    if letter == "s":
        return kind == NUMBER or (isinstance(kind, types.UniTuple) and kind.dtype == NUMBER)
    return bool(kind == {"n": NUMBER, "w": NUMBER[::1], "h": types.uint32[::1]}[letter])


def _compiled(plain: Callable[..., Any], takes: str, returned: Any = SET) -> Callable[..., None]:
    """Let the decorated function emit the code of a plain one.

    takes  a letter for each argument, see `_takes`; all sets are of one width
    """

    @wraps(plain)
    def typed(*kinds: Any) -> Any:
        sets = [kind for kind, letter in zip(kinds, takes, strict=True) if letter == "s"]
        if all(map(_takes, kinds, takes)) and all(kind == sets[0] for kind in sets):
            return sets[0] if returned is SET else returned
        return None

    def made(emit: Callable[..., Any]) -> None:
        def code(context: Any, builder: Any, kinds: Any, arguments: Any) -> Value:
            given: list[Any] = []
            wide: Any = None
            for letter, kind, value in zip(takes, kinds, arguments, strict=True):
                if letter == "s":
                    wide = kind
                    many = range(kind.count) if kind != NUMBER else ()
                    given.append([builder.extract_value(value, i) for i in many] or [value])
                elif letter == "n":
                    given.append(value)
                else:
                    given.append(context.make_array(kind)(context, builder, value).data)
            words = emit(builder, *given)
            if returned is NOTHING:
                return context.get_dummy_value()
            if returned is not SET or wide == NUMBER:
                return words[0] if returned is SET else words
            together = ir.Constant(ir.ArrayType(WORD, wide.count), ir.Undefined)
            for i, word in enumerate(words):
                together = builder.insert_value(together, word, i)
            return together

        compiled_as(plain, typed, code)

    return made


def _two_sets(plain: Any, combine: Callable[[Any, Value, Value], Value]) -> None:
    """Compile a function of two word sets from its operation on two words."""

    @_compiled(plain, "ss")
    def _(builder: Any, ours: list[Value], theirs: list[Value]) -> list[Value]:
        return [combine(builder, x, y) for x, y in zip(ours, theirs, strict=True)]


_two_sets(meet, lambda builder, x, y: builder.and_(x, y))
_two_sets(join, lambda builder, x, y: builder.or_(x, y))
_two_sets(less, lambda builder, x, y: builder.and_(x, builder.not_(y)))
_two_sets(differ, lambda builder, x, y: builder.xor(x, y))


def _joined(builder: Any, words: list[Value]) -> Value:
    """All words, one upon the other."""
    some, *others = words
    for word in others:
        some = builder.or_(some, word)
    return some


@_compiled(is_empty, "s", TRUTH)
def _(builder: Any, words: list[Value]) -> Value:
    return builder.icmp_unsigned("==", _joined(builder, words), ZERO)


@_compiled(has, "sn", TRUTH)
def _(builder: Any, words: list[Value], number: Value) -> Value:
    ones = zip(words, _one_bit(builder, number, len(words)), strict=True)
    some = _joined(builder, [builder.and_(word, one) for word, one in ones])
    return builder.icmp_unsigned("!=", some, ZERO)


@_compiled(first, "s", NUMBER)
def _(builder: Any, words: list[Value]) -> Value:
    found = None
    for i, word in reversed(list(enumerate(words))):
        here = builder.add(builder.cttz(word, DEFINED_FOR_ZERO), WORD(64 * i))
        some = builder.icmp_unsigned("!=", word, ZERO)
        found = here if found is None else builder.select(some, here, found)
    return found


@_compiled(drop_first, "s")
def _(builder: Any, words: list[Value]) -> list[Value]:
    out, done = [], None
    for word in words:
        rest = builder.and_(word, builder.sub(word, ONE))
        some = builder.icmp_unsigned("!=", word, ZERO)
        out.append(rest if done is None else builder.select(done, word, rest))
        done = some if done is None else builder.or_(done, some)
    return out


def _one_bit(builder: Any, number: Value, many: int) -> list[Value]:
    """The words of the set of one bit."""
    one = builder.shl(ONE, builder.and_(number, WORD(63)))
    if many == 1:
        return [one]
    at = builder.lshr(number, WORD(6))
    here = [builder.icmp_unsigned("==", at, WORD(i)) for i in range(many)]
    return [builder.select(is_here, one, ZERO) for is_here in here]


@_compiled(bit, "ns")
def _(builder: Any, number: Value, like: list[Value]) -> list[Value]:
    return _one_bit(builder, number, len(like))


@_compiled(width, "s", NUMBER)
def _(builder: Any, like: list[Value]) -> Value:
    return WORD(len(like))


def _places(builder: Any, flat: Value, at: Value, many: int, step: int = 1) -> list[Value]:
    """Pointers to numbers of a flat array, from a place on."""
    places = [builder.add(at, WORD(i * step)) for i in range(many)]
    return [builder.gep(flat, [place], inbounds=True) for place in places]


@_compiled(load, "wns")
def _(builder: Any, flat: Value, at: Value, like: list[Value]) -> list[Value]:
    return [builder.load(place) for place in _places(builder, flat, at, len(like))]


@_compiled(load_halves, "hns")
def _(builder: Any, flat: Value, at: Value, like: list[Value]) -> list[Value]:
    halves = _places(builder, flat, at, len(like), 2)
    wide = [builder.bitcast(place, WORD.as_pointer()) for place in halves]
    return [builder.load(place, align=4) for place in wide]


@_compiled(store, "wns", NOTHING)
def _(builder: Any, flat: Value, at: Value, words: list[Value]) -> None:
    for place, word in zip(_places(builder, flat, at, len(words)), words, strict=True):
        builder.store(word, place)


@_compiled(marked, "swn", NUMBER)
def _(builder: Any, words: list[Value], flat: Value, at: Value) -> Value:
    *masks, multiplier = map(builder.load, _places(builder, flat, at, len(words) + 1))
    pairs = zip(words, masks, strict=True)
    folded = _joined(builder, [builder.and_(word, mask) for word, mask in pairs])
    return builder.mul(folded, multiplier)
