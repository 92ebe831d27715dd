// Four dimensions: pieces turn in them and are projected into space, as a solid is on paper.
//
// Nearer parts in the fourth direction are larger. Pieces are drawn as glass: the polygons in which
// their outer solids meet, and the edges of these; or as balls joined by rods.

import {
  BufferAttribute, BufferGeometry, DoubleSide, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial,
} from "three"
import { array } from "exactcover/page.js"
import { DASHES, Rounded } from "exactcover/rounded.js"
import { ABSENT, SOLID, upload } from "exactcover/surface.js"

const EYE = 2.6 // the distance of the eye in the fourth direction, in radii of the model
const BALL = 0.3 // the radius of a ball, and of a rod, in distances of neighbours
const ROD = 0.13
const DASH = 0.06 // the radius of a dash to what lies across the joint of a wrapped board
const AHEAD = 0.9 // how far the dashes reach
const SHRUNK = 0.94 // each piece is a bit smaller than it is, so that two faces never coincide

export class FourthDimension {
  constructor(data, pitch) {
    this.corners = array(data.corners)
    this.centres = array(data.centres)
    this.joints = array(data.joints)
    this.stubs = array(data.stubs)
    this.ends = array(data.ends)
    this.pitch = pitch
    this.surfaces = data.scenes.map((scene) =>
      Object.fromEntries(Object.entries(scene).map(([name, packed]) => [name, array(packed)])),
    )
    this.hasGlass = this.surfaces.length > 0
    this.cells = this.centres.length / 4
    this.glass = new Mesh(
      new BufferGeometry(),
      new MeshBasicMaterial({
        vertexColors: true, transparent: true, opacity: 0.3, depthWrite: false, side: DoubleSide,
      }),
    )
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true }))
    this.rounded = new Rounded(this.cells, this.joints.length / 2 + (this.stubs.length / 2) * DASHES)
    this.objects = [this.glass, this.lines, ...this.rounded.objects]
    for (const object of this.objects) object.frustumCulled = false
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

  /** cells, parts, looks: as `Surface.choose`; scene: its number; balls: instead of glass. */
  choose({ cells, parts, looks, scene, balls }) {
    Object.assign(this, { how: cells, parts, looks, balls: balls || !this.hasGlass })
    this.#findMiddles()
    this.glass.visible = this.lines.visible = !this.balls
    this.rounded.objects.forEach((object) => (object.visible = this.balls))
    if (!this.balls) this.#fill(this.surfaces[scene])
  }

  /** angles: [xw, yw, zw] in radians; apart: how far the pieces are moved from the middle. */
  place(angles, apart) {
    const project = this.#projection(angles, apart)
    if (this.balls) {
      this.#placeBalls(project)
      return
    }
    for (const [object, corners, parts] of [
      [this.glass, this.glassCorners, this.glassParts],
      [this.lines, this.lineCorners, this.lineParts],
    ]) {
      const position = object.geometry.attributes.position
      corners.forEach((corner, vertex) => {
        position.array.set(project(this.corners, corner, parts[vertex]), 3 * vertex)
      })
      upload(position, 3 * corners.length)
      object.geometry.boundingSphere = null
    }
  }

  /** Points round everything that `place` may give: a sphere. */
  reach(apart) {
    const nearest = EYE / Math.sqrt(EYE * EYE - 1) // how much larger the eye sees the sphere
    const beside = !this.balls ? 1 : this.stubs.length ? AHEAD : BALL // of the outermost middles
    const size = nearest * (this.radius - (1 - beside) * this.pitch) * (1 + apart)
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

  partOf(hit) {
    if (hit.object === this.glass) return this.glassParts[hit.face.a]
    return this.rounded.partOf(hit)
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

  #fill({ starts, loops, ridgeOwners, edges, edgeOwners }) {
    const state = this.looks.map(() => ABSENT)
    for (let cell = 0; cell < this.cells; cell++) {
      if (this.parts[cell] >= 0) state[this.parts[cell]] = Math.max(state[this.parts[cell]], 0, this.how[cell])
    }
    this.glassCorners = []
    this.glassParts = []
    ridgeOwners.forEach((part, ridge) => {
      if (state[part] !== SOLID) return
      for (let place = starts[ridge] + 2; place < starts[ridge + 1]; place++) {
        this.glassCorners.push(loops[starts[ridge]], loops[place - 1], loops[place])
        this.glassParts.push(part, part, part)
      }
    })
    this.lineCorners = []
    this.lineParts = []
    edgeOwners.forEach((part, edge) => {
      if (state[part] === ABSENT) return
      this.lineCorners.push(edges[2 * edge], edges[2 * edge + 1])
      this.lineParts.push(part, part)
    })
    this.#allocate(this.glass, this.glassParts, (look) => look.colour)
    this.#allocate(this.lines, this.lineParts, (look) => (look.chosen ? look.line : look.colour))
  }

  #allocate(object, parts, colour) {
    object.visible = parts.length > 0
    object.geometry.dispose()
    object.geometry = new BufferGeometry()
    const colours = new Float32Array(parts.flatMap((part) => colour(this.looks[part])))
    object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * parts.length), 3))
    object.geometry.setAttribute("color", new BufferAttribute(colours, 3))
  }

  /** A function from a point in four dimensions, and its part, to one in space. */
  #projection(angles, apart) {
    const turns = angles.map((angle) => [Math.cos(angle), Math.sin(angle)])
    const eye = EYE * this.radius * (1 + apart)
    return (numbers, number, part) => {
      const to = this.middles[part]
      const point = this.middle.map((middle, axis) => {
        const away = to[axis] - middle
        return SHRUNK * (numbers[4 * number + axis] - to[axis]) + (1 + apart) * away
      })
      let w = point[3]
      turns.forEach(([cos, sin], axis) => {
        const x = point[axis]
        point[axis] = cos * x - sin * w
        w = sin * x + cos * w
      })
      const size = eye / (eye - w)
      return [point[0] * size, point[1] * size, point[2] * size]
    }
  }

  #placeBalls(project) {
    const { rounded, parts, how, looks } = this
    const place = (cell) => project(this.centres, cell, parts[cell])
    rounded.begin()
    for (let cell = 0; cell < this.cells; cell++) {
      if (parts[cell] < 0 || how[cell] === ABSENT) continue
      rounded.sphere(how[cell], looks[parts[cell]], parts[cell], place(cell), BALL * this.pitch)
    }
    for (let joint = 0; joint < this.joints.length; joint += 2) {
      const a = this.joints[joint]
      const b = this.joints[joint + 1]
      if (parts[a] !== parts[b] || parts[a] < 0 || how[a] === ABSENT || how[b] === ABSENT) continue
      rounded.rod(how[a], looks[parts[a]], parts[a], place(a), place(b), ROD * this.pitch)
    }
    for (let stub = 0; stub < this.stubs.length / 2; stub++) {
      const [cell, other] = this.stubs.subarray(2 * stub, 2 * stub + 2)
      const part = parts[cell]
      if (part !== parts[other] || !looks[part]?.whole || how[cell] === ABSENT) continue
      const a = place(cell)
      const b = project(this.ends, stub, part)
      const [from, to] = [BALL, AHEAD].map((share) => a.map((x, axis) => x + share * (b[axis] - x)))
      rounded.dashes(how[cell], looks[part], part, from, to, DASH * this.pitch)
    }
    rounded.end()
  }
}
