// The objects that three.js draws: surfaces with their edges, balls, and rods.

import {
  BufferAttribute, BufferGeometry, CylinderGeometry, DoubleSide, FrontSide, LineBasicMaterial, LineSegments,
  Mesh, MeshLambertMaterial, SphereGeometry, Vector3,
} from "three"

const FINE = [ // up to this many balls: triangles round each, and from pole to pole
  [40, 28, 18],
  [400, 18, 12],
  [Infinity, 9, 6],
]
const UP = new Vector3(0, 1, 0) // along the cylinder of three.js
const BEHIND = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 } // so that edges lie before faces
const CLEAR = { transparent: true, opacity: 0.16, depthWrite: false }

/** Makes objects; those of one colour share a material, and all balls a geometry. */
export class Shapes {
  #made = [] // geometries of surfaces and edges, which are made again and again
  #materials = new Map()

  /**
   * thin   whether surfaces are seen from both sides
   * balls  about how many balls there are
   */
  constructor(thin, balls) {
    this.side = thin ? DoubleSide : FrontSide
    const [, across, down] = FINE.find(([most]) => balls <= most)
    this.sphere = new SphereGeometry(1, across, down)
    this.cylinder = new CylinderGeometry(1, 1, 1, across, 1, true)
  }

  surface(attributes, colour) {
    return new Mesh(this.#geometry(attributes), this.#material("surface", colour, () =>
      new MeshLambertMaterial({ color: colour, side: this.side, ...BEHIND })))
  }

  /** ends: three numbers for each end of each line */
  lines(ends, colour) {
    const lines = new LineSegments(this.#geometry({ position: ends }), this.#material("line", colour, () =>
      new LineBasicMaterial({ color: colour })))
    lines.raycast = () => {} // the pointer goes through
    return lines
  }

  /** clear: whether one sees through it */
  ball(place, radius, colour, clear) {
    const ball = new Mesh(this.sphere, this.#rounded(colour, clear))
    ball.position.set(...place)
    ball.scale.setScalar(radius)
    return ball
  }

  rod(a, b, radius, colour, clear) {
    const [from, to] = [new Vector3(...a), new Vector3(...b)]
    const rod = new Mesh(this.cylinder, this.#rounded(colour, clear))
    rod.position.addVectors(from, to).divideScalar(2)
    rod.scale.set(radius, from.distanceTo(to), radius)
    rod.quaternion.setFromUnitVectors(UP, to.sub(from).normalize())
    return rod
  }

  /** Forget the surfaces and edges that were made. */
  clear() {
    for (const geometry of this.#made) geometry.dispose()
    this.#made = []
  }

  dispose() {
    this.clear()
    for (const one of [this.sphere, this.cylinder, ...this.#materials.values()]) one.dispose()
  }

  #geometry(attributes) {
    const geometry = new BufferGeometry()
    for (const [name, numbers] of Object.entries(attributes)) {
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(numbers), 3))
    }
    this.#made.push(geometry)
    return geometry
  }

  #rounded(colour, clear) {
    return this.#material(clear ? "clear" : "round", colour, () =>
      new MeshLambertMaterial({ color: colour, ...(clear ? CLEAR : {}) }))
  }

  #material(sort, colour, make) {
    const key = `${sort} ${colour}`
    if (!this.#materials.has(key)) this.#materials.set(key, make())
    return this.#materials.get(key)
  }
}
