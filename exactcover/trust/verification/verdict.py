"""The limits of a verification, and what it came to: engine by engine, and as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from exactcover.base.values import Convention
from exactcover.base.values.arguments import check_seconds, check_whole
from exactcover.trust.verification.engines import Options


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
    seconds   without those of compilation, which are `compiling`
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
    compiling: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """The outcome of a verification.

    status      complete: at least two engines finished; limit: compared in part, or not at all;
                interrupted
    solutions   how many there are, as `counted` says; if no engine finished, how many the first
                engine found
    counted     what counts as one solution: what was asked for, or `all` where these are not all
                solutions, or the unique ones could not be counted in time
    whole       whether these are all solutions
    numbers     all numbers that are known, by what counts as one solution
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
    counted: Convention = "all"
    numbers: Mapping[Convention, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        equal = f"equal, compared as {self.compared}" if self.compared else "not compared"
        said = self.fault or ("different" if self.difference else equal)
        noun = ("solution" if self.solutions == 1 else "solutions") + " so far" * (not self.whole)
        return f"<Verdict: {self.status}, {said}, {self.solutions:,} {noun}>"

    @property
    def equal(self) -> bool:
        """Whether no comparison and no check found a fault."""
        return self.difference is None and not self.fault

    @property
    def compared(self) -> str:
        """The strongest way in which any two engines were compared, or an empty text."""
        ways = {one.compared for one in self.engines if one.result in ("equal", "different")}
        return next((way for way in ("sets", "counts", "samples") if way in ways), "")
