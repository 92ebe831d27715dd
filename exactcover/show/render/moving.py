"""Films as files: GIF and MP4, by packages of the extra `film`.

A frame is a picture like every other, drawn as SVG and turned into pixels. Frames are made one at a
time, so a long film takes no more memory than a short one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from exactcover.errors import ExactCoverError
from exactcover.puzzle import Puzzle
from exactcover.show.render.frames import Camera, Shot
from exactcover.show.render.palette import LIGHT as COLOURS
from exactcover.show.render.raster import extra
from exactcover.show.render.reels import Reel
from exactcover.show.render.svg import LIGHT, Writer

FPS = 12.0
SECONDS = 20.0
"""How long a film is at most, unless its user says otherwise."""

ONE, SEVERAL = 480, 800
"""The width of a film of one search, and of several."""

HOLD = 2.0
"""Seconds that the last frame stays."""

SHADES = (1.0, 0.87, 0.75, 0.62)
"""In how much light a GIF has each colour."""

GIF_COLOURS, NEAR = 256, 10
"""How many colours a GIF has, and by how much they differ at least."""

MOST_FPS, MOST_SECONDS, LEAST_WIDTH, MOST_WIDTH = 60, 3600, 160, 4000

Progress = Callable[[float], None]


def save_moving(
    puzzle: Puzzle,
    reels: Sequence[Reel],
    path: Path,
    *,
    seconds: float | None = None,
    fps: float | None = None,
    width: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a film to a `.gif` or `.mp4` file."""
    rate = FPS if fps is None else fps
    if not 0 < rate <= MOST_FPS:
        raise ExactCoverError(f"fps={fps}: a number of frames in a second, up to 60, is needed")
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise ExactCoverError(f"seconds={seconds}: a number up to 3600 is needed")
    across = width or (ONE if len(reels) == 1 else SEVERAL)
    if not LEAST_WIDTH <= across <= MOST_WIDTH:
        raise ExactCoverError(f"width={across}: a number of pixels from 160 to 4000 is needed")
    across -= across % 2
    longest = max(len(reel.recording) for reel in reels)
    frames = min(longest, round(rate * SECONDS)) if seconds is None else round(rate * seconds)
    frames = max(2, frames)
    camera = Camera(puzzle, reels, across, _most(reels))
    writer = GifWriter if path.suffix.lower() == ".gif" else VideoWriter
    pictures = _pictures(camera, reels, frames, progress)
    try:
        writer(rate).write(path, pictures)
    except OSError as error:
        raise ExactCoverError(f"{path} cannot be written: {error.strerror or error}") from None


def _most(reels: Sequence[Reel]) -> int:
    """The most fits or no-fits with some number of pieces left."""
    return max(
        (many for shots in _shots(reels, 2) for shot in shots for one in shot.tried.values()
         for many in one),
        default=1,
    )  # fmt: skip


def _shots(reels: Sequence[Reel], frames: int) -> Iterator[list[Shot]]:
    """The shots of each frame, one a reel; all reels advance by the same number of events."""
    ends = [reel.recording.end.event - reel.recording.moments[0].event for reel in reels]
    running = [_Running(reel) for reel in reels]
    for frame in range(frames):
        events = max(ends) * frame / (frames - 1)
        yield [one.up_to(events) for one in running]


class _Running:
    """A reel that goes forwards."""

    def __init__(self, reel: Reel) -> None:
        self._moments = iter(reel)
        self._first = reel.recording.moments[0].event
        self._tried: dict[int, tuple[int, int]] = {}
        self._next = next(self._moments, None)
        self._shot: Shot | None = None

    def up_to(self, events: float) -> Shot:
        """The last moment with at most this many events behind it."""
        while self._next is not None and self._next[0].event - self._first <= events:
            moment, placed = self._next
            for left, more in moment.tried.items():
                fits, nofits = self._tried.get(left, (0, 0))
                self._tried[left] = fits + more.fits, nofits + more.attempts - more.fits
            self._shot = Shot(moment, placed, dict(self._tried))
            self._next = next(self._moments, None)
        assert self._shot is not None  # the first moment has no events behind it
        return self._shot


