"""The objects of JSON that requests send and answers hold.

Each is a type, so mypy checks the code that makes one. In its schema the text beside a field is the
description of the field.
"""

from __future__ import annotations

from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

Cells = Annotated[list[list[int]], "cells, each a list of coordinates"]
Places = Annotated[list[int], "cells by their numbers in the board of the puzzle"]
Owners = Annotated[list[int], "the number of the piece that covers each cell, -1: none"]

What = Literal["all", "first", "count", "sample"]
Unique = Literal["rotations", "reflections", "all"]
State = Literal[
    "waiting", "running", "paused", "complete", "limit", "stopped", "failed", "impossible"
]


class Error(TypedDict):
    error: Annotated[str, "what is wrong, where, and what would be right"]


class LimitsJson(TypedDict):
    seconds: Annotated[float, "of a run"]
    mib: Annotated[int, "of memory"]
    runs: Annotated[int, "at once"]
    queue: Annotated[int, "runs that may wait"]
    bytes: Annotated[int, "of a request"]
    solutions: Annotated[int, "that are kept of a run"]
    cells: Annotated[int, "of a board"]
    question: Annotated[float, "seconds that a question may take"]


# -- puzzles --------------------------------------------------------------------------------------


class FamilyJson(TypedDict):
    name: str
    usage: str
    example: str


class LatticeJson(TypedDict):
    name: str
    dimension: int
    title: str
    cell: Annotated[str, "what a cell is written as"]
    boards: list[FamilyJson]
    sets: list[str]


class Shelved(TypedDict):
    name: str
    title: str
    lattice: str
    dimension: int
    cells: int
    pieces: int
    size: Annotated[str, "the sides of a box, as in 10x6; else empty"]
    set: Annotated[str, "the family of pieces of one size, as in pentominoes"]
    solutions: Annotated[int | None, "as published"]
    counted: Annotated[str | None, "what counts as one of these"]
    difficulty: Annotated[int | None, "1 to 5"]
    solved: Annotated[bool, "its picture shows a solution; then there is a coarse one, too"]


class Layer(TypedDict):
    title: str
    width: float
    height: float
    cells: Places
    polygons: Annotated[
        list[list[list[float]]],
        "the corners of each cell, y downwards, in distances of neighbours",
    ]
    joints: Annotated[
        list[list[int]],
        "a place in `cells`, a side of its polygon, and the cell across the joint of a wrapped "
        "board",
    ]


class BoardJson(TypedDict):
    cells: Cells
    layers: list[Layer]


class ShapeJson(TypedDict):
    name: str
    cells: Cells


class PieceJson(TypedDict):
    name: str
    low: Annotated[int, "the least number of copies"]
    high: Annotated[int | None, "the most; null: any number"]
    cells: Cells
    stationary: bool
    colour: str
    dark: Annotated[str, "its colour on a dark ground"]
    ink: Annotated[str, "the colour of its name"]
    outline: BoardJson


class TableJson(TypedDict):
    lattice: str
    dimension: int
    board: BoardJson
    pieces: list[PieceJson]
    secondary: Annotated[list[int], "cells that may stay empty"]
    empty: Annotated[list[int], "the least and the most cells that stay empty"]


class PuzzleJson(TableJson):
    id: str
    title: str
    toml: Annotated[str, "the puzzle as a file"]
    link: Annotated[str, "the end of an address that holds the puzzle"]
    reflect: Annotated[bool, "whether pieces may be turned over"]
    undrawn: Annotated[str | None, "what a draft of it would lose"]


class Unread(TypedDict):
    title: str
    why: str


class Read(TypedDict):
    puzzles: list[PuzzleJson]
    refused: list[Unread]


class Images(TypedDict):
    piece: str
    number: int


Weight = TypedDict("Weight", {"cell": int, "class": int})


class Check(TypedDict):
    cells: int
    wanted: Annotated[list[int], "the least and the most cells to fill"]
    volume: Annotated[list[int], "the least and the most cells that the pieces fill"]
    fits: Annotated[bool, "whether these agree"]
    symmetries: int | None
    images: Annotated[list[Images], "places of each piece"]
    verdict: Literal["impossible", "unknown"]
    why: str
    explained: Annotated[str, "the proof in full, or empty"]
    colours: Annotated[list[Weight] | None, "the weights of cells that prove it"]
    seconds: float


class IntervalJson(TypedDict):
    value: float | None
    low: float
    high: float | None


class Nodes(TypedDict):
    left: int
    nodes: IntervalJson


class EstimateJson(TypedDict):
    nodes: IntervalJson
    solutions: IntervalJson
    seconds: IntervalJson
    profile: list[Nodes]
    strategy: str
    counted: str
    confidence: float
    status: str
    why: str


class StrategyJson(TypedDict):
    name: str
    title: str


# -- runs -----------------------------------------------------------------------------------------


