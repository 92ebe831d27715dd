// A recording as the page carries it: the board and the figures at each of its moments.

import { array } from "exactcover/geometry.js"

/** One recording; moments are numbered from 0, the state before the first event. */
export class Replay {
  #summed = -1 // the last moment in the sum

  constructor(carried) {
    const { strategy, ending, most } = carried
    Object.assign(this, { strategy, ending, most })
    for (const name of ["event", "fits", "nofits", "found", "kind", "done"]) this[name] = array(carried[name])
    this.length = this.event.length
    this.time = this.event.map((one) => one - this.event[0]) // in events from the beginning
    this.states = this.#states(carried)
    this.dead = new Map(carried.dead) // a moment of a dead end -> the cell that no piece fits
    const [counts, left, tries, fits] = ["counts", "left", "tries", "fits"].map((name) => array(carried.tried[name]))
    this.tried = { starts: starts(counts), left, tries, fits }
    this.sum = new Float64Array(2 * (this.most + 1))
  }

  /** At each moment the piece placed last, linked to the one before it: a list shared by all. */
  #states({ options, kept, counts, placed, colours, pieces }) {
    const first = starts(array(counts))
    ;[kept, placed, colours, pieces] = [kept, placed, colours, pieces].map(array)
    const stack = [null]
    return Array.from(kept, (many, moment) => {
      stack.length = many + 1
      for (let at = first[moment]; at < first[moment + 1]; at++) {
        stack.push({ before: stack.at(-1), piece: pieces[at], colour: colours[at], cells: options[placed[at]] })
      }
      return stack.at(-1)
    })
  }

  /** The pieces on the board at a moment, in the order of placing; a hole is none. */
  placed(moment) {
    const pieces = []
    for (let one = this.states[moment]; one; one = one.before) if (one.piece >= 0) pieces.push(one)
    return pieces.reverse()
  }

  /** Fits and no-fits by the number of pieces left: [fits with 0, no-fits with 0, fits with 1, ...]. */
  profile(moment) {
    const { sum } = this
    if (moment < this.#summed) {
      sum.fill(0)
      this.#summed = -1
    }
    const { starts: at, left, tries, fits } = this.tried
    for (let i = at[this.#summed + 1]; i < at[moment + 1]; i++) {
      sum[2 * left[i]] += fits[i]
      sum[2 * left[i] + 1] += tries[i] - fits[i]
    }
    this.#summed = moment
    return sum
  }

  /** The last moment up to a time. */
  at(time) {
    return this.time.findLastIndex((one) => one <= time)
  }
}

/** Where the entries of each begin, from their numbers of entries. */
function starts(counts) {
  const first = new Uint32Array(counts.length + 1)
  counts.forEach((many, at) => { first[at + 1] = first[at] + many })
  return first
}
