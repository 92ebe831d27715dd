"""Fuzz the readers: `make fuzz`, or `python -m tests.fuzz --inputs 300000`.

Every reader gets the same share of inputs, or of seconds. An input for which something does not
hold is kept in a folder and named, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256
from pathlib import Path
from time import monotonic

from tests.fuzz.mutations import Mutator
from tests.fuzz.readers import READERS, Broken, check, warm_up

FOUND = Path("fuzz-found")


def main() -> int:
    arguments = _arguments()
    names = arguments.readers or [*READERS]
    failures = 0
    for name in names:
        failures += _fuzzed(
            name,
            arguments.inputs and -(-arguments.inputs // len(names)),
            arguments.seconds / len(names),
            arguments.seed,
        )
    return 1 if failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fuzz the readers.")
    parser.add_argument("readers", nargs="*", help="names of readers; all if none is given")
    parser.add_argument("--inputs", type=int, help="stop after so many inputs in all")
    parser.add_argument("--seconds", type=float, default=300, help="stop after so long in all")
    parser.add_argument("--seed", type=int, default=0, help="other inputs for another number")
    return parser.parse_args()


def _fuzzed(name: str, inputs: int | None, seconds: float, seed: int) -> int:
    """How many inputs failed; a count of inputs goes before a number of seconds."""
    reader = READERS[name]
    corpus = reader.corpus
    warm_up(reader)
    for raw in corpus:
        check(reader, raw)
    mutator, end = Mutator(corpus, seed), monotonic() + seconds
    tried = read = failures = 0
    slowest = 0.0
    while tried < inputs if inputs else monotonic() < end:
        raw = mutator.draw()
        tried += 1
        try:
            took, was_read = check(reader, raw)
        except Broken as error:
            failures += 1
            print(f"{name}: {_kept(name, raw)}: {error}", flush=True)
            continue
        slowest, read = max(slowest, took), read + was_read
    print(
        f"{name}: {tried} inputs, {read} read, {tried - read - failures} refused, "
        f"{failures} failed, slowest {slowest:.2f} s",
        flush=True,
    )
    return failures


def _kept(name: str, raw: bytes) -> Path:
    """The file in which a failing input is kept."""
    FOUND.mkdir(exist_ok=True)
    path = FOUND / f"{name}-{sha256(raw).hexdigest()[:12]}"
    path.write_bytes(raw)
    return path


if __name__ == "__main__":
    sys.exit(main())
