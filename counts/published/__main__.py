"""Count published exact covers again, by two engines of different methods each.

    python -m counts.published                  the families that are generated here
    python -m counts.published FOLDER           those of a folder of instances too
    python -m counts.published FOLDER --limit 600 --only latin8

FOLDER, or its folder `instances`, has files that `exactcover` reads, which may be compressed as
`.gz`. It may have `published.csv`: a line for each instance, with the columns `instance`, `family`,
`METHOD_count` and `METHOD_s`, the seconds. Where another number than ours was published, a third
engine counts. A closed form is compared where there is one.

Each count is a line of JSON in `build/published.jsonl`, written when it ends, so a second call
makes only those that are missing. It writes `counts.csv` here and `docs/published-counts.md`.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from math import prod
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import exactcover as ec
from exactcover.errors import CapabilityError, LimitReached, TooLarge
from exactcover.formats import Document, read_bytes
from exactcover.problem import Problem

TABLE, PAGE = Path(__file__).parent / "counts.csv", Path("docs/published-counts.md")
RESULTS = Path("build/published.jsonl")

PLAIN = "plain"
"""The engine of this module, which shares no code with the others."""

METHOD_OF = {
    "memo": "states that fall apart",
    "automaton:narrow": "states by levels",
    PLAIN: "sets of items",
    "bsx:s": "listing",
    "dlx:s": "listing",
    "d4": "clauses",
}
"""The engines in the order of trying, and their methods. `d4` needs the extra `counters`."""

PROGRAMS = {"d3x": "D3X", "dlx": "DLX", "dxz": "DXZ", "dxd": "DXD", "dyndxd": "DynDXD"}
"""The columns of `published.csv`, and the names of the programs."""

PLACES = ("", "second_", "third_")
"""The prefixes of the columns of several engines."""

MOST_STATES = 2_000_000
"""The most states that the plain engine keeps."""


# -- families and closed forms ---------------------------------------------------------------------

Rows = Sequence[Sequence[Any]]


def polyominoes(wide: int, high: int, cells: int) -> Rows:
    """All connected sets of this many cells of a board."""
    board = {(x, y) for x in range(wide) for y in range(high)}
    sets = {frozenset([cell]) for cell in board}
    for _ in range(cells - 1):
        sets = {
            some | {cell}
            for some in sets
            for x, y in some
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            if cell in board - some
        }
    return sorted(map(sorted, sets))


def blocks(things: int) -> Rows:
    """All sets of some things; the exact covers are the partitions of the things."""
    return [*chain.from_iterable(combinations(range(things), n + 1) for n in range(things))]


def pairs(things: int) -> Rows:
    """All pairs of some things."""
    return [*combinations(range(things), 2)]


def bell(things: int) -> int:
    """The number of partitions of some things."""
    row = [1]
    for _ in range(things - 1):
        below = [row[-1]]
        for number in row:
            below.append(below[-1] + number)
        row = below
    return row[-1]


def kasteleyn(wide: int, high: int) -> int:
    """The number of domino tilings of a board: a determinant (Kasteleyn 1961).

    A row for each black cell, a column for each white one; neighbours in a row of the board have
    the sign of the row. The elimination is that of Bareiss, in whole numbers.
    """
    black, white = (
        [(x, y) for x in range(wide) for y in range(high) if (x + y) % 2 == one] for one in (0, 1)
    )
    if len(black) != len(white):
        return 0
    matrix = [
        [(abs(x - v) + abs(y - w) == 1) * ((-1) ** y if y == w else 1) for v, w in white]
        for x, y in black
    ]
    before, size = 1, len(matrix)
    for step in range(size - 1):
        pivot = next((row for row in range(step, size) if matrix[row][step]), None)
        if pivot is None:
            return 0
        matrix[step], matrix[pivot] = matrix[pivot], matrix[step]
        for row in matrix[step + 1 :]:
            for column in range(step + 1, size):
                inside = row[column] * matrix[step][step] - row[step] * matrix[step][column]
                row[column] = inside // before
        before = matrix[step][step]
    return abs(matrix[-1][-1])


@dataclass(frozen=True)
class Instance:
    """A problem, the number that a closed form gives, and what the form is."""

    name: str
    family: str
    make: Callable[[], Problem]
    closed: int | None = None
    form: str = ""

    @classmethod
    def generated(cls, name: str, family: str, rows: Rows, closed: int | None = None) -> Instance:
        """Of a family that is generated here."""
        forms = {
            "bell": "the Bell number",
            "doublefact": "the double factorial",
            "dominoes": "Kasteleyn's determinant",
        }
        return cls(name, family, partial(Problem.of, rows), closed, forms.get(family, ""))


def generated() -> Iterator[Instance]:
    """The families that need no file, named as in the published tables."""
    for n in (3, 4, 5, 7, 8, 10, 11):
        yield Instance.generated(f"bell-{n:02}", "bell", blocks(n), bell(n))
    for n in (1, 5, 7, 11, 13, 15, 19, 23, 27, 29):
        odd = prod(range(1, n + 1, 2))
        yield Instance.generated(f"doublefact-{n:02}", "doublefact", pairs(n + 1), odd)
    for wide, high in ((8, 10), (10, 10), (12, 12)):
        rows, closed = polyominoes(wide, high, 2), kasteleyn(wide, high)
        yield Instance.generated(f"dominoes_{wide}x{high}", "dominoes", rows, closed)
    for wide, high in ((4, 5), (6, 6), (8, 8)):
        rows = polyominoes(wide, high, 4)
        yield Instance.generated(f"tetrominoes_{wide}x{high}", "tetrominoes", rows)


def instances(folder: Path | None) -> dict[str, Instance]:
    """The instances by name; those of a folder take the place of generated ones."""
    found = {one.name: one for one in generated()}
    if folder is None:
        return found
    said, inner = published(folder), folder / "instances"
    for path in sorted((inner if inner.is_dir() else folder).glob("*.*")):
        name = path.name.removesuffix(".gz")
        stem, _, ending = name.rpartition(".")
        if ending in ("dlx", "ec", "txt") and path.suffix != ".txt":
            known = found.get(stem)
            found[stem] = Instance(
                stem,
                said.get(stem, {}).get("family", ""),
                partial(read_instance, path),
                known.closed if known else None,
                known.form if known else "",
            )
    return dict(sorted(found.items()))


def read_instance(path: Path) -> Problem:
    """The problem of a file, which may be compressed."""
    raw, name = path.read_bytes(), path.name
    if name.endswith(".gz"):
        raw, name = gzip.decompress(raw), name.removesuffix(".gz")
    [document] = read_bytes(raw, name)
    assert isinstance(document, Document)
    assert isinstance(document.content, Problem)
    return document.content


def published(folder: Path | None) -> dict[str, dict[str, str]]:
    """The lines of `published.csv` by instance."""
    path = folder and folder / "published.csv"
    if path is None or not path.exists():
        return {}
    with path.open(newline="") as lines:
        return {row["instance"]: row for row in csv.DictReader(lines)}


# -- counting --------------------------------------------------------------------------------------


def plain_count(problem: Problem, check: Callable[[], object]) -> int:
    """The number of solutions, from the sets of items that can be covered first.

    Items are covered in the order of the problem. It keeps all sets of items that some options
    cover, among them the first ones, with the number of ways.
    """
    by_first: dict[int, list[int]] = defaultdict(list)
    for option in range(problem.n_options):
        items = problem.items_of(option).tolist()
        by_first[min(items)].append(sum(1 << item for item in items))
    ways = {0: 1}
    for item in range(problem.n_items):
        after: dict[int, int] = defaultdict(int)
        for covered, many in ways.items():
            if covered >> item & 1:
                after[covered] += many
                continue
            for option in by_first[item]:
                if not covered & option:
                    after[covered | option] += many
        ways = after
        check()
        if len(ways) > MOST_STATES:
            raise TooLarge("sets of items", len(ways), MOST_STATES)
    return sum(ways.values())


def count(instance: Instance, problem: Problem, engine: str, limit: float) -> dict[str, Any]:
    """The number by one engine, and its processor seconds; or why there is none.

    `d4` counts in a process of its own, so for it they are the seconds of the clock.
    """
    seconds = perf_counter if engine == "d4" else process_time
    began, number, why = seconds(), None, ""

    def check(_: object = None) -> None:
        if seconds() - began > limit:
            raise LimitReached(0, limit)

    try:
        if engine == PLAIN:
            number = plain_count(problem, check)
        else:
            number = ec.count(problem, strategy=engine, progress=check)
    except (LimitReached, TooLarge, CapabilityError) as error:
        why = type(error).__name__
    return {
        "instance": instance.name,
        "engine": engine,
        "number": None if number is None else str(number),
        "seconds": round(seconds() - began, 3),
        "limit": limit,
        "why": why,
    }


def counted(
    instance: Instance,
    problem: Problem,
    known: dict[tuple[str, str], dict[str, Any]],
    said: Mapping[str, str],
    limit: float,
) -> list[dict[str, Any]]:
    """Counts by two methods, three if others published something else; fewer if no more end.

    What is not known is counted and kept.
    """
    ends: list[dict[str, Any]] = []
    for engine in METHOD_OF:
        one = known.get((instance.name, engine))
        if one is None or (one["number"] is None and one["limit"] < limit):
            one = known[instance.name, engine] = count(instance, problem, engine, limit)
            RESULTS.parent.mkdir(exist_ok=True)
            with RESULTS.open("a") as lines:
                lines.write(json.dumps(one) + "\n")
        if one["number"] is not None:
            ends.append(one)
        if len({end["number"] for end in ends}) > 1:
            raise SystemExit(f"{instance.name}: engines differ: {ends}")
        differs = ends and any(number != ends[0]["number"] for number in numbers_of(said).values())
        if len({METHOD_OF[end["engine"]] for end in ends}) == (3 if differs else 2):
            break
    return ends


def numbers_of(said: Mapping[str, str]) -> dict[str, str]:
    """The published numbers by program."""
    numbers = {PROGRAMS[one]: said.get(f"{one}_count", "") for one in PROGRAMS}
    return {name: number for name, number in numbers.items() if number.isdigit()}


# -- the table and the page ------------------------------------------------------------------------


def row_of(
    instance: Instance, problem: Problem, ends: Sequence[Mapping[str, Any]], said: Mapping[str, str]
) -> dict[str, str]:
    """A row of the table."""
    number, numbers = ends[0]["number"] if ends else "", numbers_of(said)
    row = {
        "instance": instance.name,
        "family": instance.family,
        "items": str(problem.n_items),
        "options": str(problem.n_options),
        "number": number,
    }
    for at, place in enumerate(PLACES):
        end = ends[at] if at < len(ends) else {"engine": "", "seconds": ""}
        row |= {f"{place}engine": end["engine"], f"{place}seconds": str(end["seconds"])}
    for one in PROGRAMS:
        row |= {key: said.get(key, "") for key in (f"{one}_count", f"{one}_s")}
    wrong = sorted(name for name, other in numbers.items() if other != number)
    verdict = "refuted" if wrong else "holds" if numbers else "new"
    argument = []
    if wrong:
        argument.append(", ".join(f"`{end['engine']}`" for end in ends))
        right = [name for name, other in numbers.items() if other == number]
        argument += [f"{' and '.join(right)} published the same as we find"] if right else []
    if instance.closed is not None and number:
        if str(instance.closed) != number:
            raise SystemExit(f"{instance.name}: {number}, but {instance.form} is {instance.closed}")
        argument.append(instance.form)
    row["verdict"] = verdict if len(ends) > 1 else "not settled"
    row["argument"] = "; ".join(argument)
    return row


def read_table() -> list[dict[str, str]]:
    """The rows of the table; none if there is none yet."""
    if not TABLE.exists():
        return []
    with TABLE.open(newline="") as lines:
        return [*csv.DictReader(lines)]


def write_table(rows: Sequence[Mapping[str, str]]) -> None:
    """Write the table."""
    with TABLE.open("w", newline="") as lines:
        table = csv.DictWriter(lines, [*rows[0]], lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def page(rows: Sequence[Mapping[str, str]]) -> str:
    """The page of the documentation."""
    verdicts = [row["verdict"] for row in rows]
    many = {one: verdicts.count(one) for one in ("holds", "new", "refuted", "not settled")}
    counted = [row for row in rows if row["second_engine"]]
    alike = [
        row["instance"] for row in counted
        if METHOD_OF[row["engine"]] == METHOD_OF[row["second_engine"]]
    ]  # fmt: skip
    named = {one.replace(" ", "_"): n for one, n in many.items()}
    but = f", {' and '.join(alike)} by two that list" if alike else ""
    lines = [HEAD.format(all=len(rows), alike=but, **named)]
    lines += ["| instance | published | by | right | argument |", "|---|--:|---|--:|---|"]
    for row in rows:
        if row["verdict"] != "refuted":
            continue
        numbers, number = numbers_of(row), row["number"]
        for other in sorted({*numbers.values()} - {number}, key=int):
            by = ", ".join(name for name, its in numbers.items() if its == other)
            cells = [row["instance"], f"{int(other):,}", by, f"{int(number):,}", row["argument"]]
            lines.append(f"| {' | '.join(cells)} |")
    lines += [TIMES, f"| instance | {' | '.join(PROGRAMS.values())} | ours | engine |"]
    lines.append("|---" + "|--:" * (len(PROGRAMS) + 1) + "|---|")
    for row in rows:
        times = [row[f"{one}_s"] or row[f"{one}_count"] for one in PROGRAMS]
        if row["second_engine"] and any(not is_short(time) for time in times if time):
            both = [(float(row[f"{one}seconds"]), row[f"{one}engine"]) for one in PLACES[:2]]
            seconds, engine = min(both)
            shown = [f"{float(one):.2f}" if is_number(one) else one for one in times]
            cells = [row["instance"], *shown, f"{seconds:.2f}", f"`{engine}`"]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, TAIL])


def is_number(text: str) -> bool:
    """Whether it is a number, such as one of seconds."""
    return text.replace(".", "", 1).replace("e-", "", 1).isdigit()


def is_short(time: str) -> bool:
    """Whether a published time is less than ten seconds; it may be a word such as `TO`."""
    return is_number(time) and float(time) < 10


HEAD = """\
# Published counts of exact covers, checked

