// A recording as the page carries it: the board and the figures at each of its moments.

import { array } from "exactcover/page.js"

/** How many moments lie between two sums of what was tried. */
const APART = 64

/** One recording; moments are numbered from 0, the state before the first event. */
export class Replay {
  constructor(carried) {
    const { strategy, words, ending, most, options, named } = carried
    Object.assign(this, { strategy, words, ending, most, options, named })
    for (const name of ["event", "fits", "nofits", "found", "kind"]) this[name] = array(carried[name])
    this.length = this.event.length
    this.states = this.#states(carried)
    this.tried = {
      starts: starts(array(carried.tried.counts)),
      left: array(carried.tried.left),
      tries: array(carried.tried.tries),
      fits: array(carried.tried.fits),
    }
    this.sums = this.#sums()
  }

  /** At each moment the piece placed last, linked to the one before it: a list shared by all. */
  #states({ kept, counts, placed, colours, pieces }) {
    const first = starts(array(counts))
    ;[kept, placed, colours, pieces] = [kept, placed, colours, pieces].map(array)
    const stack = [null]
    return Array.from(kept, (many, moment) => {
      stack.length = many + 1
      for (let at = first[moment]; at < first[moment + 1]; at++) {
        const [cells, named] = [this.options[placed[at]], this.named[placed[at]]]
        stack.push({ before: stack.at(-1), piece: pieces[at], colour: colours[at], cells, named })
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

  #sums() {
    const sums = [new Float64Array(2 * (this.most + 1))]
    for (let moment = APART; moment < this.length; moment += APART) {
      const sum = sums.at(-1).slice()
      this.#add(sum, moment - APART, moment)
      sums.push(sum)
    }
    return sums
  }

  /** Add what the moments from `begin` to `end` tried: fits, then no-fits, by the pieces left. */
  #add(sum, begin, end) {
    const { starts: at, left, tries, fits } = this.tried
    for (let i = at[begin]; i < at[end]; i++) {
      sum[2 * left[i]] += fits[i]
      sum[2 * left[i] + 1] += tries[i] - fits[i]
    }
  }

  /** Fits and no-fits by the number of pieces left: [fits with 0, no-fits with 0, fits with 1, ...]. */
  profile(moment) {
    const begin = Math.floor(moment / APART)
    const sum = this.sums[begin].slice()
    this.#add(sum, begin * APART, moment + 1)
    return sum
  }

  /** The measure of the film's time, counted from the beginning of this recording. */
  clock(by, moment) {
    return this[by][moment] - this[by][0]
  }

  /** The last moment up to this reading of the clock. */
  at(by, reading) {
    let low = 0
    let high = this.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.clock(by, middle) <= reading) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Where the entries of each begin, from their numbers of entries. */
function starts(counts) {
  const first = new Uint32Array(counts.length + 1)
  counts.forEach((many, at) => { first[at + 1] = first[at] + many })
  return first
}
