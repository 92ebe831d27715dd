// Tests of exactcover/show/assets/faces.js on boards with solutions, which test_javascript.py writes: FACES.

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { load } from "./modules.mjs"

const { Faces } = await load("faces.js")
const examples = JSON.parse(readFileSync(process.env.FACES, "utf8"))

/** The faces of pieces, and for each piece those that can be seen; `lump`: a value for each piece. */
function seenOf({ space, owners }, lump) {
  const faces = new Faces(space)
  const lumps = owners.map((owner) => (owner < 0 ? null : lump(owner)))
  return [faces, faces.seen(owners.map((owner, cell) => (lumps[cell] === null ? -1 : owner)), lumps)]
}

/** The numbers of triangles and edges of all pieces. */
function counts([faces, seen]) {
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0)
  const pieces = seen.filter(Boolean)
  return [
    sum(pieces.map((piece) => faces.triangles(piece).position.length / 9)),
    sum(pieces.map((piece) => faces.edges(piece, true).length / 6)),
  ]
}

for (const example of examples) {
  test(`${example.name}: faces between pieces that lie together are left out`, () => {
    assert.deepEqual(counts(seenOf(example, () => "together")), example.together)
    assert.deepEqual(counts(seenOf(example, (part) => part)), example.apart)
  })

  test(`${example.name}: a hidden piece has no faces, and hides none`, () => {
    assert.deepEqual(counts(seenOf(example, (part) => (part ? null : 0))), example.first)
    assert.deepEqual(counts(seenOf(example, () => null)), [0, 0])
  })

  test(`${example.name}: each triangle looks outwards, as its normal does`, () => {
    const [faces, seen] = seenOf(example, (part) => part)
    let volume = 0
    for (const piece of seen) {
      const { position, normal } = faces.triangles(piece)
      for (let at = 0; at < position.length; at += 9) {
        const [p, q, r] = [0, 3, 6].map((corner) => position.slice(at + corner, at + corner + 3))
        const u = q.map((x, axis) => x - p[axis])
        const v = r.map((x, axis) => x - p[axis])
        const across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        const along = across.reduce((sum, x, axis) => sum + x * normal[at + axis], 0)
        assert.ok(Math.abs(along - Math.hypot(...across)) < 1e-5)
        volume += (p[0] * across[0] + p[1] * across[1] + p[2] * across[2]) / 6
      }
    }
    // The triangles of a closed surface that look outwards hold the volume of its cells.
    assert.ok(Math.abs(volume - example.volume) < 1e-3 * example.volume, `${volume} is not ${example.volume}`)
  })

  test(`${example.name}: an empty region has the edges of each of its cells`, () => {
    const [faces, seen] = seenOf(example, () => "together")
    const whole = seen.filter(Boolean).map((piece) => [faces.edges(piece, false), faces.edges(piece, true)])
    assert.ok(whole.every(([every, bent]) => every.length >= bent.length))
    assert.ok(whole.some(([every, bent]) => every.length > bent.length) || example.name !== "somacube")
  })
}
