// The state of the view of a puzzle: scene, pieces shown, their distance; and the objects drawn.

import { ABSENT, OUTLINED, SOLID } from "exactcover/faces.js"
import { array } from "exactcover/geometry.js"
import { isDark } from "exactcover/page.js"
import { FourthDimension } from "exactcover/fourth.js"
import { RoundCells } from "exactcover/rounded.js"
import { boxOf, linear } from "exactcover/scene.js"
import { Surface } from "exactcover/surface.js"

const HOW = { shown: SOLID, outlined: OUTLINED, hidden: ABSENT }

const PLACE = [0, 0, 0]

const COLOURS = {
  edge: ["#1b1f24", "#08090b"],
  faint: ["#b4bbc4", "#4a525c"],
  chosen: ["#ffffff", "#ffffff"],
}

export class Model {
  /** data: {board, scenes, names, tones}, as `exactcover.show.viewing` makes them */
  constructor(data) {
    const { pitch, cells, space } = data.board
    Object.assign(this, { data, pitch, cells: cells.length, captions: space.captions })
    this.centres = array(space.centres)
    this.blocks = array(space.blocks)
    this.offsets = array(space.offsets)
    this.places = this.centres.map((x, at) => x + this.offsets[3 * this.blocks[Math.floor(at / 3)] + (at % 3)])
    this.surface = new Surface(space)
    this.round = new RoundCells(space, this.places, pitch / 2)
    this.fourth = space.fourth ? new FourthDimension(space.fourth, pitch) : null
    this.turning = false // whether it turns in the fourth dimension, or lies in blocks side by side
    this.apart = 0
    this.states = new Map() // key of a part -> shown, outlined or hidden, where the reader has changed it
    this.angles = [0, 0, 0]
    this.sliding = null // {parts, vector}: pieces on their way
    this.middles = this.#middlesOfBlocks()
    this.scenes = data.scenes.map((scene) => this.#named(scene))
    this.show(0)
  }

  get objects() {
    return [...this.surface.objects, ...this.round.objects, ...(this.fourth?.objects ?? [])]
  }

  get scene() {
    return this.scenes[this.number]
  }

  get parts() {
    return this.scene.parts
  }

  /** The steps of assembly; see `stepsOf`. */
  get moves() {
    return this.scene.steps ?? []
  }

  /** How far a part is from its place now, [x, y, z]; null where it is not there yet. */
  shiftOf(part) {
    if (this.step === this.moves.length) return PLACE
    const { first, steps } = this.scene
    return (this.step ? steps[this.step - 1].seen : first).get(part) ?? null
  }

  /** Take another scene; pieces keep how they are shown. */
  show(number) {
    this.number = number
    this.step = this.moves.length
    this.sliding = null
    const { owners, parts } = this.scene
    const numbers = new Map() // the cells of a part in a block move together
    this.groupParts = []
    this.groupBlocks = []
    this.groups = Int32Array.from(owners, (owner, cell) => {
      if (owner < 0) return 0
      const key = owner * this.offsets.length + this.blocks[cell]
      if (!numbers.has(key)) {
        numbers.set(key, numbers.size)
        this.groupParts.push(owner)
        this.groupBlocks.push(this.blocks[cell])
      }
      return numbers.get(key)
    })
    this.groupMiddles = this.#meansOf(this.groups, numbers.size, (cell) => owners[cell] >= 0)
    this.partNumbers = new Map(parts.map((part, place) => [part.key, place]))
  }

  stateOf(part) {
    return this.states.get(part.key) ?? part.state
  }

  /** Decide what there is to draw. */
  choose() {
    const { owners, parts } = this.scene
    const how = parts.map((part) => HOW[this.stateOf(part)])
    for (const place of parts.keys()) if (!this.shiftOf(place)) how[place] = ABSENT
    const moving = new Set(this.sliding?.parts)
    const dark = isDark() ? 1 : 0
    const looks = parts.map((part, place) => {
      const chosen = moving.has(place)
      const colour = linear(part.tone[dark])
      const line = chosen
        ? linear(COLOURS.chosen[dark])
        : how[place] === OUTLINED && part.whole
          ? colour
          : linear(part.whole ? COLOURS.edge[dark] : COLOURS.faint[dark])
      return { colour: chosen ? colour.map((x) => 0.94 * x + 0.06) : colour, line, whole: part.whole, chosen }
    })
    for (const object of [...this.surface.objects, ...this.round.objects]) object.visible = !this.turning
    for (const object of this.fourth?.objects ?? []) object.visible = this.turning
    const cells = Uint8Array.from(owners, (owner) => (owner >= 0 ? how[owner] : ABSENT))
    if (this.turning) {
      this.fourth.choose({ cells, parts: owners, looks })
      return
    }
    const shifts = new Map() // pieces that lie or move together have a number in common
    const together = this.groupParts.map((part, group) => {
      if (this.apart > 0) return group
      const key = `${this.shiftOf(part)} ${moving.has(part)}`
      if (!shifts.has(key)) shifts.set(key, shifts.size)
      return shifts.get(key)
    })
    const chosen = { cells, parts: owners, looks, groups: this.groups, together }
    this.surface.choose(chosen)
    this.round.choose(chosen)
  }

  /** Put what was chosen in its place; returns how far it reaches from the middle. */
  place() {
    if (this.turning) {
      this.fourth.place(this.angles, this.apart)
      return this.fourth.radius * (1 + this.apart)
    }
    const shifts = new Float32Array(3 * this.groupParts.length)
    const reach = new Float32Array(shifts.length) // without the moves, so that the size stays
    const moving = new Set(this.sliding?.parts)
    this.groupParts.forEach((part, group) => {
      const block = this.groupBlocks[group]
      const slide = moving.has(part) ? this.sliding.vector : PLACE
      const shift = this.shiftOf(part) ?? PLACE
      for (let axis = 0; axis < 3; axis++) {
        const away = this.groupMiddles[3 * group + axis] - this.middles[3 * block + axis]
        const blockAway = this.offsets[3 * block + axis] - this.offsetMiddle[axis]
        reach[3 * group + axis] = this.apart * (away + 0.8 * blockAway)
        shifts[3 * group + axis] = reach[3 * group + axis] + shift[axis] + slide[axis]
      }
    })
    this.surface.place(shifts)
    this.round.place(shifts)
    return this.#reach(reach)
  }

  /** Points round the whole model as it stands. */
  points() {
    if (this.turning) return this.fourth.reach(this.apart)
    const found = Array.from(this.surface.corners)
    for (const cell of this.round.balls) {
      const [x, y, z] = this.places.subarray(3 * cell, 3 * cell + 3)
      for (const away of [-this.round.radius, this.round.radius]) {
        found.push(x + away, y, z, x, y + away, z, x, y, z + away)
      }
    }
    return found
  }

  /** The part that a hit of the pointer is on. */
  partOf(hit) {
    if (hit.object === this.surface.mesh) return this.surface.partOf[hit.faceIndex]
    return (this.turning ? this.fourth : this.round).rounded.partOf(hit)
  }

  /** The objects that the pointer can hit. */
  get targets() {
    const all = this.turning ? this.fourth.objects : [this.surface.mesh, ...this.round.objects]
    return all.filter((object) => object.visible)
  }

  /** Where the captions of blocks stand. */
  captionPlaces() {
    if (this.turning) return []
    return this.captions.map((text, block) => {
      const at = [0, 1, 2].map((axis) => {
        const away = this.apart * 0.8 * (this.offsets[3 * block + axis] - this.offsetMiddle[axis])
        return this.middles[3 * block + axis] + this.offsets[3 * block + axis] + away
      })
      at[1] += this.lowest[1]
      at[2] = this.lowest[2]
      return { text, at }
    })
  }

  /** How far the farthest cell lies from the middle, whether it is shown or not. */
  #reach(shifts) {
    let farthest = 0
    this.scene.owners.forEach((owner, cell) => {
      if (owner < 0) return
      const away = this.middle.map((x, axis) => this.places[3 * cell + axis] + shifts[3 * this.groups[cell] + axis] - x)
      farthest = Math.max(farthest, Math.hypot(...away))
    })
    return farthest + this.pitch
  }

