"""Put faults into the package, one at a time, to see whether the quick tests notice: `make faults`.

Each fault is put into a fresh copy of the checkout in a temporary folder, so neither the checkout
nor the next fault can be harmed. The copy has the compiled code of the checkout beside its sources,
which saves most of the time; code of the changed file, and code that calls it, is compiled anew. So
run `make test` before, else each fault compiles all that its tests need.

The tests of all faults run first without any fault, since a test that fails anyway notices nothing.
The exit status is 1 if a fault is not noticed, or if tests fail without one.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.faults.listed import ROOT, Fault, listed

COPIED = ("exactcover", "tests")
"""What a run of tests may write to. The rest of the checkout is there by links."""

LONGEST = 300
"""Seconds of processor time for the tests of a fault, so that the load of the machine is no fault.
A fault with which they have no end is noticed by anybody."""

IDLE = 4
"""The number of times as long that tests may take which wait for something."""

FAILED = re.compile(r"^(?:FAILED|ERROR|SUBFAILED\S*) (\S+)", re.MULTILINE)
PASSED, FAILING = 0, 1


def main() -> int:
    arguments = _arguments()
    faults = [one for one in listed() if not arguments.names or one.name in arguments.names]
    if unknown := set(arguments.names) - {one.name for one in faults}:
        print(f"there is no fault {', '.join(sorted(unknown))} in faults.toml")
        return 2
    if not arguments.unchecked:
        status, said, seconds = _tried(None, sorted({path for one in faults for path in one.tests}))
        print(f"without a fault: {_told(status, said)}  ({seconds:.0f} s)", flush=True)
        if status != PASSED:
            return 1
    missed = 0
    for fault in faults:
        status, said, seconds = _tried(fault, fault.tests)
        missed += status == PASSED
        verdict = "NOT NOTICED" if status == PASSED else f"noticed by {_told(status, said)}"
        print(f"{fault.name}: {fault.says}\n    {verdict}  ({seconds:.0f} s)", flush=True)
        if status not in (PASSED, FAILING, None):
            print(said)
            return 2
    print(f"{len(faults) - missed} of {len(faults)} faults noticed")
    return 1 if missed else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description="Try whether the quick tests notice faults."
    )
    parser.add_argument("names", nargs="*", help="names of faults; all if none is given")
    parser.add_argument(
        "--unchecked", action="store_true", help="do not run the tests without a fault first"
    )
    return parser.parse_args()


def _told(status: int | None, said: str) -> str:
    """The result of a run of tests in words."""
    if status is None:
        return f"tests that have no end within {LONGEST} s of processor time"
    if status == PASSED:
        return "all tests pass"
    found = FAILED.search(said)
    return found[1] if found else f"pytest's exit status {status}"


def _tried(fault: Fault | None, paths: Sequence[str]) -> tuple[int | None, str, float]:
    """Run tests with a fault: their exit status, their output, and the seconds; None: no end."""
    with TemporaryDirectory(prefix="fault-") as folder:
        copy = Path(folder).resolve()
        _copy(copy)
        if fault is not None:
            fault.put_into(copy / "exactcover")
        began = perf_counter()
        status, said = _run_tests(copy, paths)
        return status, said, perf_counter() - began


def _copy(copy: Path) -> None:
    """The checkout, with the times of its files, which say what was compiled from them."""
    for entry in ROOT.iterdir():
        if entry.name in COPIED:
            shutil.copytree(entry, copy / entry.name)
        elif not entry.name.startswith("."):
            (copy / entry.name).symlink_to(entry)


def _run_tests(copy: Path, paths: Iterable[str]) -> tuple[int | None, str]:
    """The exit status and the output of pytest in a copy; None: it had no end."""
    environment = os.environ | {"PYTHONPATH": str(copy)}
    environment.pop("NUMBA_CACHE_DIR", None)  # compiled code lies beside the sources, in the copy
    limited = ["sh", "-c", f'ulimit -t {LONGEST}; exec "$0" "$@"']
    command = [*limited, sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "--color=no", *paths]
    process = subprocess.Popen(
        [*command, "-p", "no:cacheprovider"], cwd=copy, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        said, _ = process.communicate(timeout=IDLE * LONGEST)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        return None, said
    return None if process.returncode == -signal.SIGKILL else process.returncode, said


if __name__ == "__main__":
    sys.exit(main())
