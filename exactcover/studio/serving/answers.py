"""The questions of the page, and what answers them; a process of the pool does.

A puzzle is posed as TOML text, whatever format it came in; one with colours, which only the format
of BurrTools holds, as XML. Text from the page never names a file of this computer. A cell is a
number here: its place among the cells of the puzzle's space.
"""

from __future__ import annotations

import binascii
import json
import re
import zlib
from base64 import b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import decode

from exactcover import puzzle_of
from exactcover.errors import ExactCoverError, LimitReached
from exactcover.formats import (
    Document,
    Refused,
    parse,
    read_bytes,
    read_puzzle,
    write,
)
from exactcover.geometry.cells import CellSet
from exactcover.lattices import Lattice, lattices, without_files
from exactcover.puzzle import Model, Piece, Puzzle, Region, cells_array
from exactcover.puzzle.library import piece_set
from exactcover.search import Counting, Solution, Solving
from exactcover.show import draw_placements
from exactcover.show.picture import picture
from exactcover.show.viewing import data_of, data_of_board
from exactcover.studio.serving.boards import CELLS, PIECES, SolutionRows, board, board_and_pieces
from exactcover.studio.serving.pool import Message, Refusal
from exactcover.studio.serving.shelf import titles
from exactcover.trust.proofs import find_proof

MOST = 200
"""Puzzles of one file."""

KEPT = 2_000
"""Solutions that the page gets; more are counted."""

LARGE = 150
"""Cells from which on one solution is searched for on its own, before all are listed."""

PACE = 0.15
"""Seconds between two messages of a search."""

PROOF_SECONDS = 4.0
AID_SECONDS = 5.0

LEFT_SECONDS = 1.0
"""The time limit for a count of the solutions that are left in a game."""


@dataclass(frozen=True)
class Told:
    """How an answer tells something before its end.

    seconds  that it may take
    stopped  set when nobody listens any more
    """

    tell: Callable[[Message], None]
    seconds: float
    stopped: Event

    def partly(self, value: object) -> None:
        """Send a part of the answer."""
        self.tell(Message.of(value, more=True))


# -- puzzles --------------------------------------------------------------------------------------


@lru_cache(16)
def posed(text: str) -> Document:
    """The puzzle in a text that the page has sent."""
    with without_files():
        return parse(text)[0]


def _puzzle(text: str) -> Puzzle:
    return _puzzle_of(posed(text))


def _puzzle_of(document: Document) -> Puzzle:
    if document.puzzle is None:
        raise Refusal(422, "this is a plain problem: it has no cells, so there is nothing to draw")
    return document.puzzle


def described(document: Document) -> dict[str, Any]:
    """The description of a puzzle for the page: its text, its board, its pieces."""
    puzzle = _puzzle_of(document)
    title = document.title or document.name.rpartition("/")[2]
    about = Document(document.name, puzzle, title, document.source, document.counts)
    text = write([about], "toml" if puzzle.paint is None else "xmpuzzle")
    return {"title": title, "text": text, **board_and_pieces(_puzzle(text))}


def link_of(document: Document) -> str:
    """The fragment of an address that holds a puzzle."""
    try:
        text = str(described(document)["text"])
    except Refusal as refusal:
        raise ExactCoverError(f"{document.name}: {refusal.message}") from None
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(text.encode()) + packer.flush()
    return "#puzzle=" + urlsafe_b64encode(packed).decode().rstrip("=")


class Upload(Struct, forbid_unknown_fields=True):
    """A file of any format."""

    name: str
    base64: str = ""
    text: str | None = None


