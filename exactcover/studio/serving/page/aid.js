// The player's aid: what is left, and hints, from the list of solutions that the page holds.
//
// A list that is not complete gives hints, and no count; then `count`, where there is a server, tells how
// many solutions are left. A position has no solution for one of these reasons: a piece fits nowhere, a
// cell has no placement, the pieces left cannot make up the size of an enclosed area, or every way to go
// on was tried.

import { unpacked } from "./packing.js"
import { plural } from "./parts.js"

/** The aid for a puzzle from the data of `exactcover/studio/playing.py`. */
export async function aidOf(puzzle, data, count = null) {
  const [places, rows] = await Promise.all([parted(data.sizes, data.cells), parted(data.lengths, data.rows)])
  return new Aid(puzzle, { ...data, places, rows, shapes: Array.from(await numbers(data.shapes)) }, count)
}

/** An array in parts of these lengths. */
async function parted(lengths, packed) {
  const whole = await numbers(packed)
  let at = 0
  return Array.from(await numbers(lengths), (length) => Array.from(whole.subarray(at, (at += length))))
}

async function numbers({ type, deflated }) {
  return new globalThis[`${type}Array`]((await unpacked(deflated)).buffer)
}

const keyOf = (shape, cells) => `${shape}:${[...cells].sort((a, b) => a - b).join()}`

class Aid {
  constructor(puzzle, list, count) {
    Object.assign(this, { puzzle, list, count })
    this.shapeOf = new Map(list.pieces.flatMap((members, shape) => members.map(([name]) => [name, shape])))
    this.bounds = list.pieces.map((members) => [
      members.reduce((sum, [, low]) => sum + low, 0),
      members.reduce((sum, [, , high]) => sum + (high ?? Infinity), 0),
    ])
    this.optional = new Set(puzzle.secondary)
    this.stationary = new Set(list.stationary.flat())
    this.number = new Map(list.places.map((cells, place) => [keyOf(list.shapes[place], cells), place]))
  }

  /** Where a piece can lie on the empty board. */
  places(name) {
    const shape = this.shapeOf.get(name)
    return this.list.places.filter((_, place) => this.list.shapes[place] === shape)
  }

  /** What is left: {left, why, look, forced, dead, stuck}; left is null where it is not known. */
  left(placed) {
    const position = this.#position(placed)
    const { why = null, look = [] } = this.#reason(position) ?? {}
    const rows = why ? [] : this.#rowsWith(position.chosen)
    const exact = Boolean(why) || this.list.complete
    const through = this.#countThrough(rows)
    const forced = exact && rows.length
      ? [...through.keys()].filter((place) => through[place] === rows.length && !position.chosen.includes(place)) : []
    const solving = exact && rows.length ? position.fitting.filter((place) => through[place]) : position.fitting
    const reached = new Set(solving.flatMap((place) => this.list.places[place]))
    return {
      left: exact ? rows.length : null, why, look,
      forced: this.#named(position, forced),
      dead: this.#open(position).filter((cell) => !reached.has(cell) && !this.optional.has(cell)),
      stuck: this.#stuck(position).flatMap((shape) => this.#missingNames(position, shape)),
    }
  }

  /** The next step: {piece, cells, look, first, why}, or {undo, why, look}. */
  hint(placed) {
    const position = this.#position(placed)
    const found = this.#reason(position)
    const rows = found ? [] : this.#rowsWith(position.chosen)
    if (rows.length) return this.#placing(position, rows)
    const why = found?.why ?? (this.list.complete ? "No solution has these pieces where they are."
      : this.list.rows.length ? "None of the known solutions has these pieces where they are. Another one may." : "No solution of this puzzle is known.")
    return { look: [], ...this.#takingBack(position, why), ...(found ? { look: found.look } : {}) }
  }

  /** The placements that complete a position, or null. */
  finish(placed) {
    const position = this.#position(placed)
    const [row] = this.#reason(position) ? [] : this.#rowsWith(position.chosen)
    const rest = row?.filter((place) => !position.chosen.includes(place))
    return rest ? this.#named(position, rest) : null
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
    const pairs = (place) => (extra[place] ?? []).flatMap((item, at, all) => (at % 2 ? [] : [[item, all[at + 1]]]))
    for (const place of chosen) for (const [item, colour] of pairs(place)) settled.set(item, colour)
    const agrees = (place) => pairs(place).every(([item, colour]) =>
      !settled.has(item) || (settled.get(item) !== 0 && settled.get(item) === colour))
    const fitting = [...places.keys()].filter((place) =>
      copies[shapes[place]] < this.bounds[shapes[place]][1] && !places[place].some((cell) => covered.has(cell)) && agrees(place))
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
    const many = this.bounds.map(() => 0)
    for (const place of places) many[this.list.shapes[place]]++
    return many
  }

  #coverers(places) {
    const many = this.puzzle.board.cells.map(() => 0)
    for (const place of places) for (const cell of this.list.places[place]) many[cell]++
    return many
  }

