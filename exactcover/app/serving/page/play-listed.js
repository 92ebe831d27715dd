// The aid of a player: answers from the list of solutions that the page holds.
//
// A list that is not complete gives hints, and no count. A position has no solution for one of these
// reasons: a piece fits nowhere, a cell has no placement, the pieces left cannot make up the size of an
// enclosed area, or every way to go on was tried.
//
// places  (piece name): where the piece can lie on the empty board
// left    (placed): what is left: {left, exact, text, partial, forced, dead, stuck, why, different}
// hint    (placed): the next step: {piece, cells, look, first, why}, or {undo, why}
// finish  (placed): the placements that complete it, or null

import { number, plural } from "./parts.js"
import { readSolutions } from "./play-solutions.js"

const CONCLUDED = "Every way to go on was tried, and none leads to a solution."
const MANY = 4 // cells that a sentence names

export async function listedAid(puzzle, data) {
  return new Listed(puzzle, await readSolutions(data))
}

class Listed {
  constructor(puzzle, list) {
    this.puzzle = puzzle
    this.list = list
    this.shapeOf = new Map(list.pieces.flatMap((members, shape) => members.map(([name]) => [name, shape])))
    this.bounds = list.pieces.map((members) => [
      members.reduce((sum, [, low]) => sum + low, 0),
      members.reduce((sum, [, , high]) => sum + (high ?? Infinity), 0),
    ])
    this.optional = new Set(puzzle.secondary)
    this.stationary = new Set(list.stationary.flat())
    this.number = new Map(list.places.map((cells, place) => [keyOf(list.shapes[place], cells), place]))
    this.partial = list.complete ? null
      : list.rows.length ? `This page holds the first ${plural(list.rows.length, "solution")}, not all, so it does not count.`
        : "No solution was found in time, so this page neither counts nor says where a piece goes."
  }

  places(name) {
    const shape = this.shapeOf.get(name)
    return this.list.places.filter((_, place) => this.list.shapes[place] === shape)
  }

  left(placed) {
    const position = this.#position(placed)
    const why = this.#simpleReason(position)
    const rows = why ? [] : this.#rowsWith(position.chosen)
    const exact = Boolean(why) || this.list.complete
    const through = this.#countThrough(rows)
    const forced = exact
      ? [...through.keys()].filter((place) => rows.length && through[place] === rows.length && !position.chosen.includes(place))
      : this.#forcedByPlaces(position)
    const solving = exact && rows.length ? position.fitting.filter((place) => through[place]) : position.fitting
    const reached = new Set(solving.flatMap((place) => this.list.places[place]))
    return {
      left: rows.length,
      exact,
      text: exact ? `${rows.length ? plural(rows.length, "solution") : "no solution"} left` : this.partial,
      partial: exact ? null : this.partial,
      forced: this.#named(position, forced),
      dead: this.#open(position).filter((cell) => !reached.has(cell)),
      stuck: this.#stuck(position).flatMap((shape) => this.#missingNames(position, shape)),
      why,
      different: placed.length || !exact || !rows.length ? null : this.list.different,
    }
  }

  hint(placed) {
    const position = this.#position(placed)
    const why = this.#simpleReason(position)
    const rows = why ? [] : this.#rowsWith(position.chosen)
    if (rows.length) return this.#placing(position, rows)
    const reason = why ?? (this.list.complete
      ? CONCLUDED
      : this.list.rows.length ? "None of the solutions that this page holds goes on from here. Another one may."
        : "This page knows no solution of the puzzle.")
    return this.#takingBack(position, reason)
  }

  finish(placed) {
    const position = this.#position(placed)
    const [row] = this.#simpleReason(position) ? [] : this.#rowsWith(position.chosen)
    const rest = row?.filter((place) => !position.chosen.includes(place))
    return rest ? this.#named(position, rest) : null
  }

  /** Pieces, drawn by chance, with which one solution is left; none where there is no such game. */
  startWithOne() {
    const { rows } = this.list
    if (!this.list.complete || rows.length < 2) return []
    const row = rows[Math.floor(Math.random() * rows.length)].map((place) => [Math.random(), place])
    const given = []
    for (const [, place] of row.sort(([a], [b]) => a - b)) {
      given.push(place)
      if (this.#rowsWith(given).length === 1) break
    }
    return given.length < row.length ? this.#named({ placed: [] }, given) : []
  }

  // -- positions --------------------------------------------------------------------------------

  /** The numbers of the placements, what they cover, the copies of each shape, and what fits besides. */
  #position(placed) {
    const { places, shapes, extra } = this.list
    const chosen = placed.map(({ piece, cells }) => this.number.get(keyOf(this.shapeOf.get(piece), cells)) ?? -1)
    const covered = new Set(placed.flatMap(({ cells }) => cells))
    const copies = this.bounds.map(() => 0)
    for (const { piece } of placed) copies[this.shapeOf.get(piece)]++
    const settled = new Map() // a further item that is taken -> its colour, 0: none
    for (const place of chosen) {
      const items = extra[place] ?? []
      for (let at = 0; at < items.length; at += 2) settled.set(items[at], items[at + 1])
    }
    const agrees = (items) => {
      for (let at = 0; at < items.length; at += 2) {
        const colour = settled.get(items[at])
        if (colour !== undefined && (colour === 0 || colour !== items[at + 1])) return false
      }
      return true
    }
    const fitting = [...places.keys()].filter((place) =>
      copies[shapes[place]] < this.bounds[shapes[place]][1]
      && !places[place].some((cell) => covered.has(cell))
      && agrees(extra[place] ?? []))
    return { placed, chosen, covered, copies, fitting }
  }

