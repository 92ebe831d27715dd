// Four dimensions: pieces turn in them and are projected into space, as a solid is on paper.
//
// Nearer parts in the fourth direction are larger. Cells are balls, joined by rods within a piece.

import { array, projection } from "exactcover/geometry.js"
import { Rounded } from "exactcover/rounded.js"

const EYE = 2.6 // the distance of the eye in the fourth direction, in radii of the model
const BALL = 0.3 // the radius of a ball, and of a rod, in distances of neighbours
const ROD = 0.13
const SHRUNK = 0.94 // each piece is a bit smaller than it is, so that pieces are told apart

export class FourthDimension {
  constructor(data, pitch) {
    this.centres = array(data.centres)
    this.joints = array(data.joints)
    this.pitch = pitch
    this.cells = this.centres.length / 4
    this.rounded = new Rounded(this.cells, this.joints.length / 2)
    this.objects = this.rounded.objects
    this.middle = [0, 1, 2, 3].map((axis) => {
      let sum = 0
      for (let cell = 0; cell < this.cells; cell++) sum += this.centres[4 * cell + axis]
      return sum / this.cells
    })
    this.radius = pitch
    for (let cell = 0; cell < this.cells; cell++) {
      const away = this.middle.map((x, axis) => this.centres[4 * cell + axis] - x)
      this.radius = Math.max(this.radius, Math.hypot(...away) + pitch)
    }
  }

  /** As `Surface.choose`. */
  choose(chosen) {
    Object.assign(this, { chosen, parts: chosen.parts })
    this.#findMiddles()
  }

  /** angles: [xw, yw, zw] in radians; apart: how far the pieces are moved from the middle. */
  place(angles, apart) {
    this.rounded.begin()
    const balls = Array.from({ length: this.cells }, (_, cell) => cell)
    this.rounded.balls(this.chosen, balls, this.joints, this.#projection(angles, apart), {
      ball: BALL * this.pitch, rod: ROD * this.pitch, every: true,
    })
    this.rounded.end()
  }

  /** Points round everything that `place` may give: a sphere. */
  reach(apart) {
    const nearest = EYE / Math.sqrt(EYE * EYE - 1) // how much larger the eye sees the sphere
    const size = nearest * (this.radius - (1 - BALL) * this.pitch) * (1 + apart)
    const points = []
    for (const x of [-1, 0, 1]) {
      for (const y of [-1, 0, 1]) {
        for (const z of [-1, 0, 1]) {
          const length = Math.hypot(x, y, z)
          if (length) points.push((size * x) / length, (size * y) / length, (size * z) / length)
        }
      }
    }
    return points
  }

  #findMiddles() {
    const counts = []
    this.middles = []
    for (let cell = 0; cell < this.cells; cell++) {
      const part = this.parts[cell]
      if (part < 0) continue
      this.middles[part] ??= [0, 0, 0, 0]
      counts[part] = (counts[part] ?? 0) + 1
      for (let axis = 0; axis < 4; axis++) this.middles[part][axis] += this.centres[4 * cell + axis]
    }
    this.middles.forEach((sum, part) => sum.forEach((x, axis) => (sum[axis] = x / counts[part])))
  }

  /** A function from a cell to its place in space. */
  #projection(angles, apart) {
    const project = projection(angles, EYE * this.radius * (1 + apart))
    return (cell) => {
      const to = this.middles[this.parts[cell]]
      return project(this.middle.map((middle, axis) => {
        const away = to[axis] - middle
        return SHRUNK * (this.centres[4 * cell + axis] - to[axis]) + (1 + apart) * away
      }))
    }
  }
}
