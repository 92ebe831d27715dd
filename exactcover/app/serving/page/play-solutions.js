// The placements and the solutions that a page holds; `exactcover/app/playing.py` codes them.

import { unpacked } from "./deflate.js"

/** Read the data of a page: {places, shapes, pieces, extra, rows, total, different, complete, why}. */
export async function readSolutions(data) {
  const [sizes, cells, shapes] = await Promise.all([data.sizes, data.cells, data.shapes].map(numbers))
  const generators = await Promise.all(data.generators.map(numbers))
  let at = 0
  const places = Array.from(sizes, (size) => Array.from(cells.subarray(at, (at += size))))
  const classes = rowsOf(await unpacked(data.rows.deflated))
  const rows = data.complete ? classes.flatMap((row) => orbitOf(row, generators)) : classes
  return { ...data, places, shapes: Array.from(shapes), rows }
}

async function numbers({ type, deflated }) {
  return new globalThis[`${type}Array`]((await unpacked(deflated)).buffer)
}

/** Solutions, each as ascending numbers of placements. */
function rowsOf(bytes) {
  let at = 0
  const next = () => {
    let number = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      number |= (byte & 127) << shift
      if (byte < 128) return number
    }
  }
  const rows = []
  let before = []
  while (at < bytes.length) {
    const row = before.slice(0, next())
    let last = row.at(-1) ?? 0
    for (let more = next(); more > 0; more--) row.push((last += next()))
    rows.push((before = row))
  }
  return rows
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
