"""Reproduce the published terms of a sequence, then count the next ones by two engines.

    python -m counts.sequences A226979                 1 s for each term and engine, then 5, then 60
    python -m counts.sequences A226979 --limits 600 --memory 6000
    python -m counts.sequences mine.toml               a sequence of your own
    python -m counts.sequences A226979 --index 13      one term, and nothing else
    python -m counts.sequences A226979 --b-file        the terms, as the encyclopedia takes them
    python -m counts.sequences --list

Each count is a line in `A226979.jsonl`, beside the file of the sequence, written when it ends. A
second call skips what is there; `--again` counts anew, and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from collections.abc import Sequence as Many
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

import exactcover as ec
from counts.known import engine_of
from counts.sequences.record import Counted, Record, methods
from counts.sequences.sequence import FOLDER, Sequence, sequences
from exactcover.base.values import Convention
from exactcover.errors import ExactCoverError, FormatError, LimitReached, TooLarge
from exactcover.search.subject import Solvable
from exactcover.trust.provenance import program

KEEPS_STATES = ("automaton", "memo")

LIMITS_HELP = "seconds of the processor for each term and engine, in turn (1 5 60)"


class Counter:
    """Counts puzzles by one engine, all within one time; adds up the fits."""

    def __init__(self, engine: str, limit: float, memory: int) -> None:
        keeps = engine_of(engine) in KEEPS_STATES and "memory=" not in engine
        self._strategy = f"{engine} memory={memory}" if keeps else engine
        self._limit, self._began = limit, process_time()
        self.fits = 0

    @property
    def seconds(self) -> float:
        """The time of the processor until now."""
        return process_time() - self._began

    def __call__(self, content: Solvable, counted: Convention | None = None) -> int:
        """How many solutions there are; raises `LimitReached` if the time does not suffice."""
        counting = ec.Counting(content, counted=counted, strategy=self._strategy)
        while counting.step():
            if self.seconds > self._limit:
                raise LimitReached(counting.result.solutions, self._limit)
        result = counting.result
        self.fits += result.fits
        return result.solutions


class Run:
    """The terms of a sequence, counted one after the other."""

    def __init__(self, sequence: Sequence, record: Record, limit: float, memory: int) -> None:
        self.sequence, self.record, self.limit, self.memory = sequence, record, limit, memory

    def terms(self, only: int | None = None, new: int | None = None) -> Iterator[str]:
        """Count the terms, at most `new` new ones, or only one; the outcome in words."""
        sequence = self.sequence
        last = sequence.first + len(sequence.published)
        for index, place in sequence.places():
            published = sequence.published_at(index)
            if (only is not None and index > only) or (new is not None and index >= last + new):
                return
            if only is not None and index < only:
                continue
            engines = sequence.engines[: 1 if published is not None and only is None else None]
            yield from self._counted(index, place, engines)
            values = {one.value for one in self.record.at(index)}
            if published is not None and values - {published}:  # a second opinion
                yield from self._counted(index, place, sequence.engines)
            yield self._verdict(index)
            if index >= last and self.record.settled(index) is None:
                return

    def _counted(self, index: int, place: dict[str, object], engines: Many[str]) -> Iterator[str]:
        for engine in engines:
            if self.record.get(index, engine) is not None:
                continue
            expected = self.record.expected(index, engine)
            if expected is not None and expected[1] > 10:
                steps, seconds = expected
                word = "states" if engine_of(engine) in KEEPS_STATES else "fits"
                said = f"about {steps:.0e} {word} and {seconds:.0f} s expected"
                yield f"a({index}) by {engine}: {said}"
            counter = Counter(engine, self.limit, self.memory)
            try:
                value = self.sequence.value(place, counter)
            except (LimitReached, TooLarge) as error:
                yield f"a({index}) by {engine}: no end: {error}"
                if index >= self.sequence.first + len(self.sequence.published):
                    return  # a new term needs both
                continue
            peak = getrusage(RUSAGE_SELF).ru_maxrss // 1024
            version = f"{program()['version']} {(program()['commit'] or '')[:12]}".strip()
            seconds = round(counter.seconds, 3)
            digest = self.sequence.digest
            self.record.add(
                Counted(index, value, engine, counter.fits, seconds, peak, version, digest)
            )

    def _verdict(self, index: int) -> str:
        """The term and what two engines say of it."""
        found, published = self.record.at(index), self.sequence.published_at(index)
        if not found:
            return f"a({index}): not reached"
        if self.record.disputed(index):
            raise SystemExit(f"{self.sequence.number}, term {index}: engines differ: {found}")
        value, seconds = found[0].value, sum(one.seconds for one in found)
        said = f"a({index}) = {value}  {methods(found)}, {seconds:.3g} s"
        if published is None:
            return said + ("  new" if self.record.settled(index) is not None else "  one engine")
        return said + ("" if value == published else f"  PUBLISHED: {published}")


def b_file(sequence: Sequence, record: Record) -> Iterator[str]:
    """The terms as lines `n a(n)`: published ones, then those on which two engines agree.

    It ends before a published term that only one engine contradicts.
    """
    for index, _ in sequence.places():
        published, found = sequence.published_at(index), record.at(index)
        settled = record.settled(index)
        if published is None and settled is None:
            return
        if settled is None and found and found[0].value != published:
            return
        yield f"{index} {published if settled is None else settled}"


def main(arguments: Many[str] | None = None) -> int:
    """Continue the sequences; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m counts.sequences",
        description="Reproduce the terms of a sequence, then count the next ones by two engines.",
    )
    parser.add_argument("sequence", nargs="*", help="a number, as A226979, or a TOML file")
    add = parser.add_argument
    add("--limits", type=float, nargs="+", default=[1.0, 5.0, 60.0], metavar="S", help=LIMITS_HELP)
    add("--memory", type=int, default=3000, metavar="MIB", help="what states may take (3000)")
    add("--new", type=int, metavar="N", help="count at most N new terms")
    add("--index", type=int, metavar="N", help="count only this term, by all engines")
    add("--again", action="store_true", help="count anew, and write nothing")
    add("--b-file", action="store_true", help="print lines `n a(n)`")
    add("--list", action="store_true", help="print the sequences that are here")
    given = parser.parse_args(arguments)
    if given.list:
        for one in sequences():
            sys.stdout.write(f"{one.number}  {len(one.published):3d} published  {one.title}\n")
        return 0
    if not given.sequence:
        parser.error("name a sequence, or --list")
    try:
        for name in given.sequence:
            sequence = Sequence.read(name)
            record = Record(None if given.again else path_of(name))
            if any(one.of not in {"", sequence.digest} for one in record.lines):
                raise FormatError(
                    f"{record.path}: it has counts of another term, rows or python: remove it to "
                    "count anew, or say --again to leave it as it is"
                )
            if given.b_file:
                _print(b_file(sequence, record), set())
                continue
            said: set[str] = set()
            for limit in given.limits[-1:] if given.index is not None else given.limits:
                run = Run(sequence, record, limit, given.memory)
                _print(run.terms(given.index, given.new), said)
    except ExactCoverError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _print(lines: Iterator[str], said: set[str]) -> None:
    """Print the lines that were not said before, as they come."""
    for line in lines:
        if line not in said:
            said.add(line)
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


def path_of(name: str) -> Path:
    """The file of lines beside the file of a sequence."""
    path = Path(name) if name.endswith(".toml") else FOLDER / name
    return path.with_suffix(".jsonl")


if __name__ == "__main__":
    sys.exit(main())