def _pictures(
    camera: Camera, reels: Sequence[Reel], frames: int, progress: Progress | None
) -> Iterator[Any]:
    """The frames as images of pillow."""
    resvg, image = _package("resvg_py"), _package("PIL.Image")
    before: list[Shot] = []
    picture: Any = None
    for number, shots in enumerate(_shots(reels, frames), 1):
        if shots != before:  # a reel that has come to its end shows the same frame again
            svg, _, _ = Writer(LIGHT, 1.0).document(camera.frame(shots), 0.0, "", "")
            picture = image.open(BytesIO(bytes(resvg.svg_to_bytes(svg_string=svg)))).convert("RGB")
            before = shots
        if progress is not None:
            progress(number / frames)
        yield picture


class GifWriter:
    """Writes images as a GIF that plays again and again."""

    def __init__(self, fps: float) -> None:
        self._fps = fps
        _package("PIL.Image")

    def write(self, path: Path, pictures: Iterator[Any]) -> None:
        """Write them; equal neighbours become one longer frame."""
        first = next(pictures)
        palette = _gif_palette(first)
        frames = (picture.quantize(palette=palette, dither=0) for picture in pictures)
        held = list(_durations(frames, first.quantize(palette=palette, dither=0), self._fps))
        images, durations = zip(*held, strict=True)
        images[0].save(
            path, format="GIF", save_all=True, append_images=images[1:], loop=0,
            duration=[*durations[:-1], durations[-1] + round(1000 * HOLD)], optimize=True,
        )  # fmt: skip


def _durations(frames: Iterator[Any], first: Any, fps: float) -> Iterator[tuple[Any, int]]:
    """Different frames, and how long each stays, in milliseconds: hundredths of a second in sum."""
    held, begun = first, 0
    number = 0
    for number, frame in enumerate(frames, 1):
        if frame.tobytes() != held.tobytes():
            now = 10 * round(100 * number / fps)
            yield held, now - begun
            held, begun = frame, now
    yield held, 10 * round(100 * (number + 1) / fps) - begun


def _gif_palette(picture: Any) -> Any:
    """One palette for all frames, made of what can occur: pieces, shades, ink and ground."""
    image = _package("PIL.Image")
    ground = picture.getpixel((0, 0))
    colours: list[tuple[int, ...]] = [ground]
    for hexadecimal in COLOURS:
        own = tuple(int(hexadecimal[at : at + 2], 16) for at in (0, 2, 4))
        colours += [tuple(round(light * part) for part in own) for light in SHADES]
        colours.append(tuple((a + b) // 2 for a, b in zip(own, ground, strict=True)))
    # Pillow takes a near colour for one that is in the palette, so near ones are left out.
    parts = picture.quantize(colors=128).getpalette() or []
    for other in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        far = all(
            max(abs(a - b) for a, b in zip(other, one, strict=True)) > NEAR for one in colours
        )
        if far and len(colours) < GIF_COLOURS:
            colours.append(other)
    flat = [part for colour in colours for part in colour]
    palette = image.new("P", (1, 1))
    palette.putpalette(flat)
    return palette


class VideoWriter:
    """Writes images as an MP4."""

    def __init__(self, fps: float) -> None:
        self._fps = fps

    def write(self, path: Path, pictures: Iterator[Any]) -> None:
        """Write them; the last one stays for a while."""
        ffmpeg = _package("imageio_ffmpeg")
        first = next(pictures)
        writer = ffmpeg.write_frames(
            str(path), first.size, fps=self._fps, macro_block_size=2, quality=7,
            ffmpeg_log_level="error",
        )  # fmt: skip
        writer.send(None)
        last = first
        writer.send(first.tobytes())
        for last in pictures:
            writer.send(last.tobytes())
        for _ in range(round(HOLD * self._fps)):
            writer.send(last.tobytes())
        writer.close()


PACKAGES = {
    ".gif": ("resvg_py", "PIL.Image"),
    ".mp4": ("resvg_py", "PIL.Image", "imageio_ffmpeg"),
}
"""The packages of each kind of film."""


def check_extra(suffix: str) -> None:
    """Raise `ExactCoverError` if a film with this ending needs a package that is not there."""
    for name in PACKAGES.get(suffix, ()):
        _package(name)


def _package(name: str) -> Any:
    return extra(name, "film", "GIF and MP4 need")
