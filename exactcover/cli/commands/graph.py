"""`graph`: which solutions are alike, which pieces touch, and how two solutions differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from exactcover.base.values import COUNTED_AS, Convention
from exactcover.cli import options as opt
from exactcover.cli.exit_status import DONE
from exactcover.cli.given_puzzles import GivenPuzzles
from exactcover.cli.outputs import Target, check_one_each, output_option
from exactcover.cli.progress import Progress
from exactcover.cli.reports import quantity
from exactcover.cli.search_loop import first_solutions, nth_solution

if TYPE_CHECKING:
    import networkx

    from exactcover.formats import Document
    from exactcover.show.graphs import Cluster
    from exactcover.show.graphs.solutions import Linkage

ENDINGS = (".graphml", ".json", ".svg", ".png", ".pdf")

SIZES_SHOWN = 10
"""The sizes of this many clusters are printed in a line."""

CLUSTERS_SHOWN = 20
"""This many clusters are printed in a table."""

NUMBERS_SHOWN = 12
"""The numbers of this many solutions of a cluster are printed there."""


@dataclass(frozen=True)
class GraphOptions(opt.Json, opt.WithProgress, opt.Counted):
    differ: int = opt.integer(
        "--differ", metavar="K", default=3, help="Join solutions that differ in at most K pieces."
    )
    limit: int | None = opt.integer("--limit", help="Take N solutions only.")
    clusters: bool = opt.flag("--clusters", help="List the clusters of similar solutions.")
    linkage: Linkage = opt.choice(
        "--linkage", of=("single", "complete"), default="single",
        help="Solutions of a cluster are that similar: each to some other one, or each to all.",
    )  # fmt: skip
    compare: tuple[int, int] | None = opt.integer(
        "--compare", metavar="A B", nargs=2,
        help="Explain how solutions A and B differ: which pieces to move to come from A to B.",
    )  # fmt: skip
    pieces: bool = opt.flag("--pieces", help="Say which pieces of one solution touch.")
    solution: int | None = opt.integer(
        "--solution", help="With --pieces: of the Nth solution found. Default: the first."
    )
    corners: bool = opt.flag(
        "--corners", help="With --pieces: join pieces that touch at a corner, too."
    )
    output: Target | None = output_option(
        ENDINGS, ".graphml", needs="picture",
        help="Write the graph to FILE: .graphml, for yEd, .json or .svg; .png and .pdf with the "
        "extra `picture`. A folder, or a name without an ending, gets a .graphml file a puzzle.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum((self.clusters, self.compare is not None, self.pieces)) > 1:
            raise click.UsageError("give one of --clusters, --compare and --pieces")
        if (self.solution is not None or self.corners) and not self.pieces:
            raise click.UsageError("--solution and --corners go with --pieces")
        if self.compare is not None and self.output is not None:
            raise click.UsageError("--compare makes no graph to write: leave out --output")


@opt.puzzle_command(GraphOptions)
def graph(puzzles: tuple[str, ...], options: GraphOptions) -> int:
    """Compare the solutions of a puzzle: which are alike, and how two of them differ.

    Without another option it says how many pairs of solutions differ in few pieces, and which parts
    they make.
    """
    given = GivenPuzzles(puzzles)
    if options.output is not None:
        check_one_each(options.output, given, "graphs")

    def answer(document: Document) -> int:
        made: networkx.Graph[Any] | None = None
        with document.faults_placed():
            if options.compare is not None:
                record, lines = _compared(document, options.compare, options.counted)
            elif options.pieces:
                record, lines, made = _pieces(document, options)
            else:
                record, lines, made = _solutions(document, options)
        if options.output is not None and made is not None:
            from exactcover.show.graphs import save_graph

            save_graph(made, options.output.file_of(document))
        options.report({"puzzle": document.name} | record, lines)
        return DONE

    return given.answer(answer)


def _solutions(
    document: Document, options: GraphOptions
) -> tuple[dict[str, Any], list[str], networkx.Graph[Any]]:
    """The graph of solutions, as a record and as lines."""
    from exactcover.show.graphs import clusters as clusters_of
    from exactcover.show.graphs import solution_graph

    counted, differ, linkage = options.counted, options.differ, options.linkage
    found, result = first_solutions(document, options.limit, counted=counted)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    with Progress(document.name) as progress:
        made = solution_graph(found, differ=differ, counted=counted, tell=progress.tell)
    parts = clusters_of(made, linkage=linkage)
    for number, part in enumerate(parts, 1):
        for node in part.solutions:
            made.nodes[node]["cluster"] = number
    changed = Counter(far for _, _, far in made.edges(data="changed"))
    record: dict[str, Any] = {
        "solutions": len(found),
        "counted": made.graph.get("counted", counted or "rotations"),
        "differ": differ,
        "pairs": {str(far): changed[far] for far in sorted(changed)},
        "linkage": linkage,
        "clusters": [{"size": len(part), "representative": part.representative} for part in parts],
    }
    if options.clusters:
        for part, entry in zip(parts, record["clusters"], strict=True):
            entry["solutions"] = list(part.solutions)
    lines = [*_summary(document.name, record), *(_table(parts) if options.clusters else ())]
    return record, lines, made


def _summary(name: str, record: dict[str, Any]) -> Iterator[str]:
    """The lines of the summary of a graph of solutions."""
    many = record["solutions"]
    counted = f" ({COUNTED_AS[record['counted']]})" if many else ""
    yield f"{name}: {quantity(many, 'solution')}{counted}"
    pairs = sum(record["pairs"].values())
    differ = f"differ{'s' if pairs == 1 else ''} in at most {quantity(record['differ'], 'piece')}"
    each = ", ".join(f"{found:,} in {changed}" for changed, found in record["pairs"].items())
    yield f"  {quantity(pairs, 'pair')} {differ}" + (f": {each}" if each else "")
    sizes = [part["size"] for part in record["clusters"]]
    large = [size for size in sizes if size > 1]
    alone = len(sizes) - len(large)
    shown = ", ".join(f"{size:,}" for size in large[:SIZES_SHOWN])
    more = ", ..." if len(large) > SIZES_SHOWN else ""
    parts = (
        f"{quantity(len(large), 'cluster')} of {shown}{more} solutions" if large else "no cluster"
    )
    yield f"  {parts}; {quantity(alone, 'solution')} without a similar one"


def _table(parts: Sequence[Cluster]) -> Iterator[str]:
    """The largest clusters."""
    large = [part for part in parts if len(part) > 1]
    yield "  cluster   size  representative  solutions"
    for number, part in enumerate(large[:CLUSTERS_SHOWN], 1):
        numbers = " ".join(map(str, part.solutions[:NUMBERS_SHOWN]))
        more = " ..." if len(part) > NUMBERS_SHOWN else ""
        yield f"  {number:>7} {len(part):>6,}  {part.representative:>14}  {numbers}{more}"
    if len(large) > CLUSTERS_SHOWN:
        yield f"  and {len(large) - CLUSTERS_SHOWN:,} more; --json lists all"


def _compared(
    document: Document, numbers: tuple[int, int], counted: Convention | None
) -> tuple[dict[str, Any], list[str]]:
    """How two solutions differ."""
    from exactcover.show.graphs import differences

    one, other = (
        nth_solution(document, number, counted=counted, option="solution") for number in numbers
    )
    found = differences(one, other, counted=counted)
    record = {
        "solutions": list(numbers),
        "kept": [placement.piece for placement in found.kept],
        "changed": found.changed,
        "turn": found.turn,
        "changes": [
            {"kind": change.kind, "pieces": list(change.pieces), "text": str(change)}
            for change in found.changes
        ],
    }
    first, second = numbers
    lines = [
        f"{document.name}: from solution {first} to solution {second} {_changes(found.changed)}"
    ]
    return record, lines + [f"  {line}" for line in str(found).splitlines()]


def _pieces(
    document: Document, options: GraphOptions
) -> tuple[dict[str, Any], list[str], networkx.Graph[Any]]:
    """The pieces of a solution that touch."""
    from exactcover.show.graphs import piece_graph

    number = options.solution or 1
    solution = nth_solution(document, number, counted=options.counted, option="solution")
    made = piece_graph(solution, corners=options.corners)
    touching = made.number_of_edges()
    lines = [
        f"{document.name}: solution {number}: {quantity(len(made), 'piece')}, "
        f"{quantity(touching, 'pair')} that touch"
    ]
    width = max(map(len, made), default=0)
    for piece in made:
        beside = [_meeting(other, met) for other, met in made[piece].items()]
        lines.append(f"  {piece:<{width}}  {', '.join(beside) or 'touches no other piece'}")
    record = {
        "solution": number,
        "pieces": list(made),
        "touching": [{"pieces": [one, other]} | met for one, other, met in made.edges(data=True)],
    }
    return record, lines, made


def _meeting(other: str, met: dict[str, int]) -> str:
    """A piece that touches, and at how many sides."""
    at_corners = f" and {quantity(met['corners'], 'corner')}" if met.get("corners") else ""
    return f"{other} at {quantity(met['faces'], 'side')}{at_corners}"


def _changes(many: int) -> str:
    return f"{quantity(many, 'piece')} change{'s' if many == 1 else ''}"