  #rowsWith(chosen) {
    return this.list.rows.filter((row) => chosen.every((place) => row.includes(place)))
  }

  #countThrough(rows) {
    const through = new Uint32Array(this.list.places.length)
    for (const row of rows) for (const place of row) through[place]++
    return through
  }

  #open({ covered }) {
    return [...this.puzzle.board.cells.keys()].filter((cell) => !covered.has(cell) && !this.stationary.has(cell))
  }

  #missing({ copies }, shape) {
    return Math.max(0, this.bounds[shape][0] - copies[shape])
  }

  #byShape(places) {
    const numbers = this.bounds.map(() => 0)
    for (const place of places) numbers[this.list.shapes[place]]++
    return numbers
  }

  #coverers(places) {
    const numbers = this.puzzle.board.cells.map(() => 0)
    for (const place of places) for (const cell of this.list.places[place]) numbers[cell]++
    return numbers
  }

  #stuck(position) {
    const numbers = this.#byShape(position.fitting)
    return [...numbers.keys()].filter((shape) => numbers[shape] < this.#missing(position, shape))
  }

  #missingNames({ placed }, shape) {
    return this.list.pieces[shape]
      .filter(([name, low]) => placed.filter((one) => one.piece === name).length < low)
      .map(([name]) => name)
  }

  /** Placements that all go together, each with a piece of its shape that is left. */
  #named({ placed }, places) {
    const after = placed.map(({ piece }) => piece)
    return places.map((place) => {
      const members = this.list.pieces[this.list.shapes[place]]
      const used = (name) => after.filter((one) => one === name).length
      const [piece] = members.find(([name, low]) => used(name) < low)
        ?? members.find(([name, , high]) => used(name) < (high ?? Infinity)) ?? members[0]
      after.push(piece)
      return { piece, cells: this.list.places[place] }
    })
  }

  /** Placements that a cell or a piece needs, since it has no other place. */
  #forcedByPlaces(position) {
    const coverers = this.#coverers(position.fitting)
    const single = new Set(this.#open(position).filter((cell) => coverers[cell] === 1 && !this.optional.has(cell)))
    const numbers = this.#byShape(position.fitting)
    return position.fitting.filter((place) => {
      const shape = this.list.shapes[place]
      return this.list.places[place].some((cell) => single.has(cell))
        || numbers[shape] === this.#missing(position, shape)
    })
  }

  // -- reasons ----------------------------------------------------------------------------------

  #simpleReason(position) {
    const { why, pieces } = this.list
    if (why) return `The puzzle has no solution: ${why}.`
    if (position.chosen.includes(-1)) return "A piece lies where the puzzle does not allow it."
    const [stuck] = this.#stuck(position)
    if (stuck !== undefined) {
      const places = this.#byShape(position.fitting)[stuck]
      const title = pieces[stuck].map(([name]) => name).join(", ")
      return places
        ? `Only ${plural(places, "place")} left for ${this.#missing(position, stuck)} copies of the piece ${title}.`
        : `The piece ${title} fits nowhere.`
    }
    const coverers = this.#coverers(position.fitting)
    const bare = this.#open(position).filter((cell) => !coverers[cell] && !this.optional.has(cell))
    if (bare.length) return `No piece that is left can cover ${this.#cells(bare)}.`
    for (const area of this.#areas(position)) {
      if (this.#sizesFit(position, area)) continue
      const amount = area.must === area.cells.length ? `${area.must} cells` : `${area.must} to ${area.cells.length} of them`
      return `The area of ${area.cells.length} cells with ${this.#cells(area.cells.slice(0, 1))} is enclosed, `
        + `and no choice of the pieces left fills ${amount}.`
    }
    return null
  }

  /** The enclosed parts of the board that have a cell to fill, the smallest first. */
  #areas(position) {
    const root = [...this.puzzle.board.cells.keys()]
    const find = (cell) => {
      while (root[cell] !== cell) cell = root[cell] = root[root[cell]]
      return cell
    }
    for (const place of position.fitting) {
      const [first, ...others] = this.list.places[place]
      for (const cell of others) root[find(cell)] = find(first)
    }
    const areas = new Map()
    const areaOf = (cell) => {
      const home = find(cell)
      if (!areas.has(home)) areas.set(home, { cells: [], must: 0, places: [] })
      return areas.get(home)
    }
    for (const cell of this.#open(position)) {
      const area = areaOf(cell)
      area.cells.push(cell)
      if (!this.optional.has(cell)) area.must++
    }
    for (const place of position.fitting) areaOf(this.list.places[place][0]).places.push(place)
    return [...areas.values()].filter(({ must }) => must).sort((a, b) => a.cells.length - b.cells.length)
  }

  /** Whether some choice of the pieces left has a size that fills the area. */
  #sizesFit({ copies }, { cells, must, places }) {
    const most = cells.length
    let totals = new Set([0])
    const sizes = new Map(places.map((place) => [this.list.shapes[place], this.list.places[place].length]))
    for (const [shape, size] of sizes) {
      const room = Math.min(this.bounds[shape][1] - copies[shape], Math.floor(most / size))
      const after = new Set()
      for (const total of totals) {
        for (let number = 0; number <= room && total + number * size <= most; number++) after.add(total + number * size)
      }
      totals = after
    }
    return [...totals].some((total) => total >= must)
  }

  #cells(numbers) {
    const shown = numbers.slice(0, MANY).map((cell) => this.#point(cell)).join(", ")
    return `the cell${numbers.length > 1 ? "s" : ""} ${shown}${numbers.length > MANY ? ", ..." : ""}`
  }

  #point(cell) {
    return `(${this.puzzle.board.cells[cell].join(", ")})`
  }

  // -- hints ------------------------------------------------------------------------------------

  /** A placement of a known solution, at the place with the fewest choices. */
  #placing(position, rows) {
    const through = this.#countThrough(rows)
    const solving = position.fitting.filter((place) => through[place])
    if (!solving.length) return { undo: [], why: "The puzzle is solved." }
    const narrow = this.#narrowest(position, solving)
    const best = narrow.solving.reduce((a, b) => (through[b] > through[a] ? b : a))
    const { choices, place, cell } = narrow
    const fewest = `${place} has ${choices} placements left, the fewest.`
    const every = rows.length > 1 ? "every solution" : "the only solution"
    const share = !this.list.complete ? "This one is in a solution."
      : through[best] === rows.length ? `This one is in ${every} that is left.`
        : `This one is in ${number(through[best])} of the ${number(rows.length)} solutions left.`
    return {
      ...this.#named(position, [best])[0],
      look: cell === null ? [] : [cell],
      first: !place ? "Every cell may stay empty, so no place is better than another."
        : choices === 1 ? `${place} has only one placement left.` : fewest,
      why: choices === 1 ? `${place} has no other placement.` : place ? `${fewest} ${share}` : share,
    }
  }

  #narrowest(position, solving) {
    const [fitting, wanted] = [this.#coverers(position.fitting), this.#coverers(solving)]
    const cells = this.#open(position).filter((cell) => wanted[cell] && !this.optional.has(cell))
    const numbers = this.#byShape(position.fitting)
    const shapes = [...new Set(solving.map((place) => this.list.shapes[place]))].sort((a, b) => a - b)
      .filter((shape) => [1, numbers[shape]].includes(this.#missing(position, shape)))
    const least = (all, choices) => all.reduce((a, b) => (a === null || choices(b) < choices(a) ? b : a), null)
    const cell = least(cells, (one) => fitting[one])
    const shape = least(shapes, (one) => numbers[one])
    if (shape !== null && (cell === null || numbers[shape] < fitting[cell])) {
      const own = solving.filter((place) => this.list.shapes[place] === shape)
      return { choices: numbers[shape], place: `The piece ${this.#named(position, [own[0]])[0].piece}`, solving: own, cell: null }
    }
    if (cell === null) return { choices: 0, place: "", solving, cell: null }
    const over = solving.filter((place) => this.list.places[place].includes(cell))
    return { choices: fitting[cell], place: `The cell ${this.#point(cell)}`, solving: over, cell }
  }

  /** The pieces to take back: all but the most that one solution has. */
  #takingBack({ placed, chosen }, why) {
    let kept = null
    for (const row of this.list.rows) {
      const common = chosen.filter((place) => row.includes(place))
      if (kept === null || common.length > kept.length) kept = common
    }
    if (kept === null) return { undo: [], why }
    const undo = placed.filter((_, number) => !kept.includes(chosen[number]))
    if (!undo.length) return { undo, why }
    const names = undo.length < 3 ? undo.map(({ piece }) => piece).join(" and ") : `${undo.length} pieces`
    const fewer = this.list.complete && undo.length > 1 ? " No smaller number of pieces helps." : ""
    return { undo, why: `${why} Take back ${names}.${fewer}` }
  }
}

const keyOf = (shape, cells) => `${shape}:${[...cells].sort((a, b) => a - b).join()}`