def opened(file: Upload, told: Told) -> dict[str, Any]:
    """The puzzles of a file."""
    name = file.name.replace("\\", "/").rpartition("/")[2][:200]
    try:
        raw = b64decode(file.base64, validate=True) if file.text is None else file.text.encode()
    except (binascii.Error, ValueError) as error:
        raise Refusal(400, f"base64: {error}") from None
    puzzles: list[dict[str, Any]] = []
    refused: list[dict[str, str]] = []
    for entry in _entries(name or "puzzle", raw):
        if len(puzzles) + len(refused) == MOST:
            raise Refusal(413, f"the file holds more than {MOST} puzzles: give fewer")
        if isinstance(entry, Refused):
            refused.append({"title": entry.name, "why": str(entry.error)})
            continue
        try:
            puzzles.append(described(entry))
        except (ExactCoverError, Refusal) as error:
            refused.append({"title": entry.name, "why": str(error)})
    if not puzzles:
        raise Refusal(422, refused[0]["why"] if refused else "it holds no puzzle")
    return {"puzzles": puzzles, "refused": refused}


def _entries(name: str, raw: bytes) -> Iterator[Document | Refused]:
    with without_files():
        yield from read_bytes(raw, name)


class Named(Struct, forbid_unknown_fields=True):
    """A shipped puzzle."""

    name: str
    dark: bool = False


def shipped(asked: Named, told: Told) -> dict[str, Any]:
    """A shipped puzzle."""
    document = _shipped(asked.name)
    return described(replace(document, title=titles()[asked.name]))


@lru_cache(64)
def _shipped(name: str) -> Document:
    if name not in titles():  # it might name a file of this computer
        raise Refusal(404, f"there is no shipped puzzle {name[:80]!r}")
    return read_puzzle(name)[0]


FEW = 40
"""Pieces that a small picture shows."""

SIZE = re.compile(r"<svg [^>]*?width='([\d.]+)' height='([\d.]+)'")


def shelf_picture(asked: Named, told: Told) -> Message:
    """The region of a shipped puzzle, and its pieces, whether beside it or below it."""
    puzzle = _puzzle_of(_shipped(asked.name))
    theme: Literal["light", "dark"] = "dark" if asked.dark else "light"
    drawn = [picture(puzzle, theme=theme, names=False).svg]
    if len(puzzle.movable) <= FEW:
        drawn.append(picture(puzzle.movable, lattice=puzzle.lattice, theme=theme, names=False).svg)
    return Message(_joined(drawn).encode(), "image/svg+xml")


def _joined(drawn: Sequence[str]) -> str:
    """Two pictures as one that is nearly a square; the second one is not larger than the first."""
    if len(drawn) == 1:
        return drawn[0]
    (wide, tall), (across, down) = (
        [float(side) for side in found.groups()] for found in map(SIZE.match, drawn) if found
    )
    share = 0.8 * min(1.0, (wide * tall / (across * down)) ** 0.5)
    across, down = share * across, share * down
    if max(wide + across, tall, down) < max(tall + down, wide, across):
        places = (0.0, max(0.0, down - tall) / 2), (wide, max(0.0, tall - down) / 2)
        size = wide + across, max(tall, down)
    else:
        places = (max(0.0, across - wide) / 2, 0.0), (max(0.0, wide - across) / 2, tall)
        size = max(wide, across), tall + down
    parts = []
    for svg, (x, y), (width, height) in zip(
        drawn, places, ((wide, tall), (across, down)), strict=True
    ):
        head = f"<svg x='{x:.1f}' y='{y:.1f}' width='{width:.1f}' height='{height:.1f}'"
        parts.append(SIZE.sub(head, svg, count=1))
    whole = f"width='{size[0]:.1f}' height='{size[1]:.1f}'"
    box = f"viewBox='0 0 {size[0]:.1f} {size[1]:.1f}'"
    return f"<svg xmlns='http://www.w3.org/2000/svg' {whole} {box}>{''.join(parts)}</svg>"


# -- drawing --------------------------------------------------------------------------------------


class DraftPiece(Struct, forbid_unknown_fields=True):
    """A piece of a draft, or all pieces of a set of the library."""

    name: str = ""
    set: str = ""
    cells: list[list[int]] = []
    low: int = 1
    high: int | None = 1