The newest programs that count exact covers are DXZ (AAAI 2017), D3X (IJCAI 2021), DXD and DynDXD
(SAT 2026). Of {all} problems, most of them published with these programs (`loiufam/D3X`,
`loiufam/Algorithm_DXD`), the published numbers of {holds} hold, {refuted} have a published number
that is refuted, {new} have none, and {not_settled} are not settled. Each was counted by two engines
of different methods{alike}; `plain` is a dictionary of sets of items, without an engine.
"""

TIMES = """
Seconds of one thread without the start, where a published time is ten seconds or more; `TO` and
`FAILED` are limits of theirs. Theirs were measured by them, on their machines: factors of ten mean
something, factors of two do not. Ours are those of the quicker of the two engines.
"""

TAIL = """
`python -m counts.published FOLDER` counts the instances of a folder again, and those that can be
generated; [counts.csv](../counts/published/counts.csv) has all rows.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Count what is missing, and write the table and the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="the folder of the instances")
    parser.add_argument("--only", nargs="+", default=[""], help="names with one of these words")
    parser.add_argument("--limit", type=float, default=60.0, help="processor seconds of a count")
    given = parser.parse_args(arguments)
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    known = {(one["instance"], one["engine"]): one for one in map(json.loads, lines)}
    rows = {row["instance"]: row for row in read_table()}
    said = published(given.folder)
    for engine in METHOD_OF:  # what is compiled or loaded takes no time below
        count(Instance("", "", partial(Problem.of, [])), Problem.of(pairs(6)), engine, given.limit)
    for name, instance in instances(given.folder).items():
        if not any(word in name for word in given.only):
            continue
        problem, its = instance.make(), said.get(name) or rows.get(name, {})
        ends = counted(instance, problem, known, its, given.limit)
        rows[name] = row_of(instance, problem, ends, its)
        sys.stdout.write(" | ".join(rows[name].values()) + "\n")
        sys.stdout.flush()
        write_table([rows[one] for one in sorted(rows)])
    PAGE.write_text(page(read_table()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