  #named({ owners, parts, order }) {
    const seen = new Map()
    const named = parts.map(([name, tone, whole, state]) => {
      const text = this.data.names[name]
      seen.set(text, (seen.get(text) ?? 0) + 1)
      return { text, copy: seen.get(text), tone: this.data.tones[tone], whole: Boolean(whole), state }
    })
    for (const part of named) {
      part.name = seen.get(part.text) > 1 ? `${part.text} ${part.copy}` : part.text
      part.key = `${part.text}\n${part.copy}`
    }
    return { owners: array(owners), parts: named, order, ...stepsOf(order, named) }
  }

  #meansOf(sorts, count, wanted) {
    const sums = new Float64Array(3 * count)
    const counts = new Float64Array(count)
    sorts.forEach((sort, cell) => {
      if (!wanted(cell)) return
      counts[sort]++
      for (let axis = 0; axis < 3; axis++) sums[3 * sort + axis] += this.centres[3 * cell + axis]
    })
    return sums.map((sum, place) => sum / (counts[Math.floor(place / 3)] || 1))
  }

  #middlesOfBlocks() {
    const count = this.offsets.length / 3
    const middles = this.#meansOf(this.blocks, count, () => true)
    this.offsetMiddle = [0, 1, 2].map((axis) =>
      this.offsets.reduce((sum, x, at) => (at % 3 === axis ? sum + x / count : sum), 0))
    const [low, high] = boxOf(this.points())
    this.middle = low.clone().add(high).divideScalar(2).toArray()
    // Where captions stand: below the front of each block.
    const fronts = Array.from(this.blocks, (block, cell) => this.centres[3 * cell + 1] - middles[3 * block + 1])
    this.lowest = [0, fronts.reduce((a, b) => Math.min(a, b), 0) - this.pitch, low.z]
    return middles
  }
}

/**
 * The steps of assembly of a scene, and the parts that are there before the first of them.
 *
 * parts   those that move together
 * vector  the way that they move
 * count   the steps of the lattice on that way
 * joins   whether they come from far away
 * seen    the parts that are there after it -> how far each is from its place
 */
function stepsOf(order, parts) {
  const steps = order?.steps ?? []
  const moving = new Set(steps.flatMap((step) => (step.seen ?? step.parts.map((part) => [part])).map(([part]) => part)))
  const first = new Map([...parts.keys()].filter((part) => !moving.has(part)).map((part) => [part, PLACE]))
  let there = first // of pieces that are put down one by one
  return {
    first,
    steps: steps.map((step) => {
      const shifts = step.seen ? step.seen.map(([part, ...shift]) => [part, shift]) : step.parts.map((part) => [part, PLACE])
      there = new Map([...(step.seen ? first : there), ...shifts])
      return { ...step, seen: there }
    }),
  }
}
