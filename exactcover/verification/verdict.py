"""The limits of a verification, and what it came to: engine by engine, and as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from exactcover.values.arguments import check_seconds, check_whole
from exactcover.verification.engines import Options


@dataclass(frozen=True)
class Limits:
    """The limits of a verification.

    seconds  for each engine on the whole puzzle; None: until it is done
    listed   with more solutions than this, counts are compared instead of sets
    samples  the number of parts drawn if an engine cannot finish the whole
    """

    seconds: float | None = 60.0
    listed: int = 100_000
    samples: int = 20

    def __post_init__(self) -> None:
        check_seconds("seconds", self.seconds)
        check_whole("listed", self.listed, least=0, optional=False)
        check_whole("samples", self.samples, least=0, optional=False)


@dataclass(frozen=True)
class Difference:
    """A disagreement between engines.

    solution  the first solution, in the order of option numbers, that only one of them has
    whole     whether it is a solution; else it is the options fixed in a part whose counts differed
    """

    found_by: str
    missed_by: str
    solution: Options
    whole: bool = True


@dataclass(frozen=True)
class Checked:
    """One engine and how it compares with the first.

    result    equal, different, refused, unfinished; `first` for the first engine
    compared  sets, counts, samples, or nothing
    reason    why it refused, or how far it got
    """

    engine: str
    strategy: str
    result: str
    compared: str
    solutions: int
    finished: bool
    seconds: float
    duplicates: int = 0
    samples: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Verdict:
    """The outcome of a verification.

    status      complete: at least two engines finished; limit: compared in part, or not at all;
                interrupted
    solutions   the number that the first engine found; if it did not finish, the number counted
    whole       whether these are all solutions
    checked     how many solutions were checked against the puzzle, or the problem
    fault       what is wrong with a solution; empty if all are right
    """

    status: str
    solutions: int
    engines: tuple[Checked, ...]
    whole: bool = False
    checked: int = 0
    difference: Difference | None = None
    fault: str = ""
    faulty: Options | None = None

    @property
    def equal(self) -> bool:
        """Whether no comparison and no check found a fault."""
        return self.difference is None and not self.fault

    @property
    def compared(self) -> str:
        """The strongest way in which any two engines were compared, or an empty text."""
        ways = {one.compared for one in self.engines if one.result in ("equal", "different")}
        return next((way for way in ("sets", "counts", "samples") if way in ways), "")
