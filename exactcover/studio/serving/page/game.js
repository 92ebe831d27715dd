// A game: the pieces placed so far, with undo and redo, and what the browser keeps of it.

import { History } from "./history.js"
import { keep, kept } from "./parts.js"

const MOST = 20 // games that are kept

export class Game extends History {
  /** moved(): called after each move. */
  constructor(puzzle, moved) {
    const old = kept("games")?.find(({ id }) => id === idOf(puzzle))
    super(old?.states ?? [[]], moved, old?.at)
    this.puzzle = puzzle
    this.optional = new Set(puzzle.secondary)
    const numbers = new Map(puzzle.board.cells.map((cell, number) => [String(cell), number]))
    this.movable = puzzle.pieces.filter((piece) => !piece.stationary)
    this.fixed = new Map() // cell -> the stationary piece that lies there
    for (const piece of puzzle.pieces) {
      if (piece.stationary) for (const cell of piece.cells) this.fixed.set(numbers.get(String(cell)), piece)
    }
  }

  /** [{piece: name, cells: [numbers]}], in the order of the moves. */
  get placed() {
    return this.state
  }

  /** The number of the placed piece that covers each cell; -1 where none does. */
  owners() {
    const owners = this.puzzle.board.cells.map(() => -1)
    this.placed.forEach(({ cells }, number) => cells.forEach((cell) => (owners[cell] = number)))
    return owners
  }

  #copies(piece) {
    return this.placed.filter((one) => one.piece === piece.name).length
  }

  /** How many copies of a piece are not placed; Infinity if there are any number. */
  left(piece) {
    return (piece.high ?? Infinity) - this.#copies(piece)
  }

  /** Whether as many cells are empty, and as many pieces placed, as in a solution. */
  get full() {
    const bare = [...this.owners().entries()].filter(([cell, owner]) => owner < 0 && !this.fixed.has(cell))
    const [low, high] = this.puzzle.empty
    return bare.every(([cell]) => this.optional.has(cell)) && bare.length >= low && bare.length <= high
      && this.movable.every((piece) => this.#copies(piece) >= piece.low)
      && (this.placed.length > 0 || !this.movable.length)
  }

  place(piece, cells) {
    this.go([...this.placed, { piece, cells }])
  }

  /** Take away the placed pieces with these numbers. */
  remove(...numbers) {
    this.go(this.placed.filter((_, number) => !numbers.includes(number)))
  }

  /** Move a placed piece elsewhere, as one step of the history. */
  shift(number, cells) {
    const { piece } = this.placed[number]
    this.go([...this.placed.toSpliced(number, 1), { piece, cells }])
  }

  /** Place these pieces instead of all that lie on the board. */
  arrange(placed) {
    if (JSON.stringify(placed) !== JSON.stringify(this.placed)) this.go(placed)
  }

  /** Begin again with nothing to undo. */
  begin(placed = []) {
    Object.assign(this, { states: [], at: -1 })
    this.go(placed)
  }

  /** Let the browser keep the game; the oldest go when there are too many, or more than it keeps. */
  save() {
    const { states, at, puzzle } = this
    const others = (kept("games") ?? []).filter(({ id }) => id !== idOf(puzzle))
    const games = states.length > 1 || states[0].length ? [{ id: idOf(puzzle), states, at }, ...others].slice(0, MOST) : others
    while (!keep("games", games) && games.length) games.pop()
  }
}

const idOf = ({ id, text }) => id ?? text
