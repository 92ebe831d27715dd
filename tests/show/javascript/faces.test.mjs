// Tests of exactcover/show/assets/faces.js on boards with solutions, which test_javascript.py writes: FACES.

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { load } from "./modules.mjs"

const { ABSENT, Faces, OUTLINED, SOLID } = await load("faces.js")
const examples = JSON.parse(readFileSync(process.env.FACES, "utf8"))

/** The triangles and lines of pieces; `how`: how each is shown; `apart`: each piece lies alone. */
function drawn({ space, owners }, how, { apart = false, chosen = -1 } = {}) {
  const faces = new Faces(space)
  const parts = [...Array(Math.max(...owners) + 1).keys()]
  faces.choose({
    cells: owners.map((owner) => how(owner)),
    parts: owners,
    groups: owners,
    together: parts.map((part) => (apart ? part : 0)),
    looks: parts.map((part) => ({ colour: [part, 0, 0], whole: true, chosen: part === chosen })),
  })
  return faces
}
const counts = ({ triangles, lines }) => [triangles, lines.length]

for (const example of examples) {
  test(`${example.name}: faces between pieces that lie together are left out`, () => {
    assert.deepEqual(counts(drawn(example, () => SOLID)), example.together)
    assert.deepEqual(counts(drawn(example, () => SOLID, { apart: true })), example.apart)
  })

  test(`${example.name}: an outlined piece has lines and no faces, a hidden one nothing`, () => {
    assert.deepEqual(counts(drawn(example, (part) => (part ? ABSENT : SOLID))), example.first)
    const outlined = drawn(example, (part) => (part ? ABSENT : OUTLINED))
    assert.deepEqual([outlined.triangles, outlined.lines.length, outlined.faint.length], [0, 0, example.first[1]])
    assert.deepEqual(counts(drawn(example, () => ABSENT)), [0, 0])
  })

  test(`${example.name}: each triangle has the colour and the outward side of its part`, () => {
    const faces = drawn(example, () => SOLID, { apart: true })
    const { corners } = faces
    const middles = new Map()
    for (let at = 0; at < faces.triangles; at++) {
      const [a, b, c] = [0, 1, 2].map((end) => faces.index[3 * at + end])
      assert.equal(faces.colours[3 * a], faces.partOf[at])
      const [p, q, r] = [a, b, c].map((vertex) => corners.subarray(3 * faces.cornerOf[vertex], 3 * faces.cornerOf[vertex] + 3))
      const u = q.map((x, axis) => x - p[axis])
      const v = r.map((x, axis) => x - p[axis])
      const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
      const along = normal.reduce((sum, x, axis) => sum + x * faces.normals[3 * a + axis], 0)
      assert.ok(Math.abs(along - Math.hypot(...normal)) < 1e-5)
      const sum = p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]
      middles.set(faces.partOf[at], (middles.get(faces.partOf[at]) ?? 0) + sum / 6)
    }
    // The triangles of a closed surface that look outwards hold the volume of its cells.
    const volume = [...middles.values()].reduce((a, b) => a + b)
    assert.ok(Math.abs(volume - example.volume) < 1e-3 * example.volume, `${volume} is not ${example.volume}`)
  })

  test(`${example.name}: lines of a chosen piece come last`, () => {
    const { lines } = drawn(example, () => SOLID, { chosen: 0 })
    const own = lines.map(([, , , part]) => part === 0)
    assert.ok(own.some(Boolean))
    assert.ok(own.slice(own.indexOf(true)).every(Boolean))
  })
}
