// The piece in the player's hand: its orientations, how it turns, and where it would lie.
//
// An orientation is a set of places of a piece that differ by a translation. So the hand works on every
// lattice: it needs no rule but the list of places.

const TURNS = [60, 90, 120, 180, 240, 270, 300]
const NEAR = 0.02 // two points of a drawing are the same if they are this near

/** The orientations of a piece, from its places: each {places: [{cells, anchor}], points}. */
export function orientationsOf(places, puzzle, shapes) {
  const { cells } = puzzle.board
  const flat = puzzle.board.layers.length === 1
  const groups = new Map()
  for (const place of places) {
    const sorted = [...place].sort((a, b) => compare(cells[a], cells[b]))
    const form = formOf(sorted.map((cell) => cells[cell]), puzzle.dimension)
    if (!groups.has(form)) groups.set(form, { form, middle: middleOf(sorted, shapes), places: [], points: null })
    const group = groups.get(form)
    group.places.push({ cells: place, anchor: sorted[group.middle] })
    if (flat) group.points ??= pointsOf(place, shapes)
  }
  return [...groups.values()]
}

/** Ascending cells, moved to the origin, as a text. */
function formOf(cells, dimension) {
  const [first] = cells
  return JSON.stringify(cells.map((cell) => cell.map((x, axis) => (axis < dimension ? x - first[axis] : x))))
}

/** Which cell of a piece is in its middle: the one nearest to all others. */
function middleOf(cells, shapes) {
  const far = (a) => cells.reduce((sum, b) => sum + apart(shapes[a], shapes[b]), 0)
  return cells.reduce((best, cell, place) => (far(cell) < far(cells[best]) - NEAR ? place : best), 0)
}

const apart = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) + 100 * Math.abs(a.layer - b.layer)

/** The middles of cells around their mean. */
function pointsOf(cells, shapes) {
  const mean = (name) => cells.reduce((sum, cell) => sum + shapes[cell][name], 0) / cells.length
  const [x, y] = [mean("x"), mean("y")]
  return cells.map((cell) => [shapes[cell].x - x, shapes[cell].y - y])
}

function compare(a, b) {
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return a[axis] - b[axis]
  return 0
}

const same = (some, others) =>
  some.every(([x, y]) => others.some(([u, v]) => Math.abs(x - u) < NEAR && Math.abs(y - v) < NEAR))

export class Hand {
  piece = null
  orientations = []
  at = 0 // the orientation
  from = -1 // the number of the placed piece that was picked up; -1: it comes from the tray

  get empty() {
    return this.piece === null
  }

  /** Take a piece in the orientation that is drawn, or in that of `like`, a list of cells. */
  take(piece, orientations, dimension, { like = null, from = -1 } = {}) {
    const key = like && String([...like].sort())
    const form = formOf([...piece.cells].sort(compare), dimension)
    const at = orientations.findIndex((one) => (like ? one.places.some((place) => String([...place.cells].sort()) === key) : one.form === form))
    Object.assign(this, { piece, orientations, from, at: Math.max(0, at) })
  }

  drop() {
    Object.assign(this, { piece: null, orientations: [], from: -1 })
  }

  get orientation() {
    return this.orientations[this.at] ?? null
  }

  /** Turn it clockwise (1) or back (-1), to the next orientation that the board has. */
  turn(way = 1) {
    const angle = TURNS.find((one) => this.#turnedBy(way * one) >= 0)
    this.#go(angle === undefined ? -1 : this.#turnedBy(way * angle), way)
  }

  /** Turn it over; on boards of layers, go back to the orientation before. */
  flip() {
    const { points } = this.orientation
    this.#go(points ? this.#find(points.map(([x, y]) => [-x, y])) : -1, -1)
  }

  #go(found, otherwise) {
    const many = this.orientations.length
    this.at = found >= 0 ? found : this.orientation.points ? this.at : (this.at + otherwise + many) % many
  }

  #turnedBy(degrees) {
    const { points } = this.orientation
    if (!points) return -1
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    const found = this.#find(points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]))
    return found === this.at ? -1 : found
  }

  #find(points) {
    return this.orientations.findIndex((one) => one.points && same(points, one.points))
  }

  /**
   * Where it would lie with its middle on a cell, or as near as it fits: {cells, fits}; without a cell, or
   * where this orientation has no place over it, null.
   */
  over(cell, isFree, shapes) {
    if (this.empty || cell < 0 || !this.orientation) return null
    const near = this.orientation.places
      .filter((place) => place.cells.includes(cell))
      .sort((a, b) => apart(shapes[a.anchor], shapes[cell]) - apart(shapes[b.anchor], shapes[cell]))
    const found = near.find((place) => place.cells.every(isFree))
    if (found) return { cells: found.cells, fits: true }
    return { cells: near[0]?.cells ?? [cell], fits: false }
  }
}
