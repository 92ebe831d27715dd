// The placements and the solutions that a page holds; `exactcover/app/playing.py` codes them.

import { unpacked } from "./deflate.js"

/** Read the data of a page: {places, shapes, pieces, extra, rows, total, different, complete, why}. */
export async function readSolutions(data) {
  const [places, classes] = await Promise.all([parted(data.sizes, data.cells), parted(data.lengths, data.rows)])
  const generators = await Promise.all(data.generators.map(numbers))
  const rows = data.complete ? classes.flatMap((row) => orbitOf(row, generators)) : classes
  return { ...data, places, shapes: Array.from(await numbers(data.shapes)), rows }
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

/** A solution and all that symmetries make of it. */
function orbitOf(row, generators) {
  const found = [row]
  const known = new Set([row.join()])
  for (const one of found) {
    for (const generator of generators) {
      const moved = one.map((place) => generator[place]).sort((a, b) => a - b)
      const key = moved.join()
      if (known.has(key)) continue
      known.add(key)
      found.push(moved)
    }
  }
  return found
}
