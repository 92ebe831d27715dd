"""Words of 64 bits in compiled code: single instructions, and sets of cells or kinds of pieces.

`emits` makes a function that kernels call of one that emits its code. Python cannot call it, and
nothing is compiled for it, as would be with numba's `overload`. A number is a `uint64`.
A word set is a plain `uint64` if 64 bits suffice, else a tuple of several; the function that emits
gets it as a list of words, and a flat array as a pointer. A signed number is a `TypingError` when
the kernel is compiled, before it can give a wrong answer.

This module imports numba, so only kernel modules import it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

from llvmlite import ir
from numba import extending, types

Value = Any
"""A value of LLVM."""

Words = Any
"""A word set: `np.uint64`, or a tuple of several."""

WORD = ir.IntType(64)
ZERO, ONE = WORD(0), WORD(1)
DEFINED_FOR_ZERO, UNDEFINED_FOR_ZERO = ir.IntType(1)(0), ir.IntType(1)(1)

NUMBER, TRUTH, NOTHING, SET = types.uint64, types.boolean, types.void, None
"""The types of what functions return; a word set is of the type of the argument."""

KINDS: dict[str, Any] = {
    "n": NUMBER, "i": types.int64, "w": NUMBER[::1], "h": types.uint32[::1],
}  # fmt: skip
"""The types of arguments: a number, a place, a flat array of words, or one of halves."""


def _takes(kind: Any, letter: str) -> bool:
    """Whether a type is that of a word set, `s`, or of one of `KINDS`."""
    if letter == "s":
        return kind == NUMBER or (isinstance(kind, types.UniTuple) and kind.dtype == NUMBER)
    return bool(kind == KINDS[letter])


def emits(takes: str, returned: Any = SET) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function that kernels call, from one that emits its code.

    takes  a letter for each argument, see `_takes`; all sets are of one width
    """

    def made(emit: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(emit)
        def called(*_arguments: Any) -> Any:
            raise TypeError(f"{emit.__name__} is for compiled code: unset NUMBA_DISABLE_JIT")

        def typed(*kinds: Any) -> Any:
            sets = [kind for kind, letter in zip(kinds, takes, strict=True) if letter == "s"]
            if all(map(_takes, kinds, takes)) and all(kind == sets[0] for kind in sets):
                return sets[0] if returned is SET else returned
            return None

        its = signature(emit)
        without_builder = [*its.parameters.values()][1:]
        typed.__signature__ = its.replace(parameters=without_builder)  # type: ignore[attr-defined]

        def code(context: Any, builder: Any, called_as: Any, arguments: Any) -> Value:
            given: list[Any] = []
            wide: Any = None
            for letter, kind, value in zip(takes, called_as.args, arguments, strict=True):
                if letter == "s":
                    wide = kind
                    many = range(kind.count) if kind != NUMBER else ()
                    given.append([builder.extract_value(value, i) for i in many] or [value])
                elif letter in "ni":
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

        extending.type_callable(called)(lambda _context: typed)
        extending.lower_builtin(called, types.VarArg(types.Any))(code)  # type: ignore[no-untyped-call]
        return called

    return made


# -- single words ---------------------------------------------------------------------------------


@emits("n", types.int64)
def population(builder: Any, word: Value) -> Value:
    """How many bits of a word are 1."""
    return builder.ctpop(word)


@emits("n", types.int64)
def lowest(builder: Any, word: Value) -> Value:
    """The number of the lowest bit of a word that is not 0."""
    return builder.cttz(word, UNDEFINED_FOR_ZERO)


@emits("wi", NOTHING)
def fetch(builder: Any, words: Value, at: Value) -> None:
    """Begin to read the word at a place of an array into the cache, and do not wait for it."""
    flags = [ir.IntType(32)(one) for one in (1, 3, 1)]  # for a write, into all caches, of data
    place = builder.bitcast(builder.gep(words, [at]), ir.IntType(8).as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [place.type, *(flag.type for flag in flags)])
    prefetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
    builder.call(prefetch, [place, *flags])


# -- sets -----------------------------------------------------------------------------------------


@emits("ss")
def meet(builder: Any, a: list[Value], b: list[Value]) -> list[Value]:
    """The bits that both have."""
    return [builder.and_(x, y) for x, y in zip(a, b, strict=True)]


@emits("ss")
def join(builder: Any, a: list[Value], b: list[Value]) -> list[Value]:
    """The bits that at least one has."""
    return [builder.or_(x, y) for x, y in zip(a, b, strict=True)]


@emits("ss")
def less(builder: Any, a: list[Value], b: list[Value]) -> list[Value]:
    """The bits of `a` that are not in `b`."""
    return [builder.and_(x, builder.not_(y)) for x, y in zip(a, b, strict=True)]


@emits("ss")
def differ(builder: Any, a: list[Value], b: list[Value]) -> list[Value]:
    """The bits that exactly one of them has."""
    return [builder.xor(x, y) for x, y in zip(a, b, strict=True)]


@emits("s", TRUTH)
def is_empty(builder: Any, a: list[Value]) -> Value:
    """Whether no bit is set."""
    return builder.icmp_unsigned("==", _joined(builder, a), ZERO)


@emits("s", NUMBER)
def first(builder: Any, a: list[Value]) -> Value:
    """The number of the lowest bit of a set that is not empty."""
    found = None
    for i, word in reversed(list(enumerate(a))):
        here = builder.add(builder.cttz(word, DEFINED_FOR_ZERO), WORD(64 * i))
        some = builder.icmp_unsigned("!=", word, ZERO)
        found = here if found is None else builder.select(some, here, found)
    return found


@emits("s")
def drop_first(builder: Any, a: list[Value]) -> list[Value]:
    """The set without its lowest bit."""
    out, done = [], None
    for word in a:
        rest = builder.and_(word, builder.sub(word, ONE))
        some = builder.icmp_unsigned("!=", word, ZERO)
        out.append(rest if done is None else builder.select(done, word, rest))
        done = some if done is None else builder.or_(done, some)
    return out


@emits("ns")
def bit(builder: Any, number: Value, like: list[Value]) -> list[Value]:
    """The set of one bit; of as many words as `like`."""
    return _one_bit(builder, number, len(like))


@emits("s", NUMBER)
def width(_builder: Any, like: list[Value]) -> Value:
    """How many words a word set has."""
    return WORD(len(like))


# -- in flat arrays -------------------------------------------------------------------------------


@emits("wns")
def load(builder: Any, flat: Value, at: Value, like: list[Value]) -> list[Value]:
    """The word set at a place of a flat array; of as many words as `like`."""
    return [builder.load(place) for place in _places(builder, flat, at, len(like))]


@emits("hns")
def load_halves(builder: Any, flat: Value, at: Value, like: list[Value]) -> list[Value]:
    """The word set at a place of a flat array of 32-bit halves, the low one of each first."""
    halves = _places(builder, flat, at, len(like), 2)
    wide = [builder.bitcast(place, WORD.as_pointer()) for place in halves]
    return [builder.load(place, align=4) for place in wide]


@emits("wns", NOTHING)
def store(builder: Any, flat: Value, at: Value, words: list[Value]) -> None:
    """Store a word set at a place of a flat array, for `load`."""
    for place, word in zip(_places(builder, flat, at, len(words)), words, strict=True):
        builder.store(word, place)


@emits("swn", NUMBER)
def marked(builder: Any, words: list[Value], flat: Value, at: Value) -> Value:
    """The words, masked, one upon the other, times a multiplier, modulo 2^64.

    The masks lie in the flat array, then the multiplier. No two masks share a bit, so nothing is
    lost. With the right multiplier the high bits number the states of the bits that the masks
    select, see `tables`.
    """
    *masks, multiplier = map(builder.load, _places(builder, flat, at, len(words) + 1))
    pairs = zip(words, masks, strict=True)
    folded = _joined(builder, [builder.and_(word, mask) for word, mask in pairs])
    return builder.mul(folded, multiplier)


def _joined(builder: Any, words: list[Value]) -> Value:
    """All words, one upon the other."""
    some, *others = words
    for word in others:
        some = builder.or_(some, word)
    return some


def _one_bit(builder: Any, number: Value, many: int) -> list[Value]:
    """The words of the set of one bit."""
    one = builder.shl(ONE, builder.and_(number, WORD(63)))
    if many == 1:
        return [one]
    at = builder.lshr(number, WORD(6))
    here = [builder.icmp_unsigned("==", at, WORD(i)) for i in range(many)]
    return [builder.select(is_here, one, ZERO) for is_here in here]


def _places(builder: Any, flat: Value, at: Value, many: int, step: int = 1) -> list[Value]:
    """Pointers to numbers of a flat array, from a place on."""
    places = [builder.add(at, WORD(i * step)) for i in range(many)]
    return [builder.gep(flat, [place], inbounds=True) for place in places]
