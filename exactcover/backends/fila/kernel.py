"""The search of fila: solveFila on an explicit stack, for cells in any number of 64-bit words.

Everything the search remembers is in flat arrays: it returns when its steps are spent, when the
batch of solutions is full, or when the tree is done, and goes on where it was. The hot state - what
is occupied, which kinds of pieces are left, where in which list of images it is - lives in local
variables; the stack keeps one frame a level.

A set of cells is a *word set*: a plain `uint64` where 64 bits suffice, else a tuple of them. The
functions on word sets, up to `marked`, are plain Python to read and to run without a compiler; to
the compiler each is a few machine instructions, for every width. Pieces that are left are a word
set too, a bit for each kind.

The invariants, true whenever no step is under way:

- A frame holds what was occupied and left *before* its own image was placed.
- `tries` counts the images of a list when the list is begun; what is left of lists under way is
  on the stack, so the images that did not fit are known at any time.
- Every cell that must be filled, and every cell whose staying empty is a choice, is a bit of
  `branch`; bits outside it only tell images apart that exclude each other.

M. Busche's article on FILA (2018) has the pseudo-code of solveFila; the line numbers in the
comments are those there. Where it keeps an array S of shapes and swaps the used up ones to its
end, there is a bit mask here, ANDed with the mask of the shapes that have any image in the lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import extending, types

from exactcover.compiled import jit

Words = Any
"""A word set: `np.uint64`, or a tuple of several."""

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]

# Why `fill` came back.
BUDGET, FULL, DONE = range(3)

# Where it goes on: it comes to a new node, tries the images of a node, or leaves a node.
ENTER, TRY, LEAVE = range(3)

# What it remembers beside the stack.
LEVEL, PHASE, FITS, TRIES, FOUND, HELD, REGISTERS = range(7)

# How a cell is chosen.
FIRST, ORDERED, ESTIMATE, SIZE = range(4)

# The numbers at the head of a frame; the word sets follow.
LISTS, AT, END, KIND, REMAIN, SCAN, HEAD = range(7)

# What is in `stages` for each number of remaining pieces.
RULE, CELLS, ORDER, STAGE = range(4)

U0, U1, U2 = np.uint64(0), np.uint64(1), np.uint64(2)
MANY = np.uint64(1 << 62)

# -- word sets ------------------------------------------------------------------------------------


def meet(a: Words, b: Words) -> Words:
    """What both have."""
    return tuple(x & y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a & b


def join(a: Words, b: Words) -> Words:
    """What either has."""
    return tuple(x | y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a | b


def less(a: Words, b: Words) -> Words:
    """What `a` has and `b` has not."""
    return tuple(x & ~y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a & ~b


def differ(a: Words, b: Words) -> Words:
    """What just one of them has."""
    return tuple(x ^ y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a ^ b


def is_empty(a: Words) -> bool:
    """Whether no bit is set."""
    return not (any(a) if isinstance(a, tuple) else a)


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


def store(flat: Bits, at: np.uint64, words: Words) -> None:
    """Put a word set where `load` finds it."""
    for i, word in enumerate(words if isinstance(words, tuple) else (words,)):
        flat[int(at) + i] = word


def marked(words: Words, flat: Bits, at: np.uint64) -> np.uint64:
    """The sum of the products of each word, masked, with its multiplier, modulo 2^64.

    Masks and multipliers take turns in the flat array. With the right multipliers the high bits of
    the sum number the states of the bits that the masks select, see `tables`.
    """
    parts = words if isinstance(words, tuple) else (words,)
    total = sum(
        int(part & flat[int(at) + 2 * i]) * int(flat[int(at) + 2 * i + 1])
        for i, part in enumerate(parts)
    )
    return np.uint64(total % (1 << 64))


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

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
intrinsic: Decorator = extending.intrinsic  # their published types do not know what they do
overload: Callable[..., Decorator] = extending.overload

INLINED = {"forceinline": True}
WORD = ir.IntType(64)
NO = ir.Constant(ir.IntType(1), 0)


def _is_words(kind: Any) -> bool:
    """Whether a type is that of a word set; a signed number is none."""
    return kind == types.uint64 or (isinstance(kind, types.UniTuple) and kind.dtype == types.uint64)


def _taken_apart(builder: Any, kind: Any, value: Any) -> list[Any]:
    if kind == types.uint64:
        return [value]
    return [builder.extract_value(value, i) for i in range(kind.count)]


def _put_together(builder: Any, kind: Any, words: list[Any]) -> Any:
    if kind == types.uint64:
        return words[0]
    together = ir.Constant(ir.ArrayType(WORD, len(words)), ir.Undefined)
    for i, word in enumerate(words):
        together = builder.insert_value(together, word, i)
    return together


def _many(kind: Any) -> int:
    return 1 if kind == types.uint64 else int(kind.count)


def _pointers(context: Any, builder: Any, kind: Any, array: Any, at: Any, many: int) -> list[Any]:
    """Where so many numbers of a flat array are, from a place on."""
    start = context.make_array(kind)(context, builder, array).data
    return [
        builder.gep(start, [builder.add(at, ir.Constant(WORD, i))], inbounds=True)
        for i in range(many)
    ]


def _word_by_word(plain: Any, combine: Callable[[Any, Any, Any], Any]) -> None:
    """Compile a function of two word sets by what it makes of two words."""

    @intrinsic
    def compiled(_context: Any, a: Any, b: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            pairs = zip(*(_taken_apart(builder, a, value) for value in arguments), strict=True)
            return _put_together(builder, a, [combine(builder, x, y) for x, y in pairs])

        return a(a, b), code

    @overload(plain, strict=False, jit_options=INLINED)
    def typed(a: Any, b: Any) -> Any:
        def code(a: Any, b: Any) -> Any:
            return compiled(a, b)

        return code if _is_words(a) and a == b else None


_word_by_word(meet, lambda builder, x, y: builder.and_(x, y))
_word_by_word(join, lambda builder, x, y: builder.or_(x, y))
_word_by_word(less, lambda builder, x, y: builder.and_(x, builder.not_(y)))
_word_by_word(differ, lambda builder, x, y: builder.xor(x, y))


@intrinsic
def _is_empty(_context: Any, a: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        some, *others = _taken_apart(builder, a, arguments[0])
        for word in others:
            some = builder.or_(some, word)
        return builder.icmp_unsigned("==", some, ir.Constant(WORD, 0))

    return types.boolean(a), code


@overload(is_empty, strict=False, jit_options=INLINED)
def _type_is_empty(a: Any) -> Any:
    def code(a: Any) -> Any:
        return _is_empty(a)

    return code if _is_words(a) else None


@intrinsic
def _first(_context: Any, a: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        words = _taken_apart(builder, a, arguments[0])
        found = None
        for i in reversed(range(len(words))):
            here = builder.add(builder.cttz(words[i], NO), ir.Constant(WORD, 64 * i))
            some = builder.icmp_unsigned("!=", words[i], ir.Constant(WORD, 0))
            found = here if found is None else builder.select(some, here, found)
        return found

    return types.uint64(a), code


@overload(first, strict=False, jit_options=INLINED)
def _type_first(a: Any) -> Any:
    def code(a: Any) -> Any:
        return _first(a)

    return code if _is_words(a) else None


@intrinsic
def _drop_first(_context: Any, a: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        out, done = [], None
        for word in _taken_apart(builder, a, arguments[0]):
            rest = builder.and_(word, builder.sub(word, ir.Constant(WORD, 1)))
            some = builder.icmp_unsigned("!=", word, ir.Constant(WORD, 0))
            out.append(rest if done is None else builder.select(done, word, rest))
            done = some if done is None else builder.or_(done, some)
        return _put_together(builder, a, out)

    return a(a), code


@overload(drop_first, strict=False, jit_options=INLINED)
def _type_drop_first(a: Any) -> Any:
    def code(a: Any) -> Any:
        return _drop_first(a)

    return code if _is_words(a) else None


@intrinsic
def _bit(_context: Any, number: Any, like: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        one = builder.shl(ir.Constant(WORD, 1), builder.and_(arguments[0], ir.Constant(WORD, 63)))
        if like == types.uint64:
            return one
        at = builder.lshr(arguments[0], ir.Constant(WORD, 6))
        words = [
            builder.select(
                builder.icmp_unsigned("==", at, ir.Constant(WORD, i)), one, ir.Constant(WORD, 0)
            )
            for i in range(like.count)
        ]
        return _put_together(builder, like, words)

    return like(number, like), code


@overload(bit, strict=False, jit_options=INLINED)
def _type_bit(number: Any, like: Any) -> Any:
    fits = number == types.uint64 and _is_words(like)

    def code(number: Any, like: Any) -> Any:
        return _bit(number, like)

    return code if fits else None


@intrinsic
def _load(_context: Any, flat: Any, at: Any, like: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        places = _pointers(context, builder, flat, arguments[0], arguments[1], _many(like))
        return _put_together(builder, like, [builder.load(place) for place in places])

    return like(flat, at, like), code


@overload(load, strict=False, jit_options=INLINED)
def _type_load(flat: Any, at: Any, like: Any) -> Any:
    fits = _is_flat(flat) and at == types.uint64 and _is_words(like)

    def code(flat: Any, at: Any, like: Any) -> Any:
        return _load(flat, at, like)

    return code if fits else None


@intrinsic
def _store(_context: Any, flat: Any, at: Any, words: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        places = _pointers(context, builder, flat, arguments[0], arguments[1], _many(words))
        for place, word in zip(places, _taken_apart(builder, words, arguments[2]), strict=True):
            builder.store(word, place)
        return context.get_dummy_value()

    return types.void(flat, at, words), code


@overload(store, strict=False, jit_options=INLINED)
def _type_store(flat: Any, at: Any, words: Any) -> Any:
    fits = _is_flat(flat) and at == types.uint64 and _is_words(words)

    def code(flat: Any, at: Any, words: Any) -> Any:
        return _store(flat, at, words)

    return code if fits else None


@intrinsic
def _marked(_context: Any, words: Any, flat: Any, at: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        parts = _taken_apart(builder, words, arguments[0])
        places = _pointers(context, builder, flat, arguments[1], arguments[2], 2 * len(parts))
        total = ir.Constant(WORD, 0)
        for i, part in enumerate(parts):
            masked = builder.and_(part, builder.load(places[2 * i]))
            product = builder.mul(masked, builder.load(places[2 * i + 1]))
            total = builder.add(total, product) if i else product
        return total

    return types.uint64(words, flat, at), code


@overload(marked, strict=False, jit_options=INLINED)
def _type_marked(words: Any, flat: Any, at: Any) -> Any:
    fits = _is_words(words) and _is_flat(flat) and at == types.uint64

    def code(words: Any, flat: Any, at: Any) -> Any:
        return _marked(words, flat, at)

    return code if fits else None


def _is_flat(kind: Any) -> bool:
    """Whether a type is that of a flat array of words."""
    return (
        isinstance(kind, types.Array)
        and kind.ndim == 1
        and kind.layout == "C"
        and kind.dtype == types.uint64
    )


# -- what it searches -----------------------------------------------------------------------------


class Tables(NamedTuple):
    """What does not change; w is the number of words of cells, v that of kinds, q that of kinds.

    branch    uint64 [w]  the cells to be filled, see above
    must      uint64 [v]  the kinds of which one has to be placed yet, where all have one copy
    stages    uint64 [remain + 1, 4]  for each number of remaining pieces: how a cell is chosen,
              where its phase begins in `cells`, and in `order`, and the number of the phase
    counted   the least number of remaining pieces from which blocked neighbours are wanted
    hole      the kind that leaves a cell empty, or q
    kinds     q
    cells     uint64 [phases, cells, 2w + 2]  masks and multipliers, see `marked`, then the shift
              and the first row of the cell
    order     uint64 [..., cells]  the cells in each fixed order that is not the one of the bits
    nonempty  uint64 [rows, v]      the kinds that have any image in the row
    lists     uint32 [rows, q + 1]  where the lists of images of each kind begin in a row
    masks     uint64 [images of lists, w]
    image_of  uint32 [images of lists]  which image it is
    planes    uint64 [images, 4, w]  how many neighbours of each cell it blocks, as four bit-planes
    """

    branch: Bits
    must: Bits
    stages: Bits
    counted: int
    hole: int
    kinds: int
    cells: Bits
    order: Bits
    nonempty: Bits
    lists: Index
    masks: Bits
    image_of: Index
    planes: Bits


class Copies(NamedTuple):
    """How many more of each kind may be placed, and how many may be left in the end: int64 [q]."""

    left: Long
    most_left: Long


@jit
def fill(
    steps: int,
    keep: bool,
    capacity: int,
    longest: int,
    cell_words: Words,
    kind_words: Words,
    tables: Tables,
    copies: Copies | None,
    planes: int | None,
    tally: Long | None,
    stack: Bits,
    registers: Long,
    out_starts: Long,
    out_images: Index,
) -> int:
    """Search for about `steps` choices; everything it must remember is in the arrays.

    cell_words, kind_words  any word sets of the right width
    copies   None: there is one of every kind
    planes   None: no phase wants blocked neighbours, and all code for them is compiled away
    tally    int64 [remain + 1, 2]: images tried and placed by the number of remaining pieces;
             None: they are not wanted
    stack    uint64 [levels, HEAD + 5w + 2v] or, without planes, [levels, HEAD + w + 2v]

    Solutions go to `out_images`, the place in `masks` of each image in the order of choice; the
    search goes on only while there is room for `longest` more.
    """
    branch = load(tables.branch, U0, cell_words)
    must = load(tables.must, U0, kind_words)
    stages, order, hole = tables.stages, tables.order, np.uint64(tables.hole)
    cells, nonempty, lists = tables.cells, tables.nonempty, tables.lists
    masks, counted = tables.masks, np.uint64(tables.counted)
    width = np.uint64(tables.branch.size)
    kind_width = np.uint64(tables.must.size)
    row_size = np.uint64(tables.kinds + 1)
    cell_size = U2 * width + U2
    avail_at = np.uint64(HEAD) + width
    rest_at = avail_at + kind_width
    planes_at = rest_at + kind_width
    frame_size = planes_at
    if planes is not None:
        frame_size = planes_at + np.uint64(4) * width

    level, phase = np.uint64(registers[LEVEL]), registers[PHASE]
    fits, tries, found = registers[FITS], registers[TRIES], registers[FOUND]
    held, filled = 0, 0
    out_starts[0] = 0
    status = BUDGET

    # The top of the stack, in local variables.
    frame = level * frame_size
    row, at, end = stack[frame], stack[frame + U1], stack[frame + U2]
    kind, remain = stack[frame + np.uint64(KIND)], stack[frame + np.uint64(REMAIN)]
    scan = stack[frame + np.uint64(SCAN)]
    occupied = load(stack, frame + np.uint64(HEAD), cell_words)
    avail = load(stack, frame + avail_at, kind_words)
    rest = load(stack, frame + rest_at, kind_words)
    if planes is not None:
        blocked_1 = load(stack, frame + planes_at, cell_words)
        blocked_2 = load(stack, frame + planes_at + width, cell_words)
        blocked_4 = load(stack, frame + planes_at + U2 * width, cell_words)
        blocked_8 = load(stack, frame + planes_at + np.uint64(3) * width, cell_words)

    while steps > 0:
        if phase == ENTER:
            open_ = less(branch, occupied)
            if is_empty(open_):  # 2: process the solution
                phase = LEAVE
                complete = is_empty(meet(avail, must))
                if copies is not None:
                    for its in range(copies.left.size):
                        complete = complete and copies.left[its] <= copies.most_left[its]
                if complete:
                    found += 1
                    if keep:
                        for above in range(level):
                            out_images[filled] = stack[np.uint64(above) * frame_size + U1] - U1
                            filled += 1
                        held += 1
                        out_starts[held] = filled
                        if held == capacity or out_images.size - filled < longest:
                            status = FULL
                            break
            else:  # 3: selectFila and getImageListSet
                dead = False
                stage = remain << U2
                rule, first_cell = stages[stage], stages[stage + U1]
                if rule == FIRST:
                    place = (first_cell + first(open_)) * cell_size
                    index = marked(occupied, cells, place) >> cells[place + U2 * width]
                    row = cells[place + U2 * width + U1] + index
                elif rule == ORDERED:
                    # The search for an open cell goes on where the parent left it.
                    start = stages[stage + U2]
                    if stages[stage + np.uint64(STAGE)] != scan >> np.uint64(32):
                        scan = stages[stage + np.uint64(STAGE)] << np.uint64(32)
                    spot = scan & np.uint64(0xFFFFFFFF)
                    while is_empty(meet(open_, bit(order[start + spot], cell_words))):
                        spot += U1
                    scan = stages[stage + np.uint64(STAGE)] << np.uint64(32) | spot
                    place = (first_cell + order[start + spot]) * cell_size
                    index = marked(occupied, cells, place) >> cells[place + U2 * width]
                    row = cells[place + U2 * width + U1] + index
                else:
                    if planes is not None:  # noqa: SIM102  (decided when it is compiled)
                        if rule == ESTIMATE:
                            # Of the open cells those with the most blocked neighbours.
                            some = meet(open_, blocked_8)
                            if not is_empty(some):
                                open_ = some
                            some = meet(open_, blocked_4)
                            if not is_empty(some):
                                open_ = some
                            some = meet(open_, blocked_2)
                            if not is_empty(some):
                                open_ = some
                            some = meet(open_, blocked_1)
                            if not is_empty(some):
                                open_ = some
                    # countFits, up to the fewest found so far; a cell without any ends it
                    fewest, row, looked_at = MANY, U0, 0
                    while fewest > U0 and not is_empty(open_):
                        place = (first_cell + first(open_)) * cell_size
                        open_ = drop_first(open_)
                        looked_at += 1
                        index = marked(occupied, cells, place) >> cells[place + U2 * width]
                        here = cells[place + U2 * width + U1] + index
                        number = U0
                        some = meet(avail, load(nonempty, here * kind_width, kind_words))
                        while number < fewest and not is_empty(some):
                            spot = here * row_size + first(some)
                            some = drop_first(some)
                            one, last = np.uint64(lists[spot]), np.uint64(lists[spot + U1])
                            while one < last and number < fewest:
                                mask = load(masks, one * width, cell_words)
                                if is_empty(meet(occupied, mask)):
                                    number += U1
                                one += U1
                        if number < fewest:
                            fewest, row = number, here
                    steps -= looked_at >> 3
                    dead = fewest == U0
                phase = LEAVE
                if not dead:
                    rest = meet(avail, load(nonempty, row * kind_width, kind_words))
                    row *= row_size
                    at = end = U0
                    phase = TRY

        if phase == TRY:
            fit = False
            while True:
                # 10, 11: the next image in the list of the kind that is in no one's way
                while at < end:
                    mask = load(masks, at * width, cell_words)
                    at += U1
                    if is_empty(meet(occupied, mask)):
                        fit = True
                        break
                if fit or is_empty(rest):
                    break
                # 4, 5: the next kind, of those that are left and have images here
                kind = first(rest)
                rest = drop_first(rest)
                spot = row + kind
                at, end = np.uint64(lists[spot]), np.uint64(lists[spot + U1])
                tries += np.int64(end - at)
                if tally is not None:
                    tally[remain, 0] += np.int64(end - at)
            if not fit:
                phase = LEAVE
            else:
                # 12, 13: place it
                stack[frame], stack[frame + U1], stack[frame + U2] = row, at, end
                stack[frame + np.uint64(KIND)] = kind
                stack[frame + np.uint64(REMAIN)] = remain
                stack[frame + np.uint64(SCAN)] = scan
                store(stack, frame + np.uint64(HEAD), occupied)
                store(stack, frame + avail_at, avail)
                store(stack, frame + rest_at, rest)
                if tally is not None:
                    tally[remain, 1] += 1
                if planes is not None:  # noqa: SIM102
                    if remain >= counted:
                        store(stack, frame + planes_at, blocked_1)
                        store(stack, frame + planes_at + width, blocked_2)
                        store(stack, frame + planes_at + U2 * width, blocked_4)
                        store(stack, frame + planes_at + np.uint64(3) * width, blocked_8)
                        # Four-bit sums for all cells at once: a ripple of carries.
                        which = np.uint64(tables.image_of[at - U1]) * np.uint64(4) * width
                        more = load(tables.planes, which, cell_words)
                        carry = meet(blocked_1, more)
                        blocked_1 = differ(blocked_1, more)
                        more = load(tables.planes, which + width, cell_words)
                        both = join(meet(blocked_2, more), meet(carry, differ(blocked_2, more)))
                        blocked_2 = differ(differ(blocked_2, more), carry)
                        carry = both
                        more = load(tables.planes, which + U2 * width, cell_words)
                        both = join(meet(blocked_4, more), meet(carry, differ(blocked_4, more)))
                        blocked_4 = differ(differ(blocked_4, more), carry)
                        more = load(tables.planes, which + np.uint64(3) * width, cell_words)
                        blocked_8 = differ(differ(blocked_8, more), both)
                occupied = join(occupied, mask)
                # 6 to 9: one less of its kind
                if copies is None:
                    avail = less(avail, bit(kind, kind_words))
                else:
                    copies.left[kind] -= 1
                    if copies.left[kind] == 0:
                        avail = less(avail, bit(kind, kind_words))
                if kind != hole and remain > U0:
                    remain -= U1
                fits += 1
                steps -= 1
                level += U1
                frame += frame_size
                phase = ENTER

        if phase == LEAVE:
            if level == U0:
                status = DONE
                break
            level -= U1
            frame -= frame_size
            row, at, end = stack[frame], stack[frame + U1], stack[frame + U2]
            kind, remain = stack[frame + np.uint64(KIND)], stack[frame + np.uint64(REMAIN)]
            scan = stack[frame + np.uint64(SCAN)]
            occupied = load(stack, frame + np.uint64(HEAD), cell_words)
            avail = load(stack, frame + avail_at, kind_words)
            rest = load(stack, frame + rest_at, kind_words)
            if planes is not None:  # noqa: SIM102
                if remain >= counted:
                    blocked_1 = load(stack, frame + planes_at, cell_words)
                    blocked_2 = load(stack, frame + planes_at + width, cell_words)
                    blocked_4 = load(stack, frame + planes_at + U2 * width, cell_words)
                    blocked_8 = load(stack, frame + planes_at + np.uint64(3) * width, cell_words)
            # 14 to 17: it is there again
            if copies is not None:
                copies.left[kind] += 1
            phase = TRY

    stack[frame], stack[frame + U1], stack[frame + U2] = row, at, end
    stack[frame + np.uint64(KIND)], stack[frame + np.uint64(REMAIN)] = kind, remain
    stack[frame + np.uint64(SCAN)] = scan
    store(stack, frame + np.uint64(HEAD), occupied)
    store(stack, frame + avail_at, avail)
    store(stack, frame + rest_at, rest)
    if planes is not None:
        store(stack, frame + planes_at, blocked_1)
        store(stack, frame + planes_at + width, blocked_2)
        store(stack, frame + planes_at + U2 * width, blocked_4)
        store(stack, frame + planes_at + np.uint64(3) * width, blocked_8)
    registers[LEVEL], registers[PHASE] = np.int64(level), phase
    registers[FITS], registers[TRIES] = fits, tries
    registers[FOUND], registers[HELD] = found, held
    return status
