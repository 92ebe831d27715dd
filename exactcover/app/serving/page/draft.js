// A puzzle that is being drawn: what a PUZZLE of the server is as a draft, and what the server takes of one.

import { History } from "./history.js"

export const keyOf = (cell) => cell.join(",")
const cellOf = (key) => key.split(",").map(Number)

/** An empty draft on a lattice. */
export function emptyDraft(lattice) {
  return { title: "", lattice, cells: {}, pieces: [], reflect: true }
}

/** The draft that a PUZZLE of the server is. */
export function draftOf(puzzle) {
  const optional = new Set(puzzle.secondary)
  const cells = {}
  puzzle.board.cells.forEach((cell, place) => (cells[keyOf(cell)] = optional.has(place) ? "optional" : "filled"))
  const pieces = puzzle.pieces.map(({ name, cells: own, low, high, colour, dyed }) =>
    ({ name, cells: own, low, high, colour: dyed ? colour : null }))
  return { title: puzzle.title, lattice: puzzle.lattice, cells, pieces, reflect: puzzle.reflect }
}

/** What `POST /draft` takes. */
export function asked(draft) {
  const of = (state) => Object.keys(draft.cells).filter((key) => draft.cells[key] === state).map(cellOf)
  return { title: draft.title, lattice: draft.lattice, cells: of("filled"), optional: of("optional"), pieces: draft.pieces, reflect: draft.reflect }
}

/** What is stored of {history, drawnOn: state -> its BOARD}: all states, or only the latest. */
export function stored({ history, drawnOn }, all) {
  const { states, at } = all ? history.steps : { states: [history.state], at: 0 }
  const own = states.map((state) => drawnOn.get(state))
  const different = [...new Set(own)]
  return { states, at, boards: different, own: own.map((board) => different.indexOf(board)) }
}

export function restored({ states, at, boards, own }) {
  return {
    history: new History(states, () => {}, at),
    drawnOn: new WeakMap(states.map((state, place) => [state, boards[own[place]]])),
  }
}
