// Balls, the rods that join them, and bars with rounded ends: a sphere or a cylinder, drawn many
// times in one go.

import {
  CylinderGeometry, InstancedBufferAttribute, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion,
  SphereGeometry, Vector3,
} from "three"
import { array } from "exactcover/geometry.js"
import { ABSENT, OUTLINED, SOLID } from "exactcover/faces.js"
import { upload } from "exactcover/surface.js"

const FINE = [ // up to this many spheres: triangles round each, and from pole to pole
  [40, 28, 18],
  [400, 18, 12],
  [Infinity, 9, 6],
]
const BALL = 0.98 // the radius of a ball, as a share of half the distance of neighbours
const NECK = 0.5 // the radius of what joins two balls, as a share of theirs
const SHORT = 0.6 // how far a bar ends before a point of other pieces, as a share of its width

const UP = new Vector3(0, 1, 0) // along the cylinder of three.js

/** Spheres and rods: begin, add, end. Outlined ones are see-through. */
export class Rounded {
  /** spheres, rods: the most of them */
  constructor(spheres, rods) {
    const [, across, down] = FINE.find(([most]) => spheres <= most)
    this.triangles = 2 * across * (spheres * (down - 1) + rods)
    this.spheres = new Copies(new SphereGeometry(1, across, down), spheres)
    this.rods = new Copies(new CylinderGeometry(1, 1, 1, across, 1, true), rods)
    this.objects = [...this.spheres.meshes, ...this.rods.meshes]
  }

  begin() {
    this.spheres.begin()
    this.rods.begin()
  }

  sphere(how, look, part, place, radius) {
    this.spheres.add(how, look, part, new Matrix4().makeScale(radius, radius, radius).setPosition(...place))
  }

  rod(how, look, part, a, b, radius) {
    const [from, to] = [new Vector3(...a), new Vector3(...b)]
    const along = to.clone().sub(from)
    const size = new Vector3(radius, along.length(), radius)
    const turn = new Quaternion().setFromUnitVectors(UP, along.normalize())
    this.rods.add(how, look, part, new Matrix4().compose(from.add(to).divideScalar(2), turn, size))
  }

  /**
   * Balls, and the rods that join those of one part.
   *
   * chosen  as `Faces.choose`
   * joints  pairs of balls that touch, one number after the other
   * at      cell -> where it is
   * hidden  cell -> whether others hide it
   * every   cells without a piece are joined too
   */
  balls({ cells, parts, looks }, balls, joints, at, { ball, rod, hidden = () => false, every = false }) {
    for (const cell of balls) {
      if (cells[cell] === ABSENT || hidden(cell)) continue
      this.sphere(cells[cell], looks[parts[cell]], parts[cell], at(cell), ball)
    }
    for (let joint = 0; joint < joints.length; joint += 2) {
      const [a, b] = [joints[joint], joints[joint + 1]]
      if (parts[a] !== parts[b] || cells[a] === ABSENT || cells[b] === ABSENT) continue
      if (!(every || looks[parts[a]].whole) || (hidden(a) && hidden(b))) continue
      this.rod(cells[a], looks[parts[a]], parts[a], at(a), at(b), rod)
    }
  }

  end() {
    this.spheres.end()
    this.rods.end()
  }

  /** The part that was hit. */
  partOf({ object, instanceId }) {
    const copies = this.spheres.meshes.includes(object) ? this.spheres : this.rods
    return copies.parts[copies.meshes.indexOf(object)][instanceId]
  }
}

/** One shape many times: solid ones, and outlined ones, which are see-through. */
class Copies {
  constructor(geometry, room) {
    this.meshes = [{}, { transparent: true, opacity: 0.16, depthWrite: false }].map((material) => {
      const mesh = new InstancedMesh(geometry, new MeshLambertMaterial(material), Math.max(room, 1))
      mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * Math.max(room, 1)), 3)
      mesh.frustumCulled = false
      return mesh
    })
    this.parts = this.meshes.map(() => [])
    this.begin()
    this.end()
  }

  begin() {
    this.parts.forEach((parts) => (parts.length = 0))
  }

  add(how, look, part, matrix) {
    const sort = how === OUTLINED ? 1 : 0
    const mesh = this.meshes[sort]
    const number = this.parts[sort].push(part) - 1
    mesh.setMatrixAt(number, matrix)
    mesh.instanceColor.array.set(look.colour, 3 * number)
  }

  end() {
    this.meshes.forEach((mesh, sort) => {
      mesh.count = this.parts[sort].length
      mesh.visible = mesh.count > 0
      mesh.boundingSphere = null
      upload(mesh.instanceMatrix, 16 * mesh.count)
      upload(mesh.instanceColor, 3 * mesh.count)
    })
  }
}