class Draft(Struct, forbid_unknown_fields=True):
    """A puzzle that is being drawn."""

    lattice: str
    title: str = ""
    cells: list[list[int]] = []
    optional: list[list[int]] = []
    pieces: list[DraftPiece] = []
    reflect: bool | None = None


def drawn(draft: Draft, told: Told) -> dict[str, Any]:
    """The puzzle of a draft, with its sizes, and a proof if it is known to have no solution."""
    lattice = _lattice(draft.lattice)
    taken: Counter[str] = Counter()
    pieces = []
    for number, entry in enumerate(draft.pieces, 1):
        for piece in _pieces(entry, lattice, number):
            taken[piece.name] += 1
            again = f"{piece.name}_{taken[piece.name]}"
            pieces.append(replace(piece, name=again) if taken[piece.name] > 1 else piece)
    if len(pieces) > PIECES:
        raise Refusal(413, f"{len(pieces):,} pieces are too many: up to {PIECES:,}")
    region = Region(
        cells_array(lattice, draft.cells, "the region"),
        cells_array(lattice, draft.optional, "the optional cells"),
    )
    puzzle = Puzzle(lattice, region, tuple(pieces), draft.reflect)
    title = draft.title.strip()[:200] or "My Puzzle"
    return described(Document("draft", puzzle, title)) | {"check": checked(puzzle)}


def _lattice(name: str) -> Lattice:
    if (found := lattices().get(name)) is None:
        raise Refusal(404, f"there is no lattice {name[:40]!r}: there are {', '.join(lattices())}")
    return found


def _pieces(entry: DraftPiece, lattice: Lattice, number: int) -> list[Piece]:
    """The pieces of an entry: one, or all of a set."""
    if not entry.set:
        name = entry.name or f"P{number}"
        return [Piece(name, cells_array(lattice, entry.cells, name), entry.low, entry.high)]
    found = piece_set(entry.set, lattice)
    turns_over = False if found.sort.value == "one-sided" and lattice.flips else None
    return [
        Piece(name, cells, entry.low, entry.high, reflections=turns_over)
        for name, cells in found.pieces.items()
    ]


def checked(puzzle: Puzzle) -> dict[str, Any]:
    """The cells to fill and those that the pieces have; why there is no solution, if that is
    known, with the class of each cell if a colouring shows it."""
    low = sum(piece.low * len(piece.cells) for piece in puzzle.pieces)
    found: dict[str, Any] = {"volume": low, "why": "", "colours": None}
    if not puzzle.pieces:
        return found
    model = puzzle.model
    if model.reason:
        found["why"] = model.reason
    elif proof := find_proof(model, seconds=PROOF_SECONDS):
        values = proof.values(model.layout.cell_item).tolist()
        classes = sorted(set(values), reverse=True)
        places = puzzle.space.find(model.free.cells).tolist()
        found["colours"] = [
            [at, classes.index(value)] for at, value in zip(places, values, strict=True)
        ]
        found["why"] = _coloured(model, values, classes)
    return found


COLOURS = ("white", "black", "grey")


def _coloured(model: Model, values: Sequence[int], classes: Sequence[int]) -> str:
    """A colouring in words: how many cells have each colour, and how many a piece covers."""
    if len(classes) > len(COLOURS):
        return (
            f"a colouring in {len(classes)} colours shows it: no choice of places covers each "
            "colour as often as it must be"
        )
    cells = " and ".join(f"{values.count(one)} {COLOURS[at]}" for at, one in enumerate(classes))
    where = dict(zip(map(tuple, model.free.cells.tolist()), values, strict=True))
    covered: dict[str, set[tuple[int, ...]]] = {}
    for option in range(model.problem.n_options):
        for placement in model.placements([option]):
            here = Counter(where[cell] for cell in placement.cells)
            covered.setdefault(placement.piece, set()).add(tuple(here[one] for one in classes))
    sentences = [f"there are {cells} cells"]
    for piece, ways in list(covered.items())[:3]:
        words = " or ".join(
            " and ".join(f"{many} {COLOURS[at]}" for at, many in enumerate(way) if many)
            for way in sorted(ways)
        )
        sentences.append(f"{piece} covers {words}")
    return "; ".join(sentences)


