// A puzzle that is being drawn: every change makes a new state, so that each can be undone.

const MOST = 300 // states that are kept

export const keyOf = (cell) => cell.join(",")
const cellOf = (key) => key.split(",").map(Number)

/** An empty draft on a lattice. */
export function emptyDraft(lattice) {
  return { title: "", lattice, cells: {}, pieces: [], reflect: true }
}

/** The draft that a PUZZLE of the server is. */
export function draftOf(puzzle) {
  const optional = new Set(puzzle.secondary ?? [])
  const cells = {}
  puzzle.board.cells.forEach((cell, place) => (cells[keyOf(cell)] = optional.has(place) ? "optional" : "filled"))
  const pieces = puzzle.pieces.map(({ name, cells: own, low, high, colour, dyed }) =>
    ({ name, cells: own, low: low ?? 1, high: high ?? null, colour: dyed ? colour : null }))
  return { title: puzzle.title ?? "", lattice: puzzle.lattice, cells, pieces, reflect: puzzle.reflect ?? true }
}

/** What `POST /draft` takes. */
export function asked(draft) {
  const of = (state) => Object.keys(draft.cells).filter((key) => draft.cells[key] === state).map(cellOf)
  return { title: draft.title, lattice: draft.lattice, cells: of("filled"), optional: of("optional"), pieces: draft.pieces, reflect: draft.reflect }
}

/** The states of a draft, with the way back and forth. */
export class History {
  constructor(state, changed) {
    this.states = [state]
    this.at = 0
    this.changed = changed
  }

  get state() {
    return this.states[this.at]
  }

  /** A new state with these parts changed; `joined`: it belongs to the step before, as in a stroke. */
  change(parts, joined = false) {
    const next = { ...this.state, ...parts }
    if (joined && this.at > 0) {
      this.states.length = this.at + 1
      this.states[this.at] = next
    } else {
      this.states.length = this.at + 1
      this.states.push(next)
      if (this.states.length > MOST) this.states.shift()
      this.at = this.states.length - 1
    }
    this.changed()
  }

  get canUndo() {
    return this.at > 0
  }

  get canRedo() {
    return this.at < this.states.length - 1
  }

  step(by) {
    const to = this.at + by
    if (to < 0 || to >= this.states.length) return false
    this.at = to
    this.changed()
    return true
  }
}
