"""The search of fila: solveFila on an explicit stack, for cells in any number of 64-bit words.

The whole state of the search is in flat arrays. It returns when its steps are spent, when the batch
of solutions is full, or when the tree is done, and later goes on where it was. The hot state is in
local variables: the occupied cells, the kinds of pieces left, the current list of images and the
place in it. The stack keeps one frame per level.

A set of cells is a *word set*: a plain `uint64` if 64 bits suffice, else a tuple of them. The
functions on word sets, up to `marked`, are plain Python for readers and for runs without a
compiler. The compiler makes a few machine instructions of each, for every width. The pieces that
are left are a word set too, with a bit for each kind.

The invariants, true between any two steps:

- A frame of the stack holds the state of a node for the search to come back to: the row and the
  place in its lists, 32 bits each, the cells occupied before its image was placed, and the kinds
  yet to be tried, with the current one as the lowest.
- `tries` counts the images of a list when the list is begun. The rest of each unfinished list is on
  the stack, so the number of images that did not fit is known at any time.
- Every cell that must be filled, and every cell whose staying empty is a choice, is a bit of
  `branch`; bits outside it only exclude images from each other.

M. Busche's article on FILA (2018) has the pseudo-code of solveFila; the line numbers in the
comments are those there. It keeps an array S of shapes and swaps the used up ones to its end. Here
a bit mask takes its place, ANDed with the mask of the shapes that have any image in the lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import extending, types

from exactcover.compiled import jit
from exactcover.heuristics.user import State

Words = Any
"""A word set: `np.uint64`, or a tuple of several."""

Bits = npt.NDArray[np.uint64]
Index = npt.NDArray[np.uint32]
Long = npt.NDArray[np.int64]

# Why `fill` came back.
BUDGET, FULL, DONE, FAILED = range(4)

# Where it goes on: it comes to the root, or tries the images of a node.
ENTER, TRY = range(2)

# The registers: the state beside the stack.
LEVEL, PHASE, FLOOR, FITS, TRIES, FOUND, HELD, REGISTERS = range(8)

# How a cell is chosen.
FIRST, ORDERED, ESTIMATE, SIZE, CLOSE, PIECES, RATED = range(7)

# The numbers in `top`, the state of the node under way; its word sets follow.
ROW, AT, END, KIND, REMAIN, SCAN, HEAD = range(7)

# The columns of `stages`, which has a row for each number of remaining pieces.
RULE, CELLS, ORDER, STAGE = range(4)

U0, U1, U2, U3, U4, U8, U32 = (np.uint64(number) for number in (0, 1, 2, 3, 4, 8, 32))
LOW = np.uint64(0xFFFFFFFF)
MANY = np.uint64(1 << 62)

# -- word sets ------------------------------------------------------------------------------------


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

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
intrinsic: Decorator = extending.intrinsic  # their published types do not cover this use
overload: Callable[..., Decorator] = extending.overload

INLINED = {"forceinline": True}
WORD = ir.IntType(64)
NO = ir.Constant(ir.IntType(1), 0)


def _is_words(kind: Any) -> bool:
    """Whether a type is that of a word set; a signed number is not."""
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
    """Pointers to `many` numbers of a flat array, from a place on."""
    start = context.make_array(kind)(context, builder, array).data
    return [
        builder.gep(start, [builder.add(at, ir.Constant(WORD, i))], inbounds=True)
        for i in range(many)
    ]


def _word_by_word(plain: Any, combine: Callable[[Any, Any, Any], Any]) -> None:
    """Compile a function of two word sets from its operation on two words."""

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
def _load_halves(_context: Any, flat: Any, at: Any, like: Any) -> Any:
    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        places = _pointers(context, builder, flat, arguments[0], arguments[1], 2 * _many(like))
        wide = [builder.bitcast(place, WORD.as_pointer()) for place in places[::2]]
        return _put_together(builder, like, [builder.load(place, align=4) for place in wide])

    return like(flat, at, like), code


@overload(load_halves, strict=False, jit_options=INLINED)
def _type_load_halves(flat: Any, at: Any, like: Any) -> Any:
    def code(flat: Any, at: Any, like: Any) -> Any:
        return _load_halves(flat, at, like)

    fits = _is_flat(flat, types.uint32) and at == types.uint64 and _is_words(like)
    return code if fits else None


@intrinsic
def _width(_context: Any, like: Any) -> Any:
    def code(_context: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return ir.Constant(WORD, _many(like))

    return types.uint64(like), code


@overload(width, strict=False, jit_options=INLINED)
def _type_width(like: Any) -> Any:
    def code(like: Any) -> Any:
        return _width(like)

    return code if _is_words(like) else None


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
        places = _pointers(context, builder, flat, arguments[1], arguments[2], len(parts) + 1)
        folded = ir.Constant(WORD, 0)
        for place, part in zip(places, parts, strict=False):
            folded = builder.or_(folded, builder.and_(part, builder.load(place)))
        return builder.mul(folded, builder.load(places[-1]))

    return types.uint64(words, flat, at), code


@overload(marked, strict=False, jit_options=INLINED)
def _type_marked(words: Any, flat: Any, at: Any) -> Any:
    fits = _is_words(words) and _is_flat(flat) and at == types.uint64

    def code(words: Any, flat: Any, at: Any) -> Any:
        return _marked(words, flat, at)

    return code if fits else None


def _is_flat(kind: Any, number: Any = types.uint64) -> bool:
    """Whether a type is that of a flat array of words, or of these numbers."""
    flat = isinstance(kind, types.Array) and kind.ndim == 1 and kind.layout == "C"
    return flat and kind.dtype == number


# -- tables ---------------------------------------------------------------------------------------


class FilaTables(NamedTuple):
    """The constant tables; w and v are the words of cells and of kinds, q is the number of kinds.

    branch    uint64 [w]  the cells to be filled, see above
    must      uint64 [v]  the kinds of which one has to be placed yet, where all have one copy
    stages    uint64 [remain + 1, 4]  for each number of remaining pieces: how a cell is chosen,
              where its phase begins in `cells`, and in `order` (or, where pieces are branched on,
              the first of the rows that list all images of a kind), and the number of the phase
    counted   the least number of remaining pieces from which blocked neighbours are wanted
    hole      the kind that leaves a cell empty, or q
    kinds     q
    cells     uint64 [phases, cells, w + 3]  masks and a multiplier, see `marked`, then the shift
              and the first row of the cell
    order     uint64 [..., cells]  the cells in each fixed order that is not the one of the bits
    rows      uint32 [rows, 2v + q + 1 or more]  the kinds that have any image, in halves of words,
              then where the list of each kind begins; the list of the next begins where it ends;
              the length of a row is a power of two
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
    rows: Index
    masks: Bits
    image_of: Index
    planes: Bits


