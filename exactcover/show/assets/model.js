// The state of the view of a puzzle: scene, pieces shown, their distance; and the objects drawn.
//
// The cells of a piece, in one of the blocks in which boards of many dimensions lie side by side, are a
// group: an object that moves as one. Four dimensions may turn instead: then all cells are balls that are
// projected into space, as a solid is on paper.

import { Group } from "three"
import { Faces } from "exactcover/faces.js"
import { array, projection } from "exactcover/geometry.js"
import { isDark } from "exactcover/page.js"
import { Shapes } from "exactcover/shapes.js"

const PLACE = [0, 0, 0]
const BALL = [0.49, 0.245] // the radius of a ball and of what joins two, in distances of neighbours
const BALL_4D = [0.3, 0.13]
const FRAME = 0.36 // the width of a bar that no piece covers, as a share of that of others
const SHORT = 0.6 // how far a bar ends before the end of its piece, as a share of its width
const EYE = 2.6 // the distance of the eye in the fourth direction, in radii of the model
const SHRUNK = 0.94 // there each piece is a bit smaller than it is, so that pieces are told apart

/** The colours of lines of cells without a piece, of pieces, and of those that move: the later are drawn over the others. */
const LINES = [["#b4bbc4", "#4a525c"], ["#1b1f24", "#08090b"], ["#ffffff", "#ffffff"]]

export class Model {
  /**
   * data     {board, scenes, names, tones}, as `exactcover.show.viewing` makes them
   * turning  whether four dimensions turn, if that is known of the board
   */
  constructor(data, turning = false) {
    const { pitch, cells, space } = data.board
    Object.assign(this, { data, pitch, cells: cells.length, turning: Boolean(turning && space.fourth) })
    const { centres, joints } = this.turning ? space.fourth : space
    const offsets = chunks(array(space.offsets), 3)
    this.blocks = Array.from(array(space.blocks), (block) => (this.turning ? 0 : block))
    this.places = chunks(array(centres), this.turning ? 4 : 3).map((place, cell) =>
      this.turning ? place : sum(place, offsets[this.blocks[cell]]))
    this.middle = this.places[0].map((_, axis) => {
      const along = this.places.map((place) => place[axis])
      return (Math.min(...along) + Math.max(...along)) / 2
    })
    this.radius = Math.max(...this.places.map((place) => Math.hypot(...sum(place, this.middle, -1)))) + pitch / 2
    this.faces = new Faces(space)
    this.balls = new Set(this.turning ? this.places.keys() : array(space.balls))
    this.joints = chunks(array(joints), 2)
    this.bars = new Map(chunks(array(space.bars), 3).map(([cell, ...ends]) => [cell, ends]))
    this.shapes = new Shapes(space.thin, this.balls.size + 2 * this.bars.size)
    this.object = new Group()
    this.apart = 0
    this.states = new Map() // key of a part -> shown, outlined or hidden, where the reader has changed it
    this.angles = [0, 0, 0]
    this.sliding = null // {parts, vector}: pieces on their way
    this.scenes = data.scenes.map((scene) => this.#named(scene))
    this.show(0)
  }

  get scene() {
    return this.scenes[this.number]
  }

  get parts() {
    return this.scene.parts
  }

  /** The steps of assembly; see `stepsOf`. */
  get moves() {
    return this.turning ? [] : this.scene.steps ?? []
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
    const groups = new Map()
    this.scene.owners.forEach((part, cell) => {
      const key = `${part} ${this.blocks[cell]}`
      if (part >= 0 && !groups.has(key)) groups.set(key, { part, cells: [] })
      groups.get(key)?.cells.push(cell)
    })
    this.groups = [...groups.values()].map(({ part, cells }) => {
      const total = cells.map((cell) => this.places[cell]).reduce((a, b) => sum(a, b))
      return { part, cells, away: total.map((x, axis) => x / cells.length - this.middle[axis]) }
    })
  }

  stateOf(part) {
    return this.states.get(part.key) ?? part.state
  }

  /** Make the objects that are to be drawn. */
  choose() {
    this.shapes.clear()
    this.object.clear()
    const { parts } = this.scene
    const moving = new Set(this.sliding?.parts)
    const states = parts.map((part, place) => (this.shiftOf(place) ? this.stateOf(part) : "hidden"))
    const groups = this.groups.filter(({ part }) => states[part] !== "hidden")
    const owners = Array(this.cells).fill(-1)
    const lumps = Array(this.cells).fill(null)
    groups.forEach(({ part, cells }, number) => {
      // Pieces that lie or move together have no faces between them.
      const solid = states[part] === "shown" && !this.apart
      const lump = solid ? `${this.shiftOf(part)} ${moving.has(part)}` : part
      for (const cell of cells) [owners[cell], lumps[cell]] = [number, lump]
    })
    const seen = this.turning ? [] : this.faces.seen(owners, lumps)
    groups.forEach((group, number) => {
      const { tone, whole } = parts[group.part]
      const colour = tone[isDark() ? 1 : 0]
      const clear = states[group.part] === "outlined"
      const line = moving.has(group.part) ? 2 : whole ? 1 : 0
      const drawn = new Group()
      Object.assign(drawn, { userData: group, renderOrder: line })
      if (seen[number]) {
        if (!clear) drawn.add(this.shapes.surface(this.faces.triangles(seen[number]), colour))
        const edges = this.faces.edges(seen[number], whole)
        drawn.add(this.shapes.lines(edges, clear && whole ? colour : LINES[line][isDark() ? 1 : 0]))
      }
      this.#addBalls(drawn, colour, clear)
      this.#addBars(drawn, colour, clear, whole ? 1 : FRAME)
      this.object.add(drawn)
    })
    if (!this.turning) this.place()
  }

  /** Put the objects in their places. */
  place() {
    if (this.turning) {
      this.choose()
      return
    }
    const moving = new Set(this.sliding?.parts)
    for (const { position, userData: { part, away } } of this.object.children) {
      const slide = moving.has(part) ? this.sliding.vector : PLACE
      position.set(...sum(sum(slide, this.shiftOf(part) ?? PLACE), away, this.apart))
    }
  }

  /** Points round the whole model as it stands. */
  points() {
    if (this.turning) {
      const nearest = EYE / Math.sqrt(EYE * EYE - 1) // how much larger the eye sees a sphere
      return around(PLACE, nearest * this.radius * (1 + this.apart))
    }
    return [...this.faces.corners, ...[...this.balls].flatMap((cell) => around(this.places[cell], this.pitch / 2))]
  }

  /** The part that a hit of the pointer is on. */
  partOf({ object }) {
    return object.parent.userData.part
  }

  dispose() {
    this.shapes.dispose()
  }

  #addBalls(drawn, colour, clear) {
    const { part, cells } = drawn.userData
    const [ball, rod] = (this.turning ? BALL_4D : BALL).map((share) => share * this.pitch)
    const at = this.turning ? this.#projection(drawn.userData) : (cell) => this.places[cell]
    const { owners } = this.scene
    for (const cell of cells) {
      if (this.balls.has(cell)) drawn.add(this.shapes.ball(at(cell), ball, colour, clear))
    }
    for (const [a, b] of this.joints) {
      if (owners[a] !== part || owners[b] !== part) continue
      drawn.add(this.shapes.rod(at(a), at(b), rod, colour, clear))
    }
  }