class Shape(Struct, forbid_unknown_fields=True):
    """A region in words, such as 10x6, or a set of pieces."""

    lattice: str
    name: str


def region(asked: Shape, told: Told) -> dict[str, Any]:
    """The board of a region in words; its size is checked before it is made."""
    lattice = _lattice(asked.lattice)
    sides = asked.name.lower().replace("×", "x").split("x")
    if "\n" in asked.name or not asked.name.strip():
        raise Refusal(400, "a size is needed, such as 10x6")
    if all(side.strip().isdecimal() for side in sides):
        cells = prod(int(side[:9]) for side in sides) * len(lattice.kinds)
        if cells > CELLS:
            raise Refusal(413, f"{cells:,} cells are too many for the page: up to {CELLS:,}")
    one = Piece("one", cells_array(lattice, [[0] * lattice.width], "one"), 0, 1)
    return board(puzzle_of([one], asked.name, lattice).space)


def members(asked: Shape, told: Told) -> list[dict[str, Any]]:
    """The pieces of a set."""
    lattice = _lattice(asked.lattice)
    found = piece_set(asked.name, lattice)
    if len(found) > PIECES:
        raise Refusal(413, f"{found.name} are {len(found):,} pieces: up to {PIECES:,} are shown")
    return [
        {
            "name": one.name,
            "cells": one.cells.tolist(),
            "outline": board(CellSet.of(lattice, one.cells)),
        }
        for one in found
    ]


# -- solutions ------------------------------------------------------------------------------------


class Posed(Struct, forbid_unknown_fields=True):
    """A puzzle, and a solution of it."""

    text: str
    options: list[int] | None = None

    def solution(self) -> Solution:
        """The solution."""
        model = _puzzle(self.text).model
        options = self.options or []
        if not all(0 <= option < model.problem.n_options for option in options):
            raise Refusal(400, "options: the puzzle has no such placements")
        return Solution((*options,), model.problem, model)


def model_of(asked: Posed, told: Told) -> dict[str, Any]:
    """The data of the turning model: of a solution, or of the empty board."""
    if asked.options is None:
        return data_of_board(_puzzle(asked.text))
    from exactcover.studio.burrs import assembled

    solution = asked.solution()
    return data_of(solution, assembled(solution))


def solve(asked: Posed, told: Told) -> dict[str, Any]:
    """All solutions up to rotations: the first ones as rows, then their number.

    A burr gets the levels of its solutions after that. Messages have `rows`, `levels`, or the
    figures of the search; the last one has its `status`.
    """
    puzzle, until = _puzzle(asked.text), monotonic() + told.seconds
    search = _Search(puzzle, told, until)
    if len(puzzle.space) > LARGE and not puzzle.model.reason:
        search.find_one()
    result = search.list()
    status = result.status
    if status == "searching" and not told.stopped.is_set():
        status = search.count()
    if status in ("interrupted", "searching"):
        status = "stopped" if told.stopped.is_set() else "limit"
    if status != "stopped":
        search.levels()
    why = result.reason
    if status == "complete" and not search.solutions:
        why = checked(puzzle)["why"] or "every placement was tried"
    return {**search.figures(), "status": status, "why": why}


