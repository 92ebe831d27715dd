// The faces and edges of solid cells that are drawn, whatever is shown: geometry alone.

import { array } from "exactcover/geometry.js"

export const ABSENT = 0
export const SOLID = 1
export const OUTLINED = 2

const PARALLEL = 1 - 1e-4

/**
 * The triangles and lines of a board in space, made again by `choose` when pieces are shown, hidden or
 * coloured. Vertices are numbered up to `vertices`, triangles up to `triangles`.
 *
 * normals, colours  of each vertex; index: the vertices of each triangle
 * cornerOf, groupOf  the corner where a vertex is, and what it moves with
 * partOf             the part of each triangle
 * lines, faint       lines of solid and of outlined parts: [corner, corner, group, part]
 */
export class Faces {
  constructor(space) {
    for (const name of ["corners", "starts", "loops", "sides"]) this[name] = array(space[name])
    this.ears = space.ears
    this.count = this.starts.length - 1
    this.#nameEdges()
    this.#findNormals()
    const room = 2 * this.loops.length
    Object.assign(this, { normals: new Float32Array(3 * room), colours: new Float32Array(3 * room) })
    this.index = new Uint32Array(3 * room)
    this.cornerOf = new Int32Array(room)
    this.groupOf = new Int32Array(room)
    this.partOf = new Int32Array(room)
  }

  /**
   * cells     how each cell is shown: ABSENT, SOLID or OUTLINED
   * parts     the part of each cell
   * groups    what of a part moves together, for each cell
   * together  a number for each group: faces between groups with equal numbers are inside
   * looks     part -> {colour, line, whole}: linear colours, and whether inner edges are dropped
   */
  choose({ cells, parts, groups, together, looks }) {
    const edges = new Map() // of the faces that are there, once for each group
    let vertices = 0
    let triangles = 0
    const add = (face, cell, sign) => {
      const group = groups[cell]
      const part = parts[cell]
      const look = looks[part]
      const from = this.starts[face]
      const size = this.starts[face + 1] - from
      const solid = cells[cell] === SOLID
      const nx = sign * this.outward[3 * face]
      const ny = sign * this.outward[3 * face + 1]
      const nz = sign * this.outward[3 * face + 2]
      for (let place = 0; place < size; place++) {
        const edge = this.edgeOf[from + place]
        const key = (group * this.edges.length) / 2 + edge
        const known = edges.get(key)
        if (!known) edges.set(key, { edge, group, part, how: cells[cell], faces: 1, nx, ny, nz, bent: false })
        else {
          known.faces++
          known.bent ||= Math.abs(known.nx * nx + known.ny * ny + known.nz * nz) < PARALLEL
        }
      }
      if (!solid) return
      for (let place = 0; place < size; place++) {
        const vertex = vertices + place
        this.cornerOf[vertex] = this.loops[from + place]
        this.groupOf[vertex] = group
        this.normals.set([nx, ny, nz], 3 * vertex)
        this.colours.set(look.colour, 3 * vertex)
      }
      const ears = this.ears[face] ?? fan(size)
      for (let ear = 0; ear < ears.length; ear += 3) {
        const [a, b, c] = [0, 1, 2].map((end) => vertices + ears[ear + end])
        this.index.set(sign > 0 ? [a, b, c] : [a, c, b], 3 * triangles)
        this.partOf[triangles++] = part
      }
      vertices += size
    }
    for (let face = 0; face < this.count; face++) {
      const a = this.sides[2 * face]
      const b = this.sides[2 * face + 1]
      const first = cells[a]
      const second = b < 0 ? ABSENT : cells[b]
      if (!first && !second) continue
      if (first && second && first === second) {
        const joined = first === SOLID ? together[groups[a]] === together[groups[b]] : parts[a] === parts[b]
        if (joined) continue
      }
      if (first) add(face, a, 1)
      if (second) add(face, b, -1)
    }
    Object.assign(this, { vertices, triangles })
    // Within a piece an edge between two faces in one plane is not drawn.
    const drawn = [...edges.values()].filter((one) => one.bent || one.faces !== 2 || !looks[one.part].whole)
    this.lines = this.#linesOf(drawn.filter(({ how }) => how === SOLID), looks, (group) => together[group])
    this.faint = this.#linesOf(drawn.filter(({ how }) => how === OUTLINED), looks, (group) => -1 - group)
  }

  /** Pieces that lie together share their edges: each is drawn once, and those of the chosen piece over the others. */
  #linesOf(edges, looks, together) {
    const known = new Set()
    const lines = edges.filter(({ edge, group, part }) => {
      const key = together(group) * this.edges.length + edge
      if (known.has(key) && !looks[part].chosen) return false
      return known.add(key)
    })
    lines.sort((a, b) => looks[a.part].chosen - looks[b.part].chosen)
    return lines.map(({ edge, group, part }) => [this.edges[2 * edge], this.edges[2 * edge + 1], group, part])
  }

  #nameEdges() {
    const known = new Map()
    const total = this.corners.length / 3
    const ends = []
    this.edgeOf = new Int32Array(this.loops.length)
    for (let face = 0; face < this.count; face++) {
      const from = this.starts[face]
      const to = this.starts[face + 1]
      for (let place = from; place < to; place++) {
        const a = this.loops[place]
        const b = this.loops[place + 1 < to ? place + 1 : from]
        const key = Math.min(a, b) * total + Math.max(a, b)
        let edge = known.get(key)
        if (edge === undefined) {
          edge = known.size
          known.set(key, edge)
          ends.push(a, b)
        }
        this.edgeOf[place] = edge
      }
    }
    this.edges = Int32Array.from(ends)
  }

  #findNormals() {
    this.outward = new Float32Array(3 * this.count)
    for (let face = 0; face < this.count; face++) {
      const from = this.starts[face]
      const to = this.starts[face + 1]
      let x = 0
      let y = 0
      let z = 0
      for (let place = from; place < to; place++) {
        const a = 3 * this.loops[place]
        const b = 3 * this.loops[place + 1 < to ? place + 1 : from]
        const c = this.corners
        x += (c[a + 1] - c[b + 1]) * (c[a + 2] + c[b + 2])
        y += (c[a + 2] - c[b + 2]) * (c[a] + c[b])
        z += (c[a] - c[b]) * (c[a + 1] + c[b + 1])
      }
      const length = Math.hypot(x, y, z) || 1
      this.outward.set([x / length, y / length, z / length], 3 * face)
    }
  }
}

/** The triangles of a convex polygon, as places among its corners. */
function fan(size) {
  return Array.from({ length: size - 2 }, (_, ear) => [0, ear + 1, ear + 2]).flat()
}
