// The faces and edges of solid cells: one mesh and two sets of lines, whatever is shown.
//
// `choose` decides which faces and edges there are, when pieces are shown, hidden or coloured.
// `place` only moves their corners, so that it can be called for every frame of a movement.

import {
  BufferAttribute, BufferGeometry, DoubleSide, FrontSide, LineBasicMaterial, LineSegments, Mesh,
  MeshLambertMaterial,
} from "three"
import { array } from "exactcover/page.js"

export const ABSENT = 0
export const SOLID = 1
export const OUTLINED = 2

const PARALLEL = 1 - 1e-4

export class Surface {
  constructor(data) {
    this.corners = array(data.corners)
    this.starts = array(data.starts)
    this.loops = array(data.loops)
    this.sides = array(data.sides)
    this.ears = data.ears
    this.count = this.starts.length - 1
    this.#nameEdges()
    this.#findNormals()
    const room = 2 * this.loops.length
    this.mesh = new Mesh(
      new BufferGeometry(),
      new MeshLambertMaterial({
        vertexColors: true,
        side: data.thin ? DoubleSide : FrontSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    )
    const geometry = this.mesh.geometry
    for (const name of ["position", "normal", "color"]) {
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * room), 3))
    }
    geometry.setIndex(new BufferAttribute(new Uint32Array(3 * room), 1))
    this.cornerOf = new Int32Array(room) // of each vertex
    this.groupOf = new Int32Array(room)
    this.partOf = new Int32Array(room) // of each triangle
    this.lines = new Lines({ vertexColors: true })
    this.faint = new Lines({ vertexColors: true, transparent: true, opacity: 0.8, depthWrite: false })
    this.objects = [this.mesh, this.lines.object, this.faint.object]
    for (const object of this.objects) object.frustumCulled = false
  }

  /**
   * cells     how each cell is shown: ABSENT, SOLID or OUTLINED
   * parts     the part of each cell
   * groups    what of a part moves together, for each cell
   * together  a number for each group: faces between groups with equal numbers are inside
   * looks     part -> {colour, line, whole}: linear colours, and whether inner edges are dropped
   */
  choose({ cells, parts, groups, together, looks }) {
    const { position, normal, color } = this.mesh.geometry.attributes
    const index = this.mesh.geometry.index.array
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
      const nx = sign * this.normals[3 * face]
      const ny = sign * this.normals[3 * face + 1]
      const nz = sign * this.normals[3 * face + 2]
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
        normal.array.set([nx, ny, nz], 3 * vertex)
        color.array.set(look.colour, 3 * vertex)
      }
      const ears = this.ears[face] ?? fan(size)
      for (let ear = 0; ear < ears.length; ear += 3) {
        const [a, b, c] = [0, 1, 2].map((end) => vertices + ears[ear + end])
        index.set(sign > 0 ? [a, b, c] : [a, c, b], 3 * triangles)
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
    this.vertices = vertices
    this.mesh.geometry.setDrawRange(0, 3 * triangles)
    upload(this.mesh.geometry.index, 3 * triangles)
    upload(normal, 3 * vertices)
    upload(color, 3 * vertices)
    // Within a piece an edge between two faces in one plane is not drawn.
    const drawn = [...edges.values()].filter((one) => one.bent || one.faces !== 2 || !looks[one.part].whole)
    for (const [lines, sort] of [[this.lines, SOLID], [this.faint, OUTLINED]]) {
      lines.take(drawn.filter(({ how }) => how === sort), this.edges, looks, together)
    }
  }

  /** Move each group by its own vector. */
  place(shifts) {
    const position = this.mesh.geometry.attributes.position
    for (let vertex = 0; vertex < this.vertices; vertex++) {
      const corner = 3 * this.cornerOf[vertex]
      const shift = 3 * this.groupOf[vertex]
      for (let axis = 0; axis < 3; axis++) {
        position.array[3 * vertex + axis] = this.corners[corner + axis] + shifts[shift + axis]
      }
    }
    upload(position, 3 * this.vertices)
    this.mesh.geometry.boundingSphere = null
    for (const lines of [this.lines, this.faint]) lines.place(this.corners, shifts)
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
    this.normals = new Float32Array(3 * this.count)
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
      this.normals.set([x / length, y / length, z / length], 3 * face)
    }
  }
}

/** The triangles of a convex polygon, as places among its corners. */
function fan(size) {
  return Array.from({ length: size - 2 }, (_, ear) => [0, ear + 1, ear + 2]).flat()
}

class Lines {
  constructor(material) {
    this.object = new LineSegments(new BufferGeometry(), new LineBasicMaterial(material))
    this.room = 0
  }

  take(edges, ends, looks, together) {
    const drawn = new Set()
    const chosen = edges.filter(({ edge, group, part, how }) => {
      // Pieces that lie together share their edges: each is drawn once.
      const key = together[group] * ends.length + edge
      if (how !== OUTLINED && drawn.has(key) && !looks[part].chosen) return false
      return drawn.add(key)
    })
    // Edges of the chosen piece come last, so that they are drawn over the others.
    chosen.sort((a, b) => looks[a.part].chosen - looks[b.part].chosen)
    const geometry = this.object.geometry
    this.count = 2 * chosen.length
    if (this.count > this.room) {
      this.room = 2 * this.count
      for (const name of ["position", "color"]) {
        geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * this.room), 3))
      }
    }
    this.object.visible = this.count > 0
    if (!this.count) return
    const colours = geometry.attributes.color
    this.chosen = chosen.map(({ edge, group, part }, place) => {
      for (const end of [0, 1]) colours.array.set(looks[part].line, 3 * (2 * place + end))
      return [ends[2 * edge], ends[2 * edge + 1], group]
    })
    geometry.setDrawRange(0, this.count)
    upload(colours, 3 * this.count)
  }

  place(corners, shifts) {
    if (!this.count) return
    const position = this.object.geometry.attributes.position
    let at = 0
    for (const [from, to, group] of this.chosen) {
      for (const end of [from, to]) {
        for (let axis = 0; axis < 3; axis++) {
          position.array[at++] = corners[3 * end + axis] + shifts[3 * group + axis]
        }
      }
    }
    upload(position, 3 * this.count)
  }
}

/** Hand the first numbers of an attribute to the graphics card again. */
export function upload(attribute, count) {
  attribute.clearUpdateRanges()
  attribute.addUpdateRange(0, count)
  attribute.needsUpdate = true
}
