// A game: the pieces placed so far, with undo and redo. A move makes a new list, so lists can be kept.

export class Game extends EventTarget {
  placed = [] // [{piece: name, cells: [numbers]}], in the order of the moves
  #before = []
  #after = []

  /** steps: {placed, before, after} of a game that goes on. */
  constructor(puzzle, steps = null) {
    super()
    if (steps) {
      this.placed = steps.placed
      this.#before = steps.before
      this.#after = steps.after
    }
    this.puzzle = puzzle
    this.optional = new Set(puzzle.secondary)
  }

  /** The number of the placed piece that covers each cell; -1 where none does. */
  owners() {
    const owners = this.puzzle.board.cells.map(() => -1)
    this.placed.forEach(({ cells }, number) => cells.forEach((cell) => (owners[cell] = number)))
    return owners
  }

  /** How many copies of a piece are not placed; Infinity if there are any number. */
  left(piece) {
    const high = piece.high ?? Infinity
    return high - this.placed.filter((one) => one.piece === piece.name).length
  }

  /** Whether every cell that must be filled is filled, and every piece that must be placed is. */
  get full() {
    const owners = this.owners()
    const isPlaced = (piece) => (piece.high ?? Infinity) - this.left(piece) >= (piece.low ?? 1)
    return owners.every((owner, cell) => owner >= 0 || this.fixed?.has(cell) || this.optional.has(cell))
      && this.movable.every(isPlaced)
  }

  /** The pieces that the player may place. */
  get movable() {
    return this.puzzle.pieces.filter((piece) => !piece.stationary)
  }

  place(piece, cells) {
    this.#move([...this.placed, { piece, cells }])
  }

  /** Take away the placed pieces with these numbers. */
  remove(...numbers) {
    this.#move(this.placed.filter((_, number) => !numbers.includes(number)))
  }

  /** Move a placed piece elsewhere, as one step of the history. */
  shift(number, cells) {
    const { piece } = this.placed[number]
    this.#move([...this.placed.filter((_, other) => other !== number), { piece, cells }])
  }

  clear() {
    if (this.placed.length) this.#move([])
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
    if (JSON.stringify(placed) !== JSON.stringify(this.placed)) this.#move(placed)
  }

  /** The position, and those before it, the latest first. */
  get earlier() {
    return [this.placed, ...this.#before.toReversed()]
  }

  /** Begin again, with nothing to undo. */
  begin(placed) {
    this.#before = []
    this.#after = []
    this.#show(placed)
  }

  get steps() {
    return { placed: this.placed, before: this.#before, after: this.#after }
  }

  get canUndo() {
    return this.#before.length > 0
  }

  get canRedo() {
    return this.#after.length > 0
  }

  undo(steps = 1) {
    if (steps > this.#before.length || !steps) return
    let { placed } = this
    for (let step = 0; step < steps; step++) {
      this.#after.push(placed)
      placed = this.#before.pop()
    }
    this.#show(placed)
  }

  redo() {
    if (!this.canRedo) return
    this.#before.push(this.placed)
    this.#show(this.#after.pop())
  }

  #move(placed) {
    this.#before.push(this.placed)
    this.#after = []
    this.#show(placed)
  }

  #show(placed) {
    this.placed = placed
    this.dispatchEvent(new Event("move"))
  }
}
