"""Films of searches: recorded, then shown as a page or a GIF.

    film = animate(puzzle, ["dlx:s", "fila:f"])
    film.save("film.html")
    film.save("film.gif")

The page plays every recorded moment. A GIF shows as many of them as its length and pace allow: each
frame is a picture like every other, of the board at that moment, with its counters. Frames are made
one at a time, so a long film takes no more memory than a short one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from io import BytesIO
from itertools import chain, pairwise
from pathlib import Path as File
from typing import Any

import numpy as np

from exactcover.backends.base import Tally, Tried
from exactcover.base.text.files import ending_of
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind
from exactcover.errors import ExactCoverError
from exactcover.problem.layout import pieces_left
from exactcover.puzzle import Model, Puzzle
from exactcover.search.recording import PLACED, REMOVED, Recording, in_common
from exactcover.search.strategy import Strategy
from exactcover.show.arrays import real, whole
from exactcover.show.board import BoardState, DrawnBoard, Part
from exactcover.show.document import IN_SPACE, Page, body_of, page
from exactcover.show.packages import package
from exactcover.show.paint import figure
from exactcover.show.palette import (
    COLOURS,
    EMPTY,
    FIXED,
    INK,
    OPTIONAL,
    PALETTE,
    touching_cells,
)
from exactcover.show.picture import JOINED
from exactcover.show.subjects import title_of
from exactcover.show.svg import LIGHT, Figure, Label, Shape, Writer, in_grid, moved
from exactcover.show.viewing import data_of_board

CELLS = "a puzzle: a plain problem has no cells to show"

MOST = 4
"""The most searches side by side."""

SUFFIXES = (".html", ".gif")

Progress = Callable[[float], None]

HEIGHT = 760
"""Pixels of the frame in a notebook."""

KINDS = ("start", "placed", "removed", "empty", "found", "copy")
"""The kinds of events; the moments of a page have their places in this list."""

ENDINGS = {
    "complete": "the whole tree is searched",
    "events": "the recording ends here",
    "solutions": "the wanted solution is found",
    "interrupted": "the recording was interrupted",
    "impossible": "there is no solution",
}


class Film:
    """A film of recorded searches of a puzzle. Notebooks play it.

    puzzle      what was searched
    recordings  the searches, shown side by side
    title       what stands above them
    """

    def __init__(self, puzzle: Puzzle, recordings: Sequence[Recording], title: str = "") -> None:
        check_kind("puzzle", puzzle, Puzzle, CELLS)
        if not 1 <= len(recordings) <= MOST:
            raise ExactCoverError(f"{len(recordings)} searches: a film shows 1 to {MOST}")
        self.puzzle, self.recordings = puzzle, tuple(recordings)
        self.title = title or title_of(puzzle)

    @cached_property
    def replays(self) -> tuple[Replay, ...]:
        """The recordings with the places and colours of their pieces."""
        return tuple(Replay(self.puzzle, recording) for recording in self.recordings)

    @cached_property
    def page(self) -> Page:
        """The film as a page that holds all it needs."""
        body = body_of(
            "film.html", TITLE=escape(self.title), DESCRIPTION=escape(self._description())
        )
        return page(
            f"{self.title}: a film", body, main="film.js", styles=("board.css", "film.css"),
            height=HEIGHT, data={"film": film_data(self.puzzle, self.replays)},
            later=IN_SPACE if self.puzzle.lattice.dimension > 2 else (),
        )  # fmt: skip

    def save(
        self,
        path: str | File,
        *,
        seconds: float | None = None,
        fps: float | None = None,
        width: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Write it to a file: `.html`, or with the extra `picture` `.gif`.

        seconds  how long a GIF plays. Default: as long as every moment takes, up to 20
        fps      its frames in a second. Default: 12
        width    its width in pixels. Default: 480 for one search, 800 for several
        progress  called with the share of the frames that is written, 0 to 1. Default: None
        """
        path = File(path)
        if ending_of(path, SUFFIXES) == ".html":
            self.page.save(path)
            return
        _save_gif(self, path, seconds=seconds, fps=fps, width=width, progress=progress)

    def _description(self) -> str:
        """The text below the title of the page."""
        spans = {(recording.moments[0].event, recording.end.event) for recording in self.recordings}
        first, last = min(a for a, _ in spans), max(b for _, b in spans)
        every = max(recording.every for recording in self.recordings)
        words = (
            f"{len(self.puzzle.space)} {self.puzzle.lattice.name} cells; events {first + 1:,} to "
        )
        words += f"{last:,} of the search"
        words += f", of which about one in {every} is shown" if every > 1 else ""
        return words + f". {JOINED}" * bool(self.puzzle.region.wrap)

    def _repr_html_(self) -> str:
        return self.page._repr_html_()

    def __repr__(self) -> str:
        names = ", ".join(recording.strategy for recording in self.recordings)
        return f"<Film of {self.puzzle.name or 'a puzzle'}: {names}>"


