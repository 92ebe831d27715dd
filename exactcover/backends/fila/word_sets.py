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
    return tuple(x & y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a & b


def join(a: Words, b: Words) -> Words:
    """The bits that at least one has."""
    return tuple(x | y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a | b


def less(a: Words, b: Words) -> Words:
    """The bits of `a` that are not in `b`."""
    return tuple(x & ~y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a & ~b


def differ(a: Words, b: Words) -> Words:
    """The bits that exactly one of them has."""
    return tuple(x ^ y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a ^ b


def is_empty(a: Words) -> bool:
    """Whether no bit is set."""
    return not (any(a) if isinstance(a, tuple) else a)


def has(a: Words, number: np.uint64) -> bool:
    """Whether the bit of this number is set."""
    return bool(_whole(a) >> int(number) & 1)


def first(a: Words) -> np.uint64:
    """The number of the lowest bit of a set that is not empty."""
    whole = _whole(a)
    return np.uint64((whole & -whole).bit_length() - 1)


def drop_first(a: Words) -> Words:
    """The set without its lowest bit."""
    return _parted(_whole(a) & (_whole(a) - 1), a)


def bit(number: np.uint64, like: Words) -> Words:
    """The set of one bit; of as many words as `like`."""
    return _parted(1 << int(number), like)


def load(flat: Bits, at: np.uint64, like: Words) -> Words:
    """The word set at a place of a flat array; of as many words as `like`."""
    if not isinstance(like, tuple):
        return flat[at]
    return tuple(flat[int(at) + i] for i in range(len(like)))


def load_halves(flat: Index, at: np.uint64, like: Words) -> Words:
    """The word set at a place of a flat array of 32-bit halves, the low one of each first."""
    many = len(like) if isinstance(like, tuple) else 1
    halves = [int(half) for half in flat[int(at) : int(at) + 2 * many]]
    return _parted(sum(half << (32 * i) for i, half in enumerate(halves)), like)


def width(like: Words) -> np.uint64:
    """How many words a word set has."""
    return np.uint64(len(like) if isinstance(like, tuple) else 1)


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
ZERO = ir.Constant(WORD, 0)
DEFINED_FOR_ZERO = ir.Constant(ir.IntType(1), 0)


def _is_words(kind: Any) -> bool:
    """Whether a type is that of a word set; a signed number is not."""
    return kind == types.uint64 or (isinstance(kind, types.UniTuple) and kind.dtype == types.uint64)


def _is_flat(kind: Any, number: Any) -> bool:
    """Whether a type is that of a flat array of these numbers."""
    flat = isinstance(kind, types.Array) and kind.ndim == 1 and kind.layout == "C"
    return flat and kind.dtype == number


def _many(kind: Any) -> int:
    return 1 if kind == types.uint64 else int(kind.count)


def _words_of(builder: Any, kind: Any, value: Any) -> list[Any]:
    if kind == types.uint64:
        return [value]
    return [builder.extract_value(value, i) for i in range(kind.count)]


def _set_of(builder: Any, kind: Any, words: list[Any]) -> Any:
    if kind == types.uint64:
        return words[0]
    together = ir.Constant(ir.ArrayType(WORD, len(words)), ir.Undefined)
    for i, word in enumerate(words):
        together = builder.insert_value(together, word, i)
    return together


def _pointers(context: Any, builder: Any, kind: Any, array: Any, at: Any, many: int) -> list[Any]:
    """Pointers to `many` numbers of a flat array, from a place on."""
    start = context.make_array(kind)(context, builder, array).data
    return [
        builder.gep(start, [builder.add(at, ir.Constant(WORD, i))], inbounds=True)
        for i in range(many)
    ]


def _two_sets(plain: Any, combine: Callable[[Any, Any, Any], Any]) -> None:
    """Compile a function of two word sets from its operation on two words."""

    def emit(_context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
        ours, theirs = (_words_of(builder, kinds[0], value) for value in arguments)
        words = [combine(builder, x, y) for x, y in zip(ours, theirs, strict=True)]
        return _set_of(builder, kinds[0], words)

    compiled_as(plain, lambda a, b: a if _is_words(a) and a == b else None, emit)


def _one_set(plain: Any, returned: Any, combine: Callable[[Any, list[Any]], Any]) -> None:
    """Compile a function of a word set from its operation on the words; None: returns a set."""

    def emit(_context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
        made = combine(builder, _words_of(builder, kinds[0], arguments[0]))
        return _set_of(builder, kinds[0], made) if returned is None else made

    compiled_as(plain, lambda a: (returned or a) if _is_words(a) else None, emit)


_two_sets(meet, lambda builder, x, y: builder.and_(x, y))
_two_sets(join, lambda builder, x, y: builder.or_(x, y))
_two_sets(less, lambda builder, x, y: builder.and_(x, builder.not_(y)))
_two_sets(differ, lambda builder, x, y: builder.xor(x, y))


def _emit_is_empty(builder: Any, words: list[Any]) -> Any:
    some, *others = words
    for word in others:
        some = builder.or_(some, word)
    return builder.icmp_unsigned("==", some, ZERO)


def _emit_first(builder: Any, words: list[Any]) -> Any:
    found = None
    for i, word in reversed(list(enumerate(words))):
        here = builder.add(builder.cttz(word, DEFINED_FOR_ZERO), ir.Constant(WORD, 64 * i))
        some = builder.icmp_unsigned("!=", word, ZERO)
        found = here if found is None else builder.select(some, here, found)
    return found


def _emit_drop_first(builder: Any, words: list[Any]) -> list[Any]:
    out, done = [], None
    for word in words:
        rest = builder.and_(word, builder.sub(word, ir.Constant(WORD, 1)))
        some = builder.icmp_unsigned("!=", word, ZERO)
        out.append(rest if done is None else builder.select(done, word, rest))
        done = some if done is None else builder.or_(done, some)
    return out


_one_set(is_empty, types.boolean, _emit_is_empty)
_one_set(first, types.uint64, _emit_first)
_one_set(drop_first, None, _emit_drop_first)
_one_set(width, types.uint64, lambda builder, words: ir.Constant(WORD, len(words)))


def _one_bit(builder: Any, kind: Any, number: Any) -> list[Any]:
    one = builder.shl(ir.Constant(WORD, 1), builder.and_(number, ir.Constant(WORD, 63)))
    if kind == types.uint64:
        return [one]
    at = builder.lshr(number, ir.Constant(WORD, 6))
    return [
        builder.select(builder.icmp_unsigned("==", at, ir.Constant(WORD, i)), one, ZERO)
        for i in range(kind.count)
    ]


def _emit_bit(_context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    return _set_of(builder, kinds[1], _one_bit(builder, kinds[1], arguments[0]))


def _emit_has(_context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    words = _words_of(builder, kinds[0], arguments[0])
    pairs = zip(words, _one_bit(builder, kinds[0], arguments[1]), strict=True)
    none = _emit_is_empty(builder, [builder.and_(word, one) for word, one in pairs])
    return builder.not_(none)


def _emit_load(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    flat, at, _ = arguments
    places = _pointers(context, builder, kinds[0], flat, at, _many(kinds[2]))
    return _set_of(builder, kinds[2], [builder.load(place) for place in places])


def _emit_load_halves(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    flat, at, _ = arguments
    places = _pointers(context, builder, kinds[0], flat, at, 2 * _many(kinds[2]))
    wide = [builder.bitcast(place, WORD.as_pointer()) for place in places[::2]]
    return _set_of(builder, kinds[2], [builder.load(place, align=4) for place in wide])


def _emit_store(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    flat, at, words = arguments
    places = _pointers(context, builder, kinds[0], flat, at, _many(kinds[2]))
    for place, word in zip(places, _words_of(builder, kinds[2], words), strict=True):
        builder.store(word, place)
    return context.get_dummy_value()


def _emit_marked(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    parts = _words_of(builder, kinds[0], arguments[0])
    places = _pointers(context, builder, kinds[1], arguments[1], arguments[2], len(parts) + 1)
    folded = ZERO
    for place, part in zip(places, parts, strict=False):
        folded = builder.or_(folded, builder.and_(part, builder.load(place)))
    return builder.mul(folded, builder.load(places[-1]))


def _if_all(returned: Any, *conditions: bool) -> Any:
    return returned if all(conditions) else None


_WORD = types.uint64
compiled_as(bit, lambda number, like: _if_all(like, number == _WORD, _is_words(like)), _emit_bit)
compiled_as(has, lambda a, number: _if_all(types.boolean, _is_words(a), number == _WORD), _emit_has)
compiled_as(
    load,
    lambda flat, at, like: _if_all(like, _is_flat(flat, _WORD), at == _WORD, _is_words(like)),
    _emit_load,
)
compiled_as(
    load_halves,
    lambda flat, at, like: _if_all(
        like, _is_flat(flat, types.uint32), at == _WORD, _is_words(like)
    ),
    _emit_load_halves,
)
compiled_as(
    store,
    lambda flat, at, words: _if_all(
        types.void, _is_flat(flat, _WORD), at == _WORD, _is_words(words)
    ),
    _emit_store,
)
compiled_as(
    marked,
    lambda words, flat, at: _if_all(_WORD, _is_words(words), _is_flat(flat, _WORD), at == _WORD),
    _emit_marked,
)
