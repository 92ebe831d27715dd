"""Fuzz the readers: `make fuzz`, or `python -m tests.fuzz --inputs 300000`.

Every reader gets the same share of inputs, or of seconds. An input for which something does not
hold is kept in a folder and named, and the exit status is 1. With --coverage one reader is fuzzed
by atheris (the extra `fuzz`), which looks for inputs that reach new lines.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256
from pathlib import Path
from time import monotonic

from tests.fuzz.mutations import Mutator

FOUND = Path("fuzz-found")


def main() -> int:
    arguments = _arguments()
    if arguments.coverage:
        _covered(arguments)
    from tests.fuzz.readers import READERS

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
    parser.add_argument("--coverage", action="store_true", help="fuzz one reader with atheris")
    return parser.parse_args()


def _fuzzed(name: str, inputs: int | None, seconds: float, seed: int) -> int:
    """How many inputs failed; a count of inputs goes before a number of seconds."""
    from tests.fuzz.readers import READERS, Broken, check, warm_up

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


def _covered(arguments: argparse.Namespace) -> None:
    """Fuzz one reader by coverage; does not return."""
    import atheris

    with atheris.instrument_imports(include=["exactcover"]):
        from tests.fuzz.readers import READERS, Broken, check, warm_up
    reader = READERS[arguments.readers[0]]
    warm_up(reader)
    folder = str(Path(__file__).parent / "corpus" / reader.name)

    def one(raw: bytes) -> None:
        try:
            check(reader, raw)
        except Broken as error:
            print(f"{reader.name}: {_kept(reader.name, raw)}: {error}", flush=True)
            raise

    def mutated(raw: bytes, largest: int, seed: int) -> bytes:
        made = Mutator([raw or b"\n", *reader.corpus], seed).mutated(raw or b"\n")
        return made[:largest]

    limit = f"-runs={arguments.inputs}" if arguments.inputs else "-runs=-1"
    atheris.Setup(
        [sys.argv[0], limit, f"-max_total_time={int(arguments.seconds)}", "-max_len=65536",
         f"-seed={arguments.seed + 1}", "-create_missing_dirs=1", str(FOUND / reader.name), folder],
        one,
        custom_mutator=mutated,
    )  # fmt: skip
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