class Filming:
    """A film in the making: `step` records on, `stop` ends the recording, `film` is what there is.

    The arguments are those of `animate`. The searches are recorded side by side, so that they are
    about equally far if they are stopped.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        strategies: Sequence[Strategy | str] | Strategy | str | None = None,
        *,
        counted: Convention | None = None,
        start: int = 1,
        events: int | None = None,
        until_solution: int | None = None,
        title: str = "",
    ) -> None:
        check_kind("puzzle", puzzle, Puzzle, CELLS)
        wanted: Sequence[Strategy | str | None] = (
            [strategies] if isinstance(strategies, Strategy | str | None) else strategies
        )
        if not 1 <= len(wanted) <= MOST:
            raise ExactCoverError(f"{len(wanted)} strategies: a film shows 1 to {MOST}")
        self._puzzle, self._title = puzzle, title
        self._recordings = [
            Recording(
                puzzle, strategy, counted=counted, start=start, events=events,
                until_solution=until_solution,
            )
            for strategy in wanted
        ]  # fmt: skip

    def stop(self) -> None:
        """End the recording after the step that it is in; a signal handler may call it."""
        for recording in self._recordings:
            recording.stop()

    def step(self) -> bool:
        """Record on, where least is recorded; return whether there is more to record."""
        going_on = [recording for recording in self._recordings if not recording.done]
        if going_on:
            min(going_on, key=lambda recording: recording.event).step()
        return bool(going_on)

    @property
    def found(self) -> int:
        """Solutions found so far, in all searches."""
        return sum(recording.found for recording in self._recordings)

    @property
    def progress(self) -> float:
        """The share of the wanted events that is recorded, 0 to 1."""
        return sum(recording.share for recording in self._recordings) / len(self._recordings)

    @property
    def film(self) -> Film:
        """The film of what is recorded so far."""
        return Film(self._puzzle, self._recordings, self._title)


def animate(
    puzzle: Puzzle,
    strategies: Sequence[Strategy | str] | Strategy | str | None = None,
    *,
    counted: Convention | None = None,
    start: int = 1,
    events: int | None = None,
    until_solution: int | None = None,
    title: str = "",
) -> Film:
    """Record searches of a puzzle, and make a film of them.

        >>> import exactcover as ec
        >>> film = ec.animate(ec.read("pentominoes_10x6"), ["dlx:s", "fila:f"], until_solution=1)
        >>> film
        <Film of square/pentominoes_10x6: dlx:s, fila:f>
        >>> [recording.end.fits for recording in film.recordings]
        [116, 1956]

    puzzle      a Puzzle
    strategies  one to four ways to search, shown side by side: strategies or their texts. Default:
                None, the one that is chosen for the puzzle
    counted     what counts as one solution, as in `solve`. Default: None, "rotations"
    start       the number of the first event that is shown. Default: 1
    events      the most events that are recorded; of more than 20,000, every second one is shown,
                or every fourth, and so on. Default: None, 20,000
    until_solution  end with this solution. Default: None, go on
    title       what stands above the film. Default: "", the name of the puzzle

    Raises `CapabilityError` if an engine does not report what it places.
    """
    filming = Filming(
        puzzle, strategies, counted=counted, start=start, events=events,
        until_solution=until_solution, title=title,
    )  # fmt: skip
    while filming.step():
        pass
    return filming.film


# -- the data of the page --------------------------------------------------------------------------


def film_data(puzzle: Puzzle, replays: Sequence[Replay]) -> dict[str, object]:
    """All that the page needs."""
    return {
        **data_of_board(puzzle),
        "pieces": [piece.name for piece in puzzle.pieces],
        "palette": [*PALETTE, FIXED],
        "optional": puzzle.space.find(puzzle.region.optional).tolist(),
        "fixed": [[one.piece, one.cells] for one in replays[0].fixed],
        "kinds": KINDS,
        "reels": [_replay(replay) for replay in replays],
    }


def _replay(replay: Replay) -> dict[str, object]:
    recording = replay.recording
    moments = recording.moments
    new = [board[kept:] for kept, board in zip(replay.kept, replay.boards, strict=True)]
    added = [placed for some in new for placed in some]
    numbers: dict[tuple[int, ...], int] = {}
    for placed in added:
        numbers.setdefault(placed.cells, len(numbers))
    tries = [_new(a.tried, b.tried) for a, b in pairwise([replace(moments[0], tried={}), *moments])]
    tried = [row for some in tries for row in some]
    subject = recording.subject
    first = pieces_left(subject.problem, subject.layout)
    return {
        "strategy": recording.strategy,
        "ending": recording.reason or ENDINGS[recording.status],
        "every": recording.every,
        "most": max([first, *moments[-1].tried]),
        "options": [list(cells) for cells in numbers],
        "event": whole([moment.event for moment in moments]),
        "fits": whole([moment.fits for moment in moments]),
        "nofits": whole([moment.nofits for moment in moments]),
        "found": whole([moment.found for moment in moments]),
        "done": real([moment.done for moment in moments]),
        "dead": replay.dead_ends(),
        "kind": whole([KINDS.index(moment.kind) for moment in moments]),
        "kept": whole(replay.kept),
        "counts": whole([len(some) for some in new]),
        "placed": whole([numbers[placed.cells] for placed in added]),
        "pieces": whole([placed.piece for placed in added]),
        "colours": whole([placed.colour for placed in added]),
        "tried": {
            "counts": whole([len(some) for some in tries]),
            "left": whole([left for left, _, _ in tried]),
            "tries": whole([attempts for _, attempts, _ in tried]),
            "fits": whole([fits for _, _, fits in tried]),
        },
    }


def _new(before: Tally, after: Tally) -> list[tuple[int, int, int]]:
    """The options tried between two moments: pieces left, attempts, fits."""
    rows = ((left, one, before.get(left, Tried(0, 0))) for left, one in after.items())
    return [
        (left, one.attempts - old.attempts, one.fits - old.fits)
        for left, one, old in rows
        if one != old
    ]


# -- a recording made ready to be shown ------------------------------------------------------------

MOST_LOOKS = 2_000_000_000
"""Options times cells times moments up to which dead ends are looked for: a second or two."""

HOLE = -1
"""The piece of an option that leaves a cell empty."""


@dataclass(frozen=True)
class PlacedPiece:
    """A piece on the board.

    piece   its number in the puzzle, or HOLE
    cells   its cells, as numbered in `Puzzle.space`
    colour  its number in the palette
    shape   the number of its shape in the model
    """

    piece: int
    cells: tuple[int, ...]
    colour: int = 0
    shape: int = -1


class Replay:
    """A recording whose moments are boards.

    `boards[number]` are the pieces on the board at a moment, in the order of placing, of which
    `kept[number]` were there at the moment before, and `fixed` the stationary ones. A placement
    keeps its colour while it lies on the board. A piece that occurs once has the same colour all
    the time where there are enough colours; else a placement takes the first colour after its own
    that no piece beside it has.
    """

    def __init__(self, puzzle: Puzzle, recording: Recording) -> None:
        self.puzzle, self.recording = puzzle, recording
        self._model: Model = puzzle.model
        self._place_of = puzzle.space.find(self._model.free.cells)
        self._beside: list[set[int]] = [set() for _ in range(len(puzzle.space))]
        for a, b in touching_cells(puzzle.space).tolist():
            self._beside[a].add(b)
            self._beside[b].add(a)
        self._number = {piece.name: number for number, piece in enumerate(puzzle.pieces)}
        few = len(self._number) <= len(PALETTE)
        self._own_colours = few and all(piece.high == 1 for piece in puzzle.movable)
        self.fixed = tuple(
            PlacedPiece(self._number[piece.name], tuple(puzzle.space.find(piece.cells).tolist()))
            for piece in puzzle.stationary
        )
        self.boards: list[tuple[PlacedPiece, ...]] = []
        self.kept: list[int] = []
        placed: tuple[PlacedPiece, ...] = ()
        before: tuple[int, ...] = ()
        for moment in recording.moments:
            self.kept.append(in_common(before, moment.options))
            before, placed = moment.options, placed[: self.kept[-1]]
            for option in before[self.kept[-1] :]:
                placed = (*placed, self._placed(option, placed))
            self.boards.append(placed)

    def dead_ends(self) -> list[tuple[int, int]]:
        """Moments after which the search turns back since no piece fits a cell, and the cell.

        Only where every event is a moment, and for puzzles of a usual size.
        """
        moments, model = self.recording.moments, self._model
        size = model.problem.n_options * len(model.free)
        if self.recording.every > 1 or size * len(moments) > MOST_LOOKS:
            return []
        starts, cells = model.option_cells
        covers = np.zeros((model.problem.n_options, len(model.free)), np.bool_)
        covers[np.repeat(np.arange(len(covers)), np.diff(starts)), cells] = True
        shapes = model.layout.option_shape
        most = np.array([math.inf if group.high is None else group.high for group in model.groups])
        found: list[tuple[int, int]] = []
        for number, (moment, after) in enumerate(pairwise([*moments, moments[-1]])):
            if moment.kind != PLACED or after.kind != REMOVED:
                continue
            chosen = [*moment.options]
            covered = covers[chosen].any(axis=0)
            left = most - np.bincount(shapes[chosen][shapes[chosen] >= 0], minlength=len(most))
            open_ones = (shapes < 0) | (left[shapes] > 0)
            fitting = covers[open_ones & ~covers[:, covered].any(axis=1)].any(axis=0)
            dead = np.flatnonzero(~(fitting | covered | model.layout.optional))
            if len(dead):
                found.append((number, int(self._place_of[dead[0]])))
        return found

    def _placed(self, option: int, there: Sequence[PlacedPiece]) -> PlacedPiece:
        """A piece as it is placed beside those that are there."""
        cells = tuple(self._place_of[self._model.cells_of(option)].tolist())
        shape = int(self._model.layout.option_shape[option])
        if shape < 0:
            return PlacedPiece(HOLE, cells)
        copies = sum(one.shape == shape for one in there)
        piece = self._number[self._model.groups[shape].names(copies + 1)[-1]]
        if self._own_colours:
            return PlacedPiece(piece, cells, piece, shape)
        beside = set().union(*(self._beside[cell] for cell in cells))
        taken = {one.colour for one in there if not beside.isdisjoint(one.cells)}
        wishes = [(piece + step) % len(PALETTE) for step in range(len(PALETTE))]
        colour = next((one for one in wishes if one not in taken), piece % len(PALETTE))
        return PlacedPiece(piece, cells, colour, shape)


# -- a GIF -----------------------------------------------------------------------------------------

FPS = 12.0
SECONDS = 20.0
"""How long a film is at most, unless its user says otherwise."""

ONE, SEVERAL = 480, 800
"""The width of a film of one search, and of several."""

HOLD = 2.0
"""Seconds that the last frame stays."""

SHADES = (1.0, 0.94, 0.87, 0.8)
"""In how much light a GIF has each colour."""

GIF_COLOURS, NEAR = 256, 10
"""How many colours a GIF has, and by how much they differ at least."""

MOST_FPS, MOST_SECONDS, LEAST_WIDTH, MOST_WIDTH = 60, 3600, 160, 4000

MARGIN = 12.0
TEXT = 12.0
"""The height of the text of a frame."""

LETTER = 0.55
"""The width of a letter, as a share of its height."""

GROUND = Part(EMPTY, whole=False), Part(OPTIONAL, whole=False)
"""The cells without a piece: those to be filled, and those that may stay empty."""

HIGH = 420.0
"""The most pixels of a board downwards."""


def _save_gif(
    film: Film,
    path: File,
    *,
    seconds: float | None,
    fps: float | None,
    width: int | None,
    progress: Progress | None,
) -> None:
    """Write a film as a GIF that plays again and again; Pillow joins equal neighbours."""
    rate = FPS if fps is None else fps
    if not 0 < rate <= MOST_FPS:
        raise ExactCoverError(f"fps={fps}: a number of frames in a second, up to 60, is needed")
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise ExactCoverError(f"seconds={seconds}: a number up to 3600 is needed")
    across = width or (ONE if len(film.replays) == 1 else SEVERAL)
    if not LEAST_WIDTH <= across <= MOST_WIDTH:
        raise ExactCoverError(f"width={across}: a number of pixels from 160 to 4000 is needed")
    longest = max(len(replay.recording) for replay in film.replays)
    frames = min(longest, round(rate * SECONDS)) if seconds is None else round(rate * seconds)
    frames = max(2, frames)
    pictures = _pictures(Camera(film, across), frames, progress)
    first = next(pictures)
    palette = _gif_palette(first)
    images = (one.quantize(palette=palette, dither=0) for one in chain([first], pictures))
    ends = [round(100 * number / rate) for number in range(frames + 1)]  # hundredths of a second
    durations = [10 * (end - begun) for begun, end in pairwise(ends)]
    durations[-1] += round(1000 * HOLD)
    try:
        next(images).save(
            path, format="GIF", save_all=True, append_images=images, loop=0,
            duration=durations, optimize=True,
        )  # fmt: skip
    except OSError as error:
        raise ExactCoverError(f"{path} cannot be written: {error.strerror or error}") from None


def _pictures(camera: Camera, frames: int, progress: Progress | None) -> Iterator[Any]:
    """The frames as images of pillow; in each one all searches are at the same number of events."""
    resvg, image = package("resvg_py", "picture"), package("PIL.Image", "picture")
    clocks = [
        np.array([moment.event for moment in replay.recording.moments]) for replay in camera.replays
    ]
    last = max(int(clock[-1] - clock[0]) for clock in clocks)
    before: tuple[int, ...] = ()
    picture: Any = None
    for number in range(frames):
        events = last * number // (frames - 1)
        moments = tuple(
            int(np.searchsorted(clock - clock[0], events, side="right")) - 1 for clock in clocks
        )
        if moments != before:  # a search that has come to its end shows the same frame again
            svg, _, _ = Writer(LIGHT, 1.0).document(camera.frame(moments), 0.0, "", "")
            picture = image.open(BytesIO(bytes(resvg.svg_to_bytes(svg_string=svg)))).convert("RGB")
            before = moments
        if progress is not None:
            progress((number + 1) / frames)
        yield picture


def _gif_palette(picture: Any) -> Any:
    """One palette for all frames, made of what can occur: pieces, shades, ink and ground."""
    image = package("PIL.Image", "picture")
    ground = picture.getpixel((0, 0))
    colours: list[tuple[int, ...]] = [ground]
    for hexadecimal in COLOURS:
        own = tuple(int(hexadecimal[at : at + 2], 16) for at in (0, 2, 4))
        colours += [tuple(round(light * part) for part in own) for light in SHADES]
        colours.append(tuple((a + b) // 2 for a, b in zip(own, ground, strict=True)))
    # Pillow takes a near colour for one that is in the palette, so near ones are left out.
    for other in np.reshape(picture.quantize(colors=128).getpalette() or [], (-1, 3)):
        far = (np.abs(np.array(colours) - other).max(axis=1) > NEAR).all()
        if far and len(colours) < GIF_COLOURS:
            colours.append(tuple(other.tolist()))
    palette = image.new("P", (1, 1))
    palette.putpalette([part for colour in colours for part in colour])
    return palette


class Camera:
    """Makes the frames of a film, all of one size: the boards side by side, with their counters."""

    def __init__(self, film: Film, width: int) -> None:
        self.replays, self._puzzle = film.replays, film.puzzle
        self._board = DrawnBoard.of(film.puzzle)
        self._ground = [0] * len(film.puzzle.space)
        for cell in film.puzzle.space.find(film.puzzle.region.optional).tolist():
            self._ground[cell] = 1
        self._column = (width - MARGIN * (len(self.replays) + 1)) / len(self.replays)
        bare = [self._drawn(self._ground, GROUND, columns) for columns in (2, 1)]
        scales = [min(self._column / one.size[0], HIGH / one.size[1]) for one in bare]
        self._scale = max(scales)
        best = scales.index(self._scale)
        self._columns, self._size = 2 - best, bare[best].size
        self._corner = float(width), float(round(5.6 * TEXT + self._size[1] * self._scale))

    def frame(self, moments: Sequence[int]) -> Figure:
        """The frame with these moments, one for each search."""
        shapes: list[Shape] = []
        for number, (replay, moment) in enumerate(zip(self.replays, moments, strict=True)):
            shapes += self._replay(replay, moment, MARGIN + number * (self._column + MARGIN))
        return Figure(tuple(shapes), (0.0, 0.0), self._corner)

    def _replay(self, replay: Replay, number: int, x: float) -> Iterator[Shape]:
        moment = replay.recording.moments[number]
        most = int(self._column / (LETTER * TEXT))
        name = replay.recording.strategy
        name = name if len(name) <= most else f"{name[: most - 1]}…"
        yield Label((x, 1.4 * TEXT), name, TEXT, INK, "start")
        left = x + (self._column - self._size[0] * self._scale) / 2
        yield from self._on_board(replay, replay.boards[number], left, 2.6 * TEXT)
        parts = [f"event {moment.event:,}", f"fits {moment.fits:,}"]
        parts += [f"no-fits {moment.nofits:,}"] * bool(moment.nofits)
        parts += [f"{moment.found:,} solution{'s' * (moment.found != 1)}"] * bool(moment.found)
        counters = " · ".join(parts)
        size = min(TEXT, self._column / (LETTER * len(counters)))
        y = self._corner[1] - 1.6 * TEXT
        yield Label((x, y), counters, size, INK, "start")

    def _on_board(
        self, replay: Replay, placed: Sequence[PlacedPiece], x: float, y: float
    ) -> Iterator[Shape]:
        pieces = [one for one in (*replay.fixed, *placed) if one.piece != HOLE]
        tones = [FIXED] * len(replay.fixed)
        tones += [PALETTE[one.colour] for one in pieces[len(replay.fixed) :]]
        names = [self._puzzle.pieces[one.piece].name for one in pieces]
        parts = [*GROUND, *(Part(tone, name) for tone, name in zip(tones, names, strict=True))]
        owners = [*self._ground]
        for number, one in enumerate(pieces, len(GROUND)):
            for cell in one.cells:
                owners[cell] = number
        drawn, scale = self._drawn(owners, parts, self._columns), self._scale
        yield from moved(drawn.shapes, (x - scale * drawn.low[0], y - scale * drawn.low[1]), scale)

    def _drawn(self, owners: Sequence[int], parts: Sequence[Part], columns: int) -> Figure:
        """A board; in space its solid and its layers, side by side or below each other."""
        state = BoardState(owners, parts)
        if not self._board.solid:
            return figure(self._board, state)
        placed = BoardState([one if one >= len(GROUND) else -1 for one in owners], parts)
        both = [figure(self._board, placed, ground=True), figure(self._board, state, view="flat")]
        return in_grid(both, columns, self._board.pitch)
