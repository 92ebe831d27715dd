"""Films of searches: recorded, then shown as a page or a GIF.

    film = animate(puzzle, ["dlx:s", "fila:f"])
    film.save("film.html")
    film.save("film.gif")

The page plays every recorded moment. A GIF shows as many of them as its length and pace allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from itertools import chain
from pathlib import Path

from exactcover.base.text.files import ending_of
from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_kind
from exactcover.errors import ExactCoverError
from exactcover.puzzle import Puzzle
from exactcover.search.recording import Recorder, Recording
from exactcover.search.strategy import Strategy
from exactcover.show import palette
from exactcover.show.board import JOINED, board_of
from exactcover.show.document import Page, body_of, page, whole
from exactcover.show.films import Replay, pieces_at_first
from exactcover.show.palette import PALETTE
from exactcover.show.subjects import title_of
from exactcover.show.tiles import Sheet, Tile

EVENTS = 20_000
"""The most events of a film, unless its user says another number."""

CELLS = "a puzzle: a plain problem has no cells to show"

MOST = 4
"""The most searches side by side."""

SUFFIXES = (".html", ".gif")

HEIGHT = 760
"""Pixels of the frame in a notebook."""

KINDS = ("start", "placed", "removed", "empty", "found", "copy")
"""The kinds of events; the page has their numbers."""

TONES = ("ink", "empty", "optional", "faint", "edge")
"""The colours that the page needs beside those of the pieces."""

ENDINGS = {
    "complete": "the whole tree is searched",
    "events": "the recording ends here",
    "moments": "the recording ends here",
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
        clock = _CLOCK if len(self.recordings) > 1 else ""
        body = body_of(
            "film.html",
            TITLE=escape(self.title),
            DESCRIPTION=escape(self._description()),
            CLOCK=clock,
        )
        return page(
            f"{self.title}: a film", body, main="film.js", styles=("film.css",), height=HEIGHT,
            data={"film": film_data(self.puzzle, self.replays)},
        )  # fmt: skip

    def save(
        self,
        path: str | Path,
        *,
        seconds: float | None = None,
        fps: float | None = None,
        width: int | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        """Write it to a file: `.html`, or with the extra `picture` `.gif`.

        seconds  how long a GIF plays. Default: as long as every moment takes, up to 20
        fps      its frames in a second. Default: 12
        width    its width in pixels. Default: 480 for one search, 800 for several
        progress  called with the share of the frames that is written, 0 to 1. Default: None
        """
        path = Path(path)
        if ending_of(path, SUFFIXES) == ".html":
            self.page.save(path)
            return
        from exactcover.show.films import save_film

        save_film(
            self.puzzle, self.replays, path,
            seconds=seconds, fps=fps, width=width, progress=progress,
        )  # fmt: skip

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


_CLOCK = """<label>In step by <select id="clock">
<option value="event">events</option><option value="fits">fits</option></select></label>"""


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
        every: int | None = None,
        title: str = "",
    ) -> None:
        check_kind("puzzle", puzzle, Puzzle, CELLS)
        wanted: Sequence[Strategy | str | None] = (
            [strategies] if isinstance(strategies, Strategy | str | None) else strategies
        )
        if not 1 <= len(wanted) <= MOST:
            raise ExactCoverError(f"{len(wanted)} strategies: a film shows 1 to {MOST}")
        self._puzzle, self._title = puzzle, title
        self._recorders = [
            Recorder(
                puzzle, strategy, counted=counted, start=start,
                events=EVENTS if events is None else events,
                until_solution=until_solution, every=every,
            )
            for strategy in wanted
        ]  # fmt: skip

    def stop(self) -> None:
        """End the recording after the step that it is in; a signal handler may call it."""
        for recorder in self._recorders:
            recorder.stop()

    def step(self) -> bool:
        """Record on, where least is recorded; return whether there is more to record."""
        going_on = [recorder for recorder in self._recorders if not recorder.done]
        if going_on:
            min(going_on, key=lambda recorder: recorder.event).step()
        return bool(going_on)

    @property
    def found(self) -> int:
        """Solutions found so far, in all searches."""
        return sum(recorder.found for recorder in self._recorders)

    @property
    def progress(self) -> float:
        """The share of the wanted events that is recorded, 0 to 1."""
        shares = [1.0 if one.done else one.share for one in self._recorders]
        return sum(shares) / len(shares)

    @property
    def film(self) -> Film:
        """The film of what is recorded so far."""
        return Film(self._puzzle, [one.recording for one in self._recorders], self._title)


def animate(
    puzzle: Puzzle,
    strategies: Sequence[Strategy | str] | Strategy | str | None = None,
    *,
    counted: Convention | None = None,
    start: int = 1,
    events: int | None = None,
    until_solution: int | None = None,
    every: int | None = None,
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
    events      the most events that are shown. Default: None, 20,000
    until_solution  end with this solution. Default: None, go on
    every       show about one event in this many. Default: None, every event, or if there are many,
                every second one, or fourth, and so on
    title       what stands above the film. Default: "", the name of the puzzle

    Raises `CapabilityError` if an engine does not report what it places.
    """
    filming = Filming(
        puzzle, strategies, counted=counted, start=start, events=events,
        until_solution=until_solution, every=every, title=title,
    )  # fmt: skip
    while filming.step():
        pass
    return filming.film


