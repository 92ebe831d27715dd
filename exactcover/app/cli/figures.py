"""The figures of a search that goes on, in words: how far it is, how fast, and the time left."""

from __future__ import annotations

from collections import deque
from typing import Any

from exactcover.base.text.numerals import LARGE, rounded

RECENT = 30.0
"""Seconds whose speed is compared with that of the whole search, for the time left."""

SURE = 1.25
"""The time left is given as one number if its bounds differ by no more than this factor."""


class Times:
    """How long a search still takes, from its speed so far and from its speed of late."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._past: deque[tuple[float, float]] = deque([(began, 0.0)])

    def note(self, now: float, done: float) -> None:
        """Note the share that is done."""
        self._past.append((now, done))
        while len(self._past) > 2 and self._past[1][0] < now - RECENT:
            self._past.popleft()

    def left(self) -> tuple[float, float] | None:
        """The least and the most seconds that it may take; None: nothing can be said yet."""
        (then, before), (now, done) = self._past[0], self._past[-1]
        if done < 1e-4 or now <= self._began:
            return None
        speeds = [done / (now - self._began)]
        if done > before and now > then:
            speeds.append((done - before) / (now - then))
        left = sorted((1 - done) / speed for speed in speeds)
        return round(left[0], 1), round(left[-1], 1)


YEAR = 365.25 * 86400


def duration(seconds: float) -> str:
    """A number of seconds in a unit that fits: `4.0 s`, `3.5 min`, `1.2e54 years`."""
    if seconds >= LARGE * YEAR:
        return f"{rounded(seconds / YEAR, seconds / YEAR / 10)} years"
    for unit, size in (("years", YEAR), ("d", 86400.0), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.1f} s"


def memory_mib() -> int | None:
    """The memory of this process in MiB; None where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except OSError:  # not on Linux
        return None
    return pages * 4096 >> 20


def ahead(figures: dict[str, Any]) -> str:
    """The text behind the bar: the progress and the time left."""
    if "done" not in figures:
        return str(figures["progress"])
    return f"{figures['done']:.2%}{_left(figures['left'])}"


def facts(figures: dict[str, Any]) -> list[str]:
    """The texts below the bar, the most important first."""
    told = [f"{figures['solutions']:,} found"] if "solutions" in figures else []
    told.append(duration(figures["seconds"]))
    if "states" in figures:
        told.append(_states(figures))
    if "packing" in figures:
        told.append(figures["packing"])
    if "fits" in figures:
        told.append(f"{figures['fits_per_second']:,} fits a second")
        told.append(f"{figures['workers']} worker{'s' * (figures['workers'] != 1)}")
    if "memory_mib" in figures:
        told.append(f"{figures['memory_mib']:,} MiB")
    if "strategy" in figures:
        told.append(figures["strategy"])
    return told


def _states(figures: dict[str, Any]) -> str:
    levels = f", level {figures['level']} of {figures['levels']}" if figures["levels"] else ""
    return f"{figures['states']:,} states{levels}"


def plain(figures: dict[str, Any]) -> str:
    """All that is known, in a line."""
    seconds = duration(figures["seconds"])
    if "done" not in figures:
        return f"{figures['puzzle']}: {figures['progress']}, {seconds}"
    parts = [
        f"{figures['puzzle']}: {figures['solutions']:,} found, {figures['done']:.2%} searched in "
        f"{seconds}{_left(figures['left'])}"
    ]
    if "states" in figures:
        parts.append(_states(figures))
    if "packing" in figures:
        parts.append(figures["packing"])
    if "fits" in figures:
        parts.append(
            f"{figures['fits']:,} fits, {figures['nofits']:,} no-fits, "
            f"{figures['fits_per_second']:,} fits a second"
        )
    if "memory_mib" in figures:
        parts.append(f"{figures['memory_mib']:,} MiB")
    if "strategy" in figures:
        parts.append(f"strategy {figures['strategy']}")
    if figures.get("workers", 1) > 1:
        parts.append(f"{figures['workers']} workers")
    return "; ".join(parts)


def _left(bounds: tuple[float, float] | None) -> str:
    if bounds is None:
        return ""
    least, most = bounds
    if most <= SURE * least or most < 2:
        return f", about {duration((least + most) / 2)} left"
    return f", {duration(least)} to {duration(most)} left"