/** The balls and bars among the cells of a page. */
export class RoundCells {
  constructor(data, places, radius) {
    this.balls = array(data.balls)
    this.joints = array(data.joints)
    this.bars = array(data.bars)
    this.corners = array(data.corners)
    this.radius = radius
    this.width = data.width
    this.middles = places
    const bars = this.bars.length / 3
    this.rounded = new Rounded(this.balls.length + 2 * bars, this.joints.length / 2 + bars)
    this.objects = this.rounded.objects
    this.#findNeighbours()
  }

  /** As `Surface.choose`. */
  choose(chosen) {
    this.chosen = chosen
    this.shortened = this.#shortened(chosen)
  }

  /** As `Surface.place`. */
  place(shifts) {
    const { cells, parts, groups, looks } = this.chosen
    const { rounded } = this
    const at = (numbers, number, group) =>
      [0, 1, 2].map((axis) => numbers[3 * number + axis] + shifts[3 * group + axis])
    rounded.begin()
    rounded.balls(this.chosen, this.balls, this.joints, (cell) => at(this.middles, cell, groups[cell]), {
      ball: BALL * this.radius, rod: NECK * this.radius, hidden: (cell) => this.#isBuried(cell),
    })
    for (let bar = 0; bar < this.bars.length; bar += 3) {
      const cell = this.bars[bar]
      if (cells[cell] === ABSENT) continue
      const part = parts[cell]
      const look = looks[part]
      const radius = (look.whole ? 0.5 : 0.18) * this.width
      const ends = [1, 2].map((end) => at(this.corners, this.bars[bar + end], groups[cell]))
      const along = ends[1].map((x, axis) => x - ends[0][axis])
      const length = Math.hypot(...along)
      const short = [0, 1].map((end) => this.shortened[(2 * bar) / 3 + end])
      const shortEnds = ends.map((place, end) =>
        place.map((x, axis) => x + ((end ? -1 : 1) * short[end] * along[axis]) / length),
      )
      rounded.rod(cells[cell], look, part, ...shortEnds, radius)
      for (const place of shortEnds) rounded.sphere(cells[cell], look, part, place, radius)
    }
    rounded.end()
  }

  #findNeighbours() {
    this.around = new Map()
    for (let joint = 0; joint < this.joints.length; joint += 2) {
      const pair = [this.joints[joint], this.joints[joint + 1]]
      pair.forEach((cell, end) => {
        if (!this.around.has(cell)) this.around.set(cell, [])
        this.around.get(cell).push(pair[1 - end])
      })
    }
  }

  /** Whether a ball has neighbours on all sides, so that it cannot be seen. */
  #isBuried(cell) {
    const { cells, groups, together } = this.chosen
    const around = this.around.get(cell) ?? []
    const home = together[groups[cell]]
    return (
      around.length >= 12 &&
      around.every((other) => cells[other] === SOLID && together[groups[other]] === home)
    )
  }

  /** How much shorter each end of each bar is, so that one sees where a piece ends. */
  #shortened({ cells, parts, looks }) {
    const own = new Map()
    const pieces = new Map()
    const ends = []
    for (let bar = 0; bar < this.bars.length; bar += 3) {
      const cell = this.bars[bar]
      for (const point of [this.bars[bar + 1], this.bars[bar + 2]]) {
        ends.push([point, cell])
        if (cells[cell] === ABSENT || !looks[parts[cell]].whole) continue
        const key = `${point} ${parts[cell]}`
        own.set(key, (own.get(key) ?? 0) + 1)
        if (!pieces.has(point)) pieces.set(point, new Set())
        pieces.get(point).add(parts[cell])
      }
    }
    return ends.map(([point, cell]) => {
      const alone = own.get(`${point} ${parts[cell]}`) === 1
      return alone && pieces.get(point)?.size > 1 ? SHORT * this.width : 0
    })
  }
}
