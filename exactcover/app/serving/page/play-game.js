// A game: the pieces placed so far, with undo and redo. A move makes a new list, so lists can be kept.

import { History } from "./history.js"

export class Game extends History {
  /** steps: those of a game that goes on; moved(): called after each move. */
  constructor(puzzle, steps = null, moved = () => {}) {
    super(steps?.states ?? [[]], moved, steps?.at)
    this.puzzle = puzzle
    this.optional = new Set(puzzle.secondary)
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

  /** How many copies of a piece are placed. */
  #copies(piece) {
    return this.placed.filter((one) => one.piece === piece.name).length
  }

  /** How many copies of a piece are not placed; Infinity if there are any number. */
  left(piece) {
    return (piece.high ?? Infinity) - this.#copies(piece)
  }

  /** Whether as many cells are empty, and as many pieces placed, as in a solution. An empty board that may stay so is none. */
  get full() {
    const bare = [...this.owners().entries()].filter(([cell, owner]) => owner < 0 && !this.fixed?.has(cell))
    const [low, high] = this.puzzle.empty
    return bare.every(([cell]) => this.optional.has(cell)) && bare.length >= low && bare.length <= high
      && this.movable.every((piece) => this.#copies(piece) >= piece.low)
      && (this.placed.length > 0 || !this.movable.length)
  }

  /** The pieces that the player may place. */
  get movable() {
    return this.puzzle.pieces.filter((piece) => !piece.stationary)
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

  /** Whether these are pieces of the puzzle on its cells, each cell covered once. */
  allows(placed) {
    const names = new Set(this.movable.map(({ name }) => name))
    const isCell = (cell) => Number.isInteger(cell) && cell >= 0 && cell < this.puzzle.board.cells.length
    if (!Array.isArray(placed) || !placed.every((one) => names.has(one?.piece) && Array.isArray(one.cells))) return false
    const cells = placed.flatMap((one) => one.cells)
    return cells.every(isCell) && new Set(cells).size === cells.length
  }

  /** Place these pieces instead of all that lie on the board. */
  arrange(placed) {
    if (JSON.stringify(placed) !== JSON.stringify(this.placed)) this.go(placed)
  }

  /** The position, and those before it, the latest first. */
  get earlier() {
    return this.states.slice(0, this.at + 1).reverse()
  }

  /** Begin again with these pieces on the board, and with nothing to undo. */
  begin(placed) {
    Object.assign(this, { states: [], at: -1 })
    this.go(placed)
  }
}