# -- the data of the page --------------------------------------------------------------------------


def film_data(puzzle: Puzzle, replays: Sequence[Replay]) -> dict[str, object]:
    """All that the page needs."""
    board = board_of(puzzle.space)
    width, height, pitch = _short(board.width, board.height, board.pitch)
    return {
        "pieces": [piece.name for piece in puzzle.pieces],
        "palette": [*PALETTE, palette.FIXED],
        "tones": {name: getattr(palette, name.upper()) for name in TONES},
        "cells": len(puzzle.space),
        "optional": puzzle.space.find(puzzle.region.optional).tolist(),
        "fixed": [[one.piece, one.cells] for one in replays[0].fixed],
        "board": {
            "width": width,
            "height": height,
            "pitch": pitch,
            "sheets": [_sheet(sheet) for sheet in board.sheets],
        },
        "reels": [_replay(replay) for replay in replays],
    }


def _sheet(sheet: Sheet) -> dict[str, object]:
    return {
        "solid": sheet.solid,
        "title": sheet.title,
        "at": _short(*sheet.at),
        "shift": _short(*sheet.shift),
        "floor": [_short(*chain(*face)) for face in sheet.floor],
        "names": {str(cell): _short(*place, room) for cell, (place, room) in sheet.names.items()},
        "tiles": [_tile(tile) for tile in sheet.tiles],
    }


def _tile(tile: Tile) -> list[object]:
    size, light = _short(tile.size, tile.light)
    points = _short(*chain(*tile.points))
    return [tile.cell, points, tile.beyond, size, light, tile.front, tile.over]


def _replay(replay: Replay) -> dict[str, object]:
    recording = replay.recording
    moments = recording.moments
    new = [board[one.kept :] for one, board in zip(moments, replay.boards, strict=True)]
    added = [placed for some in new for placed in some]
    numbers: dict[tuple[int, ...], int] = {}
    for placed in added:
        numbers.setdefault(placed.cells, len(numbers))
    tried = [(left, one) for moment in moments for left, one in moment.tried.items()]
    most = max([pieces_at_first(replay), *(left for left, _ in tried)])
    return {
        "strategy": recording.strategy,
        "ending": recording.reason or ENDINGS[recording.status],
        "every": recording.every,
        "most": most,
        "options": [list(cells) for cells in numbers],
        "event": whole([moment.event for moment in moments]),
        "fits": whole([moment.fits for moment in moments]),
        "nofits": whole([moment.nofits for moment in moments]),
        "found": whole([moment.found for moment in moments]),
        "kind": whole([KINDS.index(moment.kind) for moment in moments]),
        "kept": whole([moment.kept for moment in moments]),
        "counts": whole([len(some) for some in new]),
        "placed": whole([numbers[placed.cells] for placed in added]),
        "pieces": whole([placed.piece for placed in added]),
        "colours": whole([placed.colour for placed in added]),
        "tried": {
            "counts": whole([len(moment.tried) for moment in moments]),
            "left": whole([left for left, _ in tried]),
            "tries": whole([one.attempts for _, one in tried]),
            "fits": whole([one.fits for _, one in tried]),
        },
    }


def _short(*values: float) -> list[float]:
    return [round(value, 4) for value in values]