class _Search:
    """The parts of `solve`: what is found so far, and what of it the page has."""

    def __init__(self, puzzle: Puzzle, told: Told, until: float) -> None:
        self.puzzle, self.told, self.until = puzzle, told, until
        self.kept: list[Solution] = []
        self.solutions, self.done = 0, 0.0
        self.profile: list[list[int]] = []
        self._began = monotonic()
        self._rows, self._next = SolutionRows(puzzle), 0.0
        self._waiting: list[dict[str, Any]] = []

    def figures(self) -> dict[str, Any]:
        """How far it is."""
        rows, self._waiting = self._waiting, []
        return {
            "rows": rows,
            "solutions": self.solutions,
            "done": round(self.done, 6),
            "seconds": round(monotonic() - self._began, 2),
            "profile": self.profile,
        }

    def tell(self, *, at_once: bool = False) -> None:
        """Tell the page, not too often."""
        if at_once or monotonic() >= self._next:
            self.told.partly(self.figures())
            self._next = monotonic() + PACE

    def _look(self, search: Solving | Counting) -> None:
        result = search.result
        self.solutions = max(self.solutions, result.solutions)
        self.done = search.progress
        rows = [[row.remaining, row.fits, row.nofits] for row in result.by_remaining]
        self.profile = rows or self.profile  # a count by states has no tree
        if self.told.stopped.is_set() or monotonic() > self.until:
            search.stop()
        self.tell()

    def find_one(self) -> None:
        """One solution of a large puzzle, which a list of all might not come to."""
        import exactcover as ec

        one = None
        with suppress(LimitReached):
            one = ec.first(self.puzzle, time_limit=min(30.0, self.told.seconds / 2))
        if one is not None:
            self.solutions = 1
            self._waiting.append(self._rows.row(one))
            self.tell(at_once=True)

    def list(self) -> Any:
        """List solutions, as many as the page keeps; the result so far."""
        self._waiting.clear()
        self.kept.clear()
        with Solving(
            self.puzzle, counted="rotations", time_limit=self._left, tally=True
        ) as solving:
            solving.between = self._look
            for solution in solving:
                self.kept.append(solution)
                self._waiting.append(self._rows.row(solution))
                self.solutions = max(self.solutions, len(self.kept))
                if len(self.kept) == 1:
                    self.tell(at_once=True)
                if len(self.kept) == KEPT or self.told.stopped.is_set():
                    break
            self._look(solving)
            return solving.result

    def count(self) -> str:
        """Count what is not listed; how it ended."""
        counting = Counting(self.puzzle, counted="rotations", time_limit=self._left)
        with counting:
            while counting.step():
                self._look(counting)
            self._look(counting)
            return str(counting.result.status)

    @property
    def _left(self) -> float:
        return max(0.1, self.until - monotonic())

    def levels(self) -> None:
        """The level of each solution, if its pieces hold each other."""
        from exactcover.studio.burrs import apart

        if not self.kept or self.puzzle.lattice.dimension != 3 or len(self.puzzle.pieces) > 60:
            return
        try:
            first = apart(self.kept[0], max_states=100_000, time_limit=5.0)
        except ExactCoverError:  # wrapped, or bars: nothing to take apart
            return
        if first.moves and all(one.separates and len(one.pieces) == 1 for one in first.moves):
            return
        self.tell(at_once=True)
        found: list[list[object]] = []
        for number, solution in enumerate(self.kept):
            if self.told.stopped.is_set() or monotonic() > self.until:
                return
            found.append([number, apart(solution, max_states=100_000, time_limit=5.0).level])
            if monotonic() >= self._next or number == len(self.kept) - 1:
                self.told.partly({"levels": found})
                found, self._next = [], monotonic() + PACE


def to_play(asked: Posed, told: Told) -> dict[str, Any]:
    """The placements and the solutions with which the page plays a puzzle."""
    from exactcover.studio.playing import Preparing

    preparing = Preparing(_puzzle(asked.text), time_limit=AID_SECONDS)
    preparing.search()
    return preparing.aid()


class GamePiece(Struct, forbid_unknown_fields=True):
    """A piece on the board: its name, and its cells by their numbers."""

    piece: str
    cells: list[int]


