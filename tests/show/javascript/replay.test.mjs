// Tests of exactcover/show/assets/film-replay.js: the states of a recording.

import assert from "node:assert/strict"
import { test } from "node:test"
import { load } from "./modules.mjs"

const { Replay } = await load("film-replay.js")

const packed = (numbers) => ({ type: "Int16", bytes: Buffer.from(Int16Array.from(numbers).buffer).toString("base64") })

/** A is placed, a hole, B; B and the hole go; C is placed. Moments are at the events 10, 11, 12, 15 and 16. */
const replay = new Replay({
  strategy: "dlx:s",
  ending: "the recording ends here",
  most: 2,
  options: [[0, 1], [2], [3, 4]],
  dead: [[2, 5]],
  ...Object.fromEntries(Object.entries({
    event: [10, 11, 12, 15, 16],
    fits: [0, 1, 2, 2, 3],
    nofits: [0, 0, 4, 4, 4],
    found: [0, 0, 0, 1, 1],
    kind: [0, 1, 1, 2, 1],
    done: [0, 0, 0, 0, 0],
    kept: [0, 0, 1, 1, 1],
    counts: [0, 1, 2, 0, 1],
    placed: [0, 1, 2, 2],
    pieces: [0, -1, 1, 2],
    colours: [0, 0, 1, 2],
  }).map(([name, numbers]) => [name, packed(numbers)])),
  tried: Object.fromEntries(Object.entries({
    counts: [0, 1, 2, 0, 1], left: [2, 1, 2, 1], tries: [1, 5, 0, 1], fits: [1, 1, 0, 1],
  }).map(([name, numbers]) => [name, packed(numbers)])),
})

const pieces = (moment) => replay.placed(moment).map(({ piece, cells }) => [piece, cells])

test("a moment has the pieces in the order of placing, without holes", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map(pieces), [
    [], [[0, [0, 1]]], [[0, [0, 1]], [1, [3, 4]]], [[0, [0, 1]]], [[0, [0, 1]], [2, [3, 4]]],
  ])
})

test("what was tried is summed up to a moment, forwards and backwards", () => {
  const sum = (moment) => [...replay.profile(moment)]
  assert.deepEqual(sum(0), [0, 0, 0, 0, 0, 0])
  assert.deepEqual(sum(4), [0, 0, 2, 4, 1, 0])
  assert.deepEqual(sum(1), [0, 0, 0, 0, 1, 0])
  assert.deepEqual(sum(2), [0, 0, 1, 4, 1, 0])
})

test("time begins with the first moment, and the last moment up to a time is shown", () => {
  assert.deepEqual([0, 1, 2, 4, 5, 6, 99].map((time) => replay.at(time)), [0, 1, 2, 2, 3, 4, 4])
})
