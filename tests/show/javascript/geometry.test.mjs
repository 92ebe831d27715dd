// Tests of exactcover/show/assets/geometry.js: node --test, started by test_javascript.py.

import assert from "node:assert/strict"
import { test } from "node:test"
import { load } from "./modules.mjs"

const { WAYS, array, middleOf, nextPoint, projection, scaleIn, shapeOf, sidesOf } = await load("geometry.js")

/** The layer of a board of squares, `text` in rows, `.` for no cell. */
function layerOf(text) {
  const rows = text.split(" ")
  const places = rows.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === "." ? [] : [[x, y]])))
  const number = (x, y) => places.findIndex(([a, b]) => a === x && b === y)
  return {
    width: rows[0].length,
    height: rows.length,
    cells: places.map((_, cell) => cell),
    polygons: places.map(([x, y]) => [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]]),
    sides: places.map(([x, y]) => [number(x, y - 1), number(x + 1, y), number(x, y + 1), number(x - 1, y)]),
  }
}

test("packed numbers are read in their type", () => {
  assert.deepEqual([...array({ type: "Int16", bytes: "AQD+/w==" })], [1, -2])
  assert.deepEqual([...array({ type: "Float32", bytes: "AAAgQA==" })], [2.5])
})

test("the shape of a polygon does not depend on its sense", () => {
  const triangle = [[0, 0], [3, 0], [0, 3]]
  for (const points of [triangle, triangle.toReversed()]) {
    const { x, y, area, radius } = shapeOf(points)
    assert.deepEqual([x, y, area].map((one) => Math.round(1e9 * one) / 1e9), [1, 1, 4.5])
    assert.ok(Math.abs(Math.PI * radius ** 2 - 4.5) < 1e-9)
  }
  assert.deepEqual(shapeOf([[1, 2], [3, 4]]), { x: 2, y: 3, area: 0, radius: 0 })
})

test("a side of two cells is there once, with both", () => {
  const sides = sidesOf(layerOf("## #."))
  assert.equal(sides.length, 10)
  const shared = sides.filter(({ cells }) => cells.length === 2).map(({ cells, ends }) => [cells, ends])
  assert.deepEqual(shared, [[[0, 1], [1, 0, 1, 1]], [[0, 2], [1, 1, 0, 1]]])
})

test("discs have no neighbours", () => {
  const layer = { ...layerOf("##"), sides: [[], []] }
  assert.ok(sidesOf(layer).every(({ cells }) => cells.length === 1))
})

test("layers fill a box in as many columns as make them largest", () => {
  const layers = [1, 2, 3, 4].map(() => ({ width: 2, height: 1 }))
  const bare = { gap: 0, caption: 0 }
  assert.equal(scaleIn(layers, [400, 100], bare), 50) // two in a row
  assert.equal(scaleIn(layers, [100, 400], bare), 50) // below each other
  assert.equal(scaleIn(layers.slice(0, 1), [100, 100], { room: 0 }), 50)
  assert.ok(scaleIn(layers, [400, 100]) < 50)
})

test("arrow keys lead to the nearest cell in their direction", () => {
  const { polygons } = layerOf("#### ####")
  const middles = polygons.map((points) => [10 * shapeOf(points).x, 10 * shapeOf(points).y])
  assert.equal(nextPoint(middles, 1, "ArrowRight"), 2)
  assert.equal(nextPoint(middles, 1, "ArrowLeft"), 0)
  assert.equal(nextPoint(middles, 1, "ArrowDown"), 5)
  assert.equal(nextPoint(middles, 5, "ArrowUp"), 1)
  assert.equal(nextPoint(middles, 0, "ArrowLeft"), -1)
  assert.deepEqual(Object.keys(WAYS).length, 4)
})

test("the middle of points is the first that is nearest to their mean", () => {
  assert.equal(middleOf([[0, 0], [1, 0], [2, 0], [3, 0]]), 1)
  assert.equal(middleOf([[5, 5]]), 0)
})

test("a turn of a full circle changes nothing, and what is nearer is larger", () => {
  const close = (a, b) => a.forEach((x, axis) => assert.ok(Math.abs(x - b[axis]) < 1e-9, `${a} is not ${b}`))
  const still = projection([0, 0, 0], 10)
  close(still([1, 2, 3, 0]), [1, 2, 3])
  close(still([1, 2, 3, 5]), [2, 4, 6])
  close(projection([2 * Math.PI, 0, 0], 10)([1, 2, 3, 5]), [2, 4, 6])
  close(projection([Math.PI / 2, 0, 0], 10)([1, 0, 0, 0]), [0, 0, 0])
  close(projection([Math.PI, 0, 0], 10)([1, 1, 0, 0]), [-1, 1, 0])
})