class Copies(NamedTuple):
    """How many more of each kind may be placed, and how many may be left in the end: int64 [q].

    `left` is the one array that the search changes beside its stack; going back restores it.
    """

    left: Long
    most_left: Long


class FilaRating(NamedTuple):
    """The data that a user's heuristic reads, see `State`, and the numbers of cells and shapes
    here.

    place_of, bit_of  int64 [cells], int64 [cells of the puzzle]: from one to the other, -1: none
    shape_of          int64 [q]: the shape of each kind, -1: none
    counts            whether it reads the fits of each open cell
    """

    open: npt.NDArray[np.bool_]
    fits: Long
    left: Long
    positions: npt.NDArray[np.float64]
    near_starts: Long
    near: Long
    arguments: npt.NDArray[np.float64]
    place_of: Long
    bit_of: Long
    shape_of: Long
    counts: int


@jit
def fill(
    steps: int,
    keep: bool,
    capacity: int,
    longest: int,
    cell_words: Words,
    kind_words: Words,
    tables: FilaTables,
    copies: Copies | None,
    staged: int | None,
    counting: int | None,
    ordered: int | None,
    planes: int | None,
    tally: Long | None,
    cut: int,
    choose: Callable[[State], int] | None,
    rating: FilaRating | None,
    top: Bits,
    stack: Bits,
    registers: Long,
    out_starts: Long,
    out_images: Index,
) -> int:
    """Go on for about `steps` choices; the arrays hold the whole state.

    cell_words, kind_words  any word sets of the right width
    copies   None: there is one of every kind
    staged   None: the first open cell is filled all along, and there is one phase
    counting None: no phase counts the images that fit to choose a cell
    ordered  None: no phase has an order that is not the one of the bits
    planes   None: no phase needs blocked neighbours. The code for an argument that is None is
             compiled away
    tally    int64 [remain + 1, 2]: images tried and placed by the number of remaining pieces; None:
             no tally and no cut
    cut      a state with this many pieces left is handed out like a solution, if there is a tally
    choose   a user's heuristic, compiled: from a `State` to the cell to fill; None: there is none,
             and `rating` is None too
    top      uint64 [HEAD + 5w + 2v]: the state of the node under way
    stack    uint64 [levels, 1 + w + v], one more where `ordered`, 4w more with `planes`: the nodes
             above it; level 0 is what the search starts from, and the root is at level 1

    The search is done when it is back at the level FLOOR.

    Solutions go to `out_images`, the place in `masks` of each image in the order of choice; the
    search goes on only while there is room for `longest` more.
    """
    counts_pieces = staged is not None or tally is not None
    branch = load(tables.branch, U0, cell_words)
    must = load(tables.must, U0, kind_words)
    stages, order, hole = tables.stages, tables.order, np.uint64(tables.hole)
    cells, rows, masks = tables.cells, tables.rows, tables.masks
    image_of, image_planes, counted = tables.image_of, tables.planes, tables.counted
    wide = width(cell_words)
    row_head = U2 * width(kind_words)
    row_bits = U0  # rows begin where a shift brings their number
    while U1 << row_bits <= row_head + np.uint64(tables.kinds):
        row_bits += U1
    shift_at = wide + U1
    cell_size = shift_at + U2
    rest_at = U1 + wide
    scan_at = rest_at + width(kind_words)
    planes_at = scan_at
    if ordered is not None:
        planes_at = scan_at + U1
    frame_size = planes_at
    if planes is not None:
        frame_size = planes_at + U4 * wide

    phase, floor = registers[PHASE], np.uint64(registers[FLOOR]) * frame_size
    fits, tries, found = registers[FITS], registers[TRIES], registers[FOUND]
    held, filled = 0, 0
    out_starts[0] = 0
    status = BUDGET

    # The current node, and the changes that a placed image makes.
    until = fits + steps
    frame = np.uint64(registers[LEVEL]) * frame_size
    row, at, end, kind = top[ROW], top[AT], top[END], top[KIND]
    remain, scan = np.int64(top[REMAIN]), top[SCAN]
    place = np.uint64(HEAD)
    occupied = load(top, place, cell_words)
    avail = load(top, place + wide, kind_words)
    rest = load(top, place + wide + width(kind_words), kind_words)
    next_occupied, next_avail, next_remain = occupied, avail, remain
    if planes is not None:
        place += wide + U2 * width(kind_words)
        blocked_1 = load(top, place, cell_words)
        blocked_2 = load(top, place + wide, cell_words)
        blocked_4 = load(top, place + U2 * wide, cell_words)
        blocked_8 = load(top, place + U3 * wide, cell_words)
        next_1, next_2, next_4, next_8 = blocked_1, blocked_2, blocked_4, blocked_8

    while fits < until:
        if phase == TRY:
            fit = False
            while True:
                # 10, 11: the next image in the list of the kind that overlaps no other
                while at < end:
                    mask = load(masks, at * wide, cell_words)
                    at += U1
                    if is_empty(meet(occupied, mask)):
                        fit = True
                        next_occupied = join(occupied, mask)
                        break
                if fit or is_empty(rest):
                    break
                # 4, 5: the next kind, of those that are left and have images here
                kind = first(rest)
                rest = drop_first(rest)
                spot = row + row_head + kind
                at, end = np.uint64(rows[spot]), np.uint64(rows[spot + U1])
                tries += np.int64(end - at)
                if tally is not None:
                    tally[remain if remain > 0 else 0, 0] += np.int64(end - at)

            if not fit:  # back to the node above
                if frame <= floor:
                    status = DONE
                    break
                frame -= frame_size
                row, at = stack[frame] >> U32, stack[frame] & LOW
                occupied = load(stack, frame + U1, cell_words)
                rest = load(stack, frame + rest_at, kind_words)
                kind = first(rest)
                rest = drop_first(rest)
                end = np.uint64(rows[row + row_head + kind + U1])
                avail = join(avail, bit(kind, kind_words))
                if counts_pieces and kind != hole:
                    remain += 1
                if ordered is not None:
                    scan = stack[frame + scan_at]
                if planes is not None:  # noqa: SIM102  (decided when it is compiled)
                    if remain >= counted:
                        blocked_1 = load(stack, frame + planes_at, cell_words)
                        blocked_2 = load(stack, frame + planes_at + wide, cell_words)
                        blocked_4 = load(stack, frame + planes_at + U2 * wide, cell_words)
                        blocked_8 = load(stack, frame + planes_at + U3 * wide, cell_words)
                # 14 to 17: the image is there again
                if copies is not None:
                    copies.left[kind] += 1
                continue

            # 6 to 9, 12: one less of its kind
            fits += 1
            if tally is not None:
                tally[remain if remain > 0 else 0, 1] += 1
            next_avail = avail
            if copies is None:
                next_avail = less(avail, bit(kind, kind_words))
            else:
                copies.left[kind] -= 1
                if copies.left[kind] == 0:
                    next_avail = less(avail, bit(kind, kind_words))
            next_remain = remain
            if counts_pieces and kind != hole:
                next_remain = remain - 1
            if planes is not None:  # noqa: SIM102
                if next_remain >= counted:
                    # Four-bit sums for all cells at once: a ripple of carries.
                    spot = np.uint64(image_of[at - U1]) * U4 * wide
                    more = load(image_planes, spot, cell_words)
                    carry = meet(blocked_1, more)
                    next_1 = differ(blocked_1, more)
                    more = load(image_planes, spot + wide, cell_words)
                    either = differ(blocked_2, more)
                    next_2 = differ(either, carry)
                    carry = join(meet(blocked_2, more), meet(either, carry))
                    more = load(image_planes, spot + U2 * wide, cell_words)
                    either = differ(blocked_4, more)
                    next_4 = differ(either, carry)
                    carry = join(meet(blocked_4, more), meet(either, carry))
                    more = load(image_planes, spot + U3 * wide, cell_words)
                    next_8 = differ(differ(blocked_8, more), carry)

        # 13: come to a node
        phase = TRY
        open_ = less(branch, next_occupied)
        is_cut = False
        if tally is not None:
            is_cut = bool(next_remain <= cut and not is_empty(open_))
        if is_empty(open_) or is_cut:  # 2: process the solution
            complete = is_cut or is_empty(meet(next_avail, must))
            if copies is not None:
                for its in range(copies.left.size):
                    enough = is_cut or copies.left[its] <= copies.most_left[its]
                    complete = complete and enough
                if frame > U0:
                    copies.left[kind] += 1
            if complete:
                found += 1
                if keep:
                    above = frame_size
                    while above < frame:
                        out_images[filled] = (stack[above] & LOW) - U1
                        filled += 1
                        above += frame_size
                    if frame > U0:
                        out_images[filled] = at - U1
                        filled += 1
                    held += 1
                    out_starts[held] = filled
                    if held == capacity or out_images.size - filled < longest:
                        status = FULL
                        break
            continue

        # 3: selectFila and getImageListSet
        rule, first_cell, stage = np.uint64(FIRST), U0, U0
        if staged is not None:
            stage = np.uint64(next_remain if next_remain > 0 else 0) << U2
            rule, first_cell = stages[stage], stages[stage + U1]
        next_scan = scan
        is_known = True
        if counting is not None:
            is_known = bool(rule <= ORDERED)
            if rating is not None:
                is_known = is_known or rule == RATED
        if is_known:
            cell = first(open_)
            if rating is not None and choose is not None:  # noqa: SIM102
                if rule == RATED:
                    some_place = False
                    for number in range(rating.place_of.size):
                        its_place = rating.place_of[number]
                        if its_place < 0:
                            continue
                        one_cell = np.uint64(number)
                        is_here = not is_empty(meet(open_, bit(one_cell, cell_words)))
                        some_place = some_place or is_here
                        rating.open[its_place] = is_here
                        if is_here and rating.counts:
                            until -= 1
                            place = (first_cell + one_cell) * cell_size
                            index = marked(next_occupied, cells, place) >> cells[place + shift_at]
                            here = (cells[place + shift_at + U1] + index) << row_bits
                            some = meet(next_avail, load_halves(rows, here, kind_words))
                            all_fits = 0
                            while not is_empty(some):
                                spot = here + row_head + first(some)
                                some = drop_first(some)
                                one, last = np.uint64(rows[spot]), np.uint64(rows[spot + U1])
                                while one < last:
                                    image = load(masks, one * wide, cell_words)
                                    all_fits += is_empty(meet(next_occupied, image))
                                    one += U1
                            rating.fits[its_place] = all_fits
                    for its in range(rating.shape_of.size):
                        its_shape = rating.shape_of[its]
                        if its_shape < 0:
                            continue
                        if copies is None:
                            one_kind = bit(np.uint64(its), kind_words)
                            rating.left[its_shape] = not is_empty(meet(next_avail, one_kind))
                        else:
                            rating.left[its_shape] = copies.left[its]
                    until -= rating.place_of.size >> 3
                    if some_place:
                        chosen = choose(
                            State(
                                rating.open, rating.fits, rating.left, next_remain,
                                rating.positions, rating.near_starts, rating.near,
                                rating.arguments,
                            )
                        )  # fmt: skip
                        if chosen < 0:
                            status = FAILED
                            break
                        cell = np.uint64(rating.bit_of[chosen])
            if ordered is not None:  # noqa: SIM102
                if rule == ORDERED:
                    # The search for an open cell goes on where the parent left it.
                    number, spot = stages[stage + U3], U0
                    if number == scan >> U32:
                        spot = scan & LOW
                    start = stages[stage + U2]
                    while is_empty(meet(open_, bit(order[start + spot], cell_words))):
                        spot += U1
                    next_scan = number << U32 | spot
                    cell = order[start + spot]
            place = (first_cell + cell) * cell_size
            index = marked(next_occupied, cells, place) >> cells[place + shift_at]
            next_row = (cells[place + shift_at + U1] + index) << row_bits
            next_rest = meet(next_avail, load_halves(rows, next_row, kind_words))
        elif counting is not None:
            if planes is not None:  # noqa: SIM102
                if rule == ESTIMATE:
                    # The open cells with the most blocked neighbours.
                    some = meet(open_, next_8)
                    if not is_empty(some):
                        open_ = some
                    some = meet(open_, next_4)
                    if not is_empty(some):
                        open_ = some
                    some = meet(open_, next_2)
                    if not is_empty(some):
                        open_ = some
                    some = meet(open_, next_1)
                    if not is_empty(some):
                        open_ = some
            # countFits, up to the fewest found so far; a cell without any ends it
            fewest, looked_at, most_blocked = MANY, 0, U0
            next_row, next_rest = U0, next_avail
            while fewest > U0 and not is_empty(open_):
                cell = first(open_)
                place = (first_cell + cell) * cell_size
                open_ = drop_first(open_)
                looked_at += 1
                up_to, its_blocked = fewest, U0
                if planes is not None:  # noqa: SIM102
                    if rule == CLOSE:  # as many suffice if more of its neighbours are blocked
                        one_cell = bit(cell, cell_words)
                        its_blocked = U1 - np.uint64(is_empty(meet(one_cell, next_1)))
                        its_blocked += U2 - U2 * np.uint64(is_empty(meet(one_cell, next_2)))
                        its_blocked += U4 - U4 * np.uint64(is_empty(meet(one_cell, next_4)))
                        its_blocked += U8 - U8 * np.uint64(is_empty(meet(one_cell, next_8)))
                        if its_blocked > most_blocked:
                            up_to = fewest + U1
                index = marked(next_occupied, cells, place) >> cells[place + shift_at]
                here = (cells[place + shift_at + U1] + index) << row_bits
                all_kinds = meet(next_avail, load_halves(rows, here, kind_words))
                some = all_kinds
                counted_fits = U0
                while counted_fits < up_to and not is_empty(some):
                    spot = here + row_head + first(some)
                    some = drop_first(some)
                    one, last = np.uint64(rows[spot]), np.uint64(rows[spot + U1])
                    while one < last and counted_fits < up_to:
                        if is_empty(meet(next_occupied, load(masks, one * wide, cell_words))):
                            counted_fits += U1
                        one += U1
                if counted_fits < up_to:
                    fewest, next_row, next_rest = counted_fits, here, all_kinds
                    most_blocked = its_blocked
            if rule == PIECES:  # or a piece that has exactly one copy left to place
                some = meet(next_avail, must)
                if copies is not None:
                    some = next_avail
                while fewest > U0 and not is_empty(some):
                    its_kind = first(some)
                    some = drop_first(some)
                    if copies is not None:  # noqa: SIM102
                        if copies.left[its_kind] != 1 or copies.most_left[its_kind] != 0:
                            continue
                    looked_at += 1
                    here = (stages[stage + U2] + its_kind) << row_bits
                    spot = here + row_head + its_kind
                    one, last = np.uint64(rows[spot]), np.uint64(rows[spot + U1])
                    counted_fits = U0
                    while one < last and counted_fits < fewest:
                        if is_empty(meet(next_occupied, load(masks, one * wide, cell_words))):
                            counted_fits += U1
                        one += U1
                    if counted_fits < fewest:
                        fewest, next_row = counted_fits, here
                        next_rest = bit(its_kind, kind_words)
            until -= looked_at >> 3
            if fewest == U0:
                next_rest = less(next_rest, next_rest)

        if is_empty(next_rest):  # no image can fill the cell
            if copies is not None:  # noqa: SIM102
                if frame > U0:
                    copies.left[kind] += 1
            if frame == U0:
                status = DONE
                break
            continue

        stack[frame] = row << U32 | at
        store(stack, frame + U1, occupied)
        store(stack, frame + rest_at, join(rest, bit(kind, kind_words)))
        if ordered is not None:
            stack[frame + scan_at] = scan
        if planes is not None:
            if remain >= counted:
                store(stack, frame + planes_at, blocked_1)
                store(stack, frame + planes_at + wide, blocked_2)
                store(stack, frame + planes_at + U2 * wide, blocked_4)
                store(stack, frame + planes_at + U3 * wide, blocked_8)
            blocked_1, blocked_2, blocked_4, blocked_8 = next_1, next_2, next_4, next_8
        frame += frame_size
        row, at, end = next_row, U0, U0
        remain, scan = next_remain, next_scan
        occupied, avail, rest = next_occupied, next_avail, next_rest

    top[ROW], top[AT], top[END], top[KIND] = row, at, end, kind
    top[REMAIN], top[SCAN] = np.uint64(remain), scan
    place = np.uint64(HEAD)
    store(top, place, occupied)
    store(top, place + wide, avail)
    store(top, place + wide + width(kind_words), rest)
    if planes is not None:
        place += wide + U2 * width(kind_words)
        store(top, place, blocked_1)
        store(top, place + wide, blocked_2)
        store(top, place + U2 * wide, blocked_4)
        store(top, place + U3 * wide, blocked_8)
    registers[LEVEL], registers[PHASE] = np.int64(frame // frame_size), phase
    registers[FITS], registers[TRIES] = fits, tries
    registers[FOUND], registers[HELD] = found, held
    return status