class Game(Struct, forbid_unknown_fields=True):
    """A game: a puzzle, and the pieces on its board."""

    text: str
    placed: list[GamePiece]


def left(game: Game, told: Told) -> dict[str, Any]:
    """How many solutions have these pieces where they are; None: it takes too long to count."""
    puzzle = _puzzle(game.text)
    cells = puzzle.space.cells
    used = Counter(one.piece for one in game.placed)
    pieces = [
        Piece(f"{one.piece}_placed_{number}", cells[one.cells], stationary=True)
        for number, one in enumerate(game.placed)
    ]
    for piece in puzzle.pieces:
        high = None if piece.high is None else piece.high - used[piece.name]
        if piece.stationary or high is None or high > 0:
            pieces.append(replace(piece, low=max(0, piece.low - used[piece.name]), high=high))
    fixed = replace(puzzle, pieces=tuple(pieces))
    found = Counting(fixed, counted="all", time_limit=LEFT_SECONDS).run()
    return {"left": found.solutions if found.whole else None}


class File(Posed, forbid_unknown_fields=True):
    """A file that the page asks for."""

    format: Literal["svg", "stl", "txt", "json", "html"] = "svg"
    title: str = ""


def file(asked: File, told: Told) -> Message:
    """A solution as a picture, as solids to print or as text; or a page to play."""
    title = asked.title or posed(asked.text).title
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in title).strip("-").lower()
    name = f"{name or 'puzzle'}.{asked.format}"
    if asked.format == "html":
        from exactcover.studio.playing import play

        page = play(_puzzle(asked.text), title=title, time_limit=AID_SECONDS)
        return Message(page.html.encode(), "text/html; charset=utf-8", name=name)
    solution = asked.solution()
    if asked.format == "stl":
        from exactcover.studio.making import solids

        with TemporaryDirectory() as folder:
            [made] = solids(solution).save(Path(folder) / "solution.stl")
            return Message(made.read_bytes(), "model/stl", name=name)
    if asked.format == "svg":
        return Message(picture(solution, title=title).svg.encode(), "image/svg+xml", name=name)
    if asked.format == "json":
        pieces = [{"piece": one.piece, "cells": one.cells} for one in solution.placements]
        record = {"puzzle": title, "lattice": _puzzle(asked.text).lattice.name, "pieces": pieces}
        return Message(json.dumps(record, ensure_ascii=False).encode(), name=name)
    puzzle = _puzzle(asked.text)
    text = draw_placements(
        puzzle.lattice, solution.placements, region_cells=puzzle.space.cells, letters=True
    )
    return Message(f"{text}\n".encode(), "text/plain; charset=utf-8", name=name)


# -- the table ------------------------------------------------------------------------------------

Answering = Callable[[Any, Told], object]


def _answer(kind: type[Struct], answering: Answering) -> Callable[[bytes, Told], object]:
    return lambda body, told: answering(decode(body, type=kind), told)


ANSWERS: dict[str, Callable[[bytes, Told], object]] = {
    "open": _answer(Upload, opened),
    "shelf": _answer(Named, shipped),
    "shelf-picture": _answer(Named, shelf_picture),
    "draft": _answer(Draft, drawn),
    "region": _answer(Shape, region),
    "pieces": _answer(Shape, members),
    "model": _answer(Posed, model_of),
    "solve": _answer(Posed, solve),
    "play": _answer(Posed, to_play),
    "left": _answer(Game, left),
    "file": _answer(File, file),
}
"""Every question: what is read of it, and what answers it."""


def warm() -> None:
    """Load what most puzzles need."""
    from exactcover.studio.burrs import assembled

    for name in ("cubic/somacube", "square/tetrominoes_5x4"):
        for solution in Solving(_puzzle_of(_shipped(name)), limit=1):
            data_of(solution, assembled(solution))