class RunJson(TypedDict):
    id: str
    puzzle: Annotated[str, "its id"]
    puzzleTitle: str
    what: What
    unique: Unique
    limit: int | None
    state: State
    solutions: Annotated[int, "found so far"]
    kept: Annotated[int, "of these, those that the server keeps"]
    placements: Annotated[int | None, "solutions in all positions; null: not known"]
    done: Annotated[float | None, "the share of the search that is done, 0 to 1"]
    left: Annotated[float | None, "seconds, by the speed so far"]
    seconds: float
    strategy: str
    why: Annotated[str, "why this strategy, or why there is no solution"]
    error: str | None


class Pausing(TypedDict):
    paused: Annotated[bool, "true: pause the run; false: let it go on"]


class ProgressJson(RunJson):
    board: Annotated[list[int] | None, "the number of the piece on each cell now, -1: none"]
    profile: Annotated[list[list[int]], "for each number of pieces left: it, fits and no-fits"]


class SolutionJson(TypedDict):
    index: int
    owners: Owners
    parts: Annotated[list[int], "the placement that covers each cell, -1: none"]
    symmetric: bool | None


class Solutions(TypedDict):
    total: int
    solutions: list[SolutionJson]


# -- play -----------------------------------------------------------------------------------------


class PlacedJson(TypedDict):
    piece: str
    cells: Places


class AidJson(TypedDict):
    left: Annotated[int, "solutions with the placed pieces where they lie"]
    exact: Annotated[bool, "false: there are at least this many; send the request again"]
    text: Annotated[str, "the same for a reader: at least 120"]
    forced: Annotated[list[PlacedJson], "placements that every solution has"]
    dead: Annotated[list[int], "open cells that nothing can cover"]
    stuck: Annotated[list[str], "pieces that fit nowhere"]
    why: str | None
    different: Annotated[
        int | None, "on the empty board: the solutions that no rotation takes to each other"
    ]
    seconds: float


class HintJson(TypedDict):
    piece: NotRequired[str]
    cells: NotRequired[Places]
    look: NotRequired[Annotated[Places, "where to look first; empty: at the piece"]]
    first: NotRequired[Annotated[str, "why to look there"]]
    undo: NotRequired[list[PlacedJson]]
    why: str
    searching: NotRequired[Annotated[bool, "no solution is known yet: ask again"]]


class FinishJson(TypedDict):
    rest: Annotated[list[PlacedJson] | None, "the placements to add; null: no solution is known"]
    searching: Annotated[bool, "no solution is known yet: ask again"]


# -- what requests send ---------------------------------------------------------------------------


class File(TypedDict, total=False):
    text: Annotated[str, "what the file holds"]
    base64: Annotated[str, "or its bytes"]
    name: Annotated[str, "of the file; its ending tells the format"]


class DraftPiece(TypedDict, total=False):
    name: str
    cells: Cells
    set: str
    low: int
    high: int | None


class Draft(TypedDict):
    title: NotRequired[str]
    lattice: str
    cells: Annotated[list[list[int]], "cells that must be filled"]
    optional: NotRequired[Annotated[list[list[int]], "cells that may stay empty"]]
    pieces: list[DraftPiece]
    reflect: NotRequired[bool | None]


class NewRun(TypedDict):
    puzzle: Annotated[str, "its id"]
    what: NotRequired[What]
    strategy: NotRequired[
        Annotated[
            str | None, "without settings for memory and folders; null: chosen for the puzzle"
        ]
    ]
    unique: NotRequired[Unique]
    limit: NotRequired[Annotated[int | None, "stop after this number of solutions"]]
    seconds: NotRequired[Annotated[float | None, "null: the limit of the server"]]
    seed: NotRequired[Annotated[int | None, "of random choices"]]


class PositionJson(TypedDict):
    puzzle: Annotated[str, "its id"]
    placed: NotRequired[Annotated[list[PlacedJson], "what lies on the board"]]
    seconds: NotRequired[Annotated[float, "that the answer may take"]]


# -- schemas --------------------------------------------------------------------------------------

Schema = dict[str, Any]

SIMPLE = {
    str: "string", int: "integer", float: "number", bool: "boolean", dict: "object",
    NoneType: "null",
}  # fmt: skip


def schema_of(kind: Any) -> Schema:
    """The schema of a type: an object of this module by its name, others in full."""
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if is_typeddict(kind):
        return {"$ref": f"#/components/schemas/{_name_of(kind)}"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return {**schema_of(arguments[0]), "description": arguments[1]}
    if origin is NotRequired:
        return schema_of(arguments[0])
    if origin is Literal:
        return {"enum": [*arguments]}
    if origin is UnionType:
        return {"anyOf": [schema_of(one) for one in arguments]}
    assert origin is list, kind
    return {"type": "array", "items": schema_of(arguments[0])}


def _object(kind: Any) -> Schema:
    """The schema of an object, with its fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        "type": "object",
        "properties": {name: schema_of(one) for name, one in hints.items()},
        "required": [
            name
            for name, one in hints.items()
            if kind.__total__ and get_origin(one) is not NotRequired
        ],
    }


def _name_of(kind: Any) -> str:
    """The name of an object in the interface: `Puzzle` of `PuzzleJson`."""
    return str(kind.__name__).removesuffix("Json")


def schemas() -> dict[str, Schema]:
    """The schema of each object by its name."""
    return {_name_of(kind): _object(kind) for kind in globals().values() if is_typeddict(kind)}