  #stuck(position) {
    const many = this.#byShape(position.fitting)
    return [...many.keys()].filter((shape) => many[shape] < this.#missing(position, shape))
  }

  #missingNames({ placed }, shape) {
    return this.list.pieces[shape].filter(([name, low]) => placed.filter((one) => one.piece === name).length < low).map(([name]) => name)
  }

  /** Placements that all go together, each with a piece of its shape that is left. */
  #named({ placed }, places) {
    const after = placed.map(({ piece }) => piece)
    return places.map((place) => {
      const members = this.list.pieces[this.list.shapes[place]]
      const used = (name) => after.filter((one) => one === name).length
      const [piece] = members.find(([name, low]) => used(name) < low) ?? members.find(([name, , high]) => used(name) < (high ?? Infinity)) ?? members[0]
      after.push(piece)
      return { piece, cells: this.list.places[place] }
    })
  }

  // -- reasons ----------------------------------------------------------------------------------

  /** Why a position has no solution, if that can be seen: {why, look}; or null. */
  #reason(position) {
    const { why, pieces } = this.list
    if (why) return { why: `The puzzle has no solution: ${why}.`, look: [] }
    if (position.chosen.includes(-1)) return { why: "A piece lies where the puzzle does not allow it.", look: [] }
    const [stuck] = this.#stuck(position)
    if (stuck !== undefined) {
      const places = this.#byShape(position.fitting)[stuck]
      const title = pieces[stuck].map(([name]) => name).join(", ")
      return { look: [], why: places ? `Only ${plural(places, "place")} left for ${this.#missing(position, stuck)} pieces ${title}.` : `${title} fits nowhere any more.` }
    }
    const coverers = this.#coverers(position.fitting)
    const bare = this.#open(position).filter((cell) => !coverers[cell] && !this.optional.has(cell))
    if (bare.length) return { why: `No piece can cover the marked cell${bare.length > 1 ? "s" : ""}.`, look: bare }
    const area = this.#areas(position).find((one) => !this.#sizesFit(position, one))
    return area ? { why: `No choice of pieces fills the marked area of ${plural(area.cells.length, "cell")}.`, look: area.cells } : null
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
      for (const total of totals) for (let many = 0; many <= room && total + many * size <= most; many++) after.add(total + many * size)
      totals = after
    }
    return [...totals].some((total) => total >= must)
  }

  // -- hints ------------------------------------------------------------------------------------

  /** A placement of a known solution, where there are the fewest choices: a cell, or a piece. */
  #placing(position, rows) {
    const through = this.#countThrough(rows)
    const solving = position.fitting.filter((place) => through[place])
    if (!solving.length) return { undo: [], why: "The puzzle is solved.", look: [] }
    const { choices, where, own, look } = this.#narrowest(position, solving)
    const best = own.reduce((a, b) => (through[b] > through[a] ? b : a))
    const placement = this.#named(position, [best])[0]
    const first = where === "piece" ? `Look at ${placement.piece}: ${choices === 1 ? "only one place is" : `only ${choices} places are`} left for it.`
      : choices === 1 ? "Look at the marked cell: there is only one way left to cover it." : choices ? `Look at the marked cell: there are only ${choices} ways left to cover it.` : "Every cell may stay empty: any place is as good."
    return { ...placement, look, first, why: `${placement.piece} goes there.` }
  }

  #narrowest(position, solving) {
    const [fitting, wanted] = [this.#coverers(position.fitting), this.#coverers(solving)]
    const cells = this.#open(position).filter((cell) => wanted[cell] && !this.optional.has(cell))
    const many = this.#byShape(position.fitting)
    const shapes = [...new Set(solving.map((place) => this.list.shapes[place]))].filter((shape) => [1, many[shape]].includes(this.#missing(position, shape)))
    const least = (all, choices) => all.reduce((a, b) => (a === null || choices(b) < choices(a) ? b : a), null)
    const cell = least(cells, (one) => fitting[one])
    const shape = least(shapes, (one) => many[one])
    if (shape !== null && (cell === null || many[shape] < fitting[cell])) {
      return { choices: many[shape], where: "piece", own: solving.filter((place) => this.list.shapes[place] === shape), look: [] }
    }
    if (cell === null) return { choices: 0, where: "", own: solving, look: [] }
    return { choices: fitting[cell], where: "cell", own: solving.filter((place) => this.list.places[place].includes(cell)), look: [cell] }
  }

  /** The pieces to take back: all but the most that one solution has. */
  #takingBack({ placed, chosen }, why) {
    let most = null
    for (const row of this.list.rows) {
      const common = chosen.filter((place) => row.includes(place))
      if (most === null || common.length > most.length) most = common
    }
    const undo = most === null ? [] : placed.filter((_, number) => !most.includes(chosen[number]))
    if (!undo.length) return { undo, why }
    return { undo, why: `${why} Take back ${undo.length < 3 ? undo.map(({ piece }) => piece).join(" and ") : `${undo.length} pieces`}.` }
  }
}
