"""How soon the aid for players says how many solutions are left, after each placement of a game.

    python benchmarks/bench_aid.py
    python benchmarks/bench_aid.py pentominoes_10x6 --games 20 --think 0
    python benchmarks/bench_aid.py --way count --games 2

A game places pieces one after the other: those of a random solution in a random order, and in
every second game, after half of the pieces, any placement that fits. So its positions are those of
players who go right and wrong. Each answer is timed from the question in JSON to the answer in
JSON, until the number is exact.

think  seconds that the player looks at the board before each placement; the aid lists solutions in
       the background meanwhile
way    `aid`: `exactcover.app.aid`; `fresh`: an aid that starts anew for each position, without
       lists of earlier ones; `count`: a count of the puzzle with the pieces placed; `diagram`: a
       diagram of the solutions that have the pieces
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from random import Random
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any

import numpy as np

import exactcover as ec
from exactcover.app.aid.positions import Position
from exactcover.app.serving import advice
from exactcover.app.serving.client_puzzles import ClientPuzzle
from exactcover.formats import Document
from exactcover.puzzle.placed import with_placed

BOARDS = (
    "pentominoes_10x6",
    "pentominoes_square_8x8",
    "pentominoes_8x8_corners",
    "pentominoes_8x8_hole",
)

Move = dict[str, Any]
Count = Callable[[list[Move]], int]


def games(puzzle: ec.Puzzle, number: int, seed: int) -> Iterator[list[Move]]:
    """Random games, each as its placements in order."""
    random = Random(seed)
    solutions = ec.sample(puzzle, number, seed=seed)
    for game, solution in enumerate(solutions):
        options = list(solution.options)
        random.shuffle(options)
        position = Position(puzzle.model)
        moves: list[Move] = []
        for step in range(len(options)):
            option = options[step]
            if game % 2 and step >= len(options) // 2:
                fitting = position.pieces_that_fit.tolist()
                if not fitting:
                    break
                option = random.choice(fitting)
            placement = position.placement(option)
            position = position.with_piece(placement.piece, placement.cells)
            cells = puzzle.space.find(np.array(placement.cells, np.int64)).tolist()
            moves.append({"piece": placement.piece, "cells": cells})
        yield moves


def close_all() -> None:
    while advice.aids:
        advice.aids.popitem()[1].close()


def counter(way: str, puzzle: ec.Puzzle) -> Count:
    """How a way counts what is left."""
    one = ClientPuzzle.of(Document("puzzle", puzzle))

    def by_aid(placed: list[Move]) -> int:
        answer = json.loads(advice.left(one, json.loads(json.dumps(placed)), 5).body)
        assert answer["exact"], answer
        return int(answer["left"])

    def by_fresh_aid(placed: list[Move]) -> int:
        close_all()
        return by_aid(placed)

    def options(placed: list[Move]) -> tuple[int, ...]:
        position = Position(puzzle.model)
        for move in placed:
            position = position.with_piece(
                move["piece"], puzzle.space.cells[move["cells"]].tolist()
            )
        return position.options

    def by_count(placed: list[Move]) -> int:
        return ec.count(with_placed(puzzle.model, options(placed)), counted="all")

    def by_diagram(placed: list[Move]) -> int:
        return ec.diagram(puzzle, chosen=options(placed)).count

    ways = {"aid": by_aid, "fresh": by_fresh_aid, "count": by_count, "diagram": by_diagram}
    return ways[way]


def measure(board: str, way: str, number: int, think: float, seed: int) -> str:
    """The times of the answers on a board, as a line of a table."""
    puzzle = ec.read(board)
    assert isinstance(puzzle, ec.Puzzle)
    count = counter(way, puzzle)
    if way == "aid":  # as the page does when the player opens the puzzle
        count([])
    played = list(games(puzzle, number, seed))
    count(played[0][:1])  # kernels are loaded
    seconds: list[float] = []
    first: list[float] = []
    for moves in played:
        for step in range(1, len(moves) + 1):
            sleep(think)
            began = perf_counter()
            count(moves[:step])
            seconds.append(perf_counter() - began)
            if step == 1:
                first.append(seconds[-1])
    close_all()
    late = sum(one > 0.1 for one in seconds)
    ninth = quantiles(seconds, n=10)[-1]
    figures = (median(seconds), median(first), ninth, max(seconds))
    shown = " ".join(f"{1000 * one:9.2f}" for one in figures)
    return f"{board:26} {way:8} {len(seconds):6} {shown} {late:6}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--way", default="aid", choices=("aid", "fresh", "count", "diagram"))
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--think", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("milliseconds".rjust(60))
    heads = " ".join(f"{one:>9}" for one in ("median", "1st move", "90 %", "worst"))
    print(f"{'board':26} {'way':8} {'moves':>6} {heads} {'> 100':>6}")
    for board in given.boards:
        print(measure(board, given.way, given.games, given.think, given.seed), flush=True)


if __name__ == "__main__":
    main()