  /** A function from the cells of a group to their places in space. */
  #projection({ away, cells }) {
    const apart = 1 + this.apart
    const project = projection(this.angles, EYE * this.radius * apart)
    const middle = sum(this.middle, away)
    return (cell) => project(sum(away.map((x) => apart * x), sum(this.places[cell], middle, -1), SHRUNK))
  }

  /** Bars with rounded ends; those where the piece ends are shorter, so that one sees where. */
  #addBars(drawn, colour, clear, share) {
    const bars = drawn.userData.cells.flatMap((cell) => (this.bars.has(cell) ? [this.bars.get(cell)] : []))
    const ends = bars.flat()
    const { width } = this.data.board.space
    for (const bar of bars) {
      const [a, b] = bar.map((corner) => this.faces.corner(corner))
      const along = sum(b, a, -1)
      const [first, last] = bar.map((corner) =>
        (ends.indexOf(corner) === ends.lastIndexOf(corner) ? (SHORT * width) / Math.hypot(...along) : 0))
      const places = [sum(a, along, first), sum(b, along, -last)]
      const radius = (share * width) / 2
      drawn.add(this.shapes.rod(...places, radius, colour, clear))
      for (const place of places) drawn.add(this.shapes.ball(place, radius, colour, clear))
    }
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
}

/** The sum of a vector and a multiple of another. */
const sum = (a, b, times = 1) => a.map((x, axis) => x + times * b[axis])

/** The corners of a cube in a sphere round a point, one number after the other. */
const around = (middle, radius) =>
  Array.from({ length: 24 }, (_, at) => middle[at % 3] + (((at / 3) & (1 << (at % 3)) ? 1 : -1) * radius) / Math.sqrt(3))

/** Numbers in groups of a size. */
const chunks = (numbers, size) =>
  Array.from({ length: numbers.length / size }, (_, at) => [...numbers.subarray(size * at, size * (at + 1))])

/**
 * The steps of assembly of a scene, and the parts that are there before the first of them.
 *
 * parts   those that move together
 * vector  the way that they move
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
