// The faces and edges of solid cells: one mesh and two sets of lines, whatever is shown.
//
// `choose` decides which faces and edges there are, when pieces are shown, hidden or coloured.
// `place` only moves their corners, so that it can be called for every frame of a movement.

import {
  BufferAttribute, BufferGeometry, DoubleSide, FrontSide, LineBasicMaterial, LineSegments, Mesh,
  MeshLambertMaterial,
} from "three"
import { array, JOINT } from "exactcover/page.js"

export const ABSENT = 0
export const SOLID = 1
export const OUTLINED = 2
const OPEN = 3 // an edge where a piece goes on across the joint of a wrapped board
const DASHES = 5 // of such an edge

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
    this.dashed = new Lines({ vertexColors: true }, DASHES)
    this.objects = [this.mesh, ...[this.lines, this.faint, this.dashed].map(({ object }) => object)]
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
    const edges = new EdgeTable(this.edges.length / 2)
    let vertices = 0
    let triangles = 0
    const add = (face, cell, sign, open) => {
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
        edges.add(this.edgeOf[from + place], group, part, open ? OPEN : cells[cell], nx, ny, nz)
      }
      if (!solid) return
      for (let place = 0; place < size; place++) {
        const vertex = vertices + place
        this.cornerOf[vertex] = this.loops[from + place]
        this.groupOf[vertex] = group
        normal.array.set([nx, ny, nz], 3 * vertex)
        color.array.set(look.colour, 3 * vertex)
      }
      const ears = this.ears[face]
      const count = ears ? ears.length / 3 : size - 2
      for (let ear = 0; ear < count; ear++) {
        const [a, b, c] = ears ? [ears[3 * ear], ears[3 * ear + 1], ears[3 * ear + 2]] : [0, ear + 1, ear + 2]
        index[3 * triangles] = vertices + a
        index[3 * triangles + 1] = vertices + (sign > 0 ? b : c)
        index[3 * triangles + 2] = vertices + (sign > 0 ? c : b)
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
      const across = JOINT - b
      const open = b <= JOINT && parts[across] === parts[a] && cells[across] === first && looks[parts[a]].whole
      if (first) add(face, a, 1, open)
      if (second) add(face, b, -1, false)
    }
    this.vertices = vertices
    this.mesh.geometry.setDrawRange(0, 3 * triangles)
    upload(this.mesh.geometry.index, 3 * triangles)
    upload(normal, 3 * vertices)
    upload(color, 3 * vertices)
    this.lines.take(edges, SOLID, this.edges, looks, together)
    this.faint.take(edges, OUTLINED, this.edges, looks, together)
    this.dashed.take(edges, OPEN, this.edges, looks, together)
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
    for (const lines of [this.lines, this.faint, this.dashed]) lines.place(this.corners, shifts)
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

/** The edges of the faces that are there, once for each group. */
class EdgeTable {
  constructor(edges) {
    this.numbers = new Map()
    this.total = edges
    this.edge = []
    this.group = []
    this.part = []
    this.how = []
    this.faces = []
    this.normal = []
    this.bent = []
  }

  add(edge, group, part, how, x, y, z) {
    const key = group * this.total + edge
    const known = this.numbers.get(key)
    if (known === undefined) {
      this.numbers.set(key, this.edge.length)
      this.edge.push(edge)
      this.group.push(group)
      this.part.push(part)
      this.how.push(how)
      this.faces.push(1)
      this.normal.push(x, y, z)
      this.bent.push(false)
      return
    }
    this.faces[known]++
    if (how === OPEN) this.how[known] = OPEN
    const n = this.normal
    const dot = n[3 * known] * x + n[3 * known + 1] * y + n[3 * known + 2] * z
    if (Math.abs(dot) < PARALLEL) this.bent[known] = true
  }

  /** Whether an edge lies between two faces in one plane. */
  isFlat(number) {
    return this.faces[number] === 2 && !this.bent[number]
  }
}

class Lines {
  /** dashes: of how many parts each line is made */
  constructor(material, dashes = 1) {
    this.object = new LineSegments(new BufferGeometry(), new LineBasicMaterial(material))
    this.vertices = 2 * dashes // of each line
    this.room = 0
  }

  take(table, how, ends, looks, together) {
    const chosen = []
    const drawn = new Set()
    for (let number = 0; number < table.edge.length; number++) {
      if (table.how[number] !== how) continue
      if (table.isFlat(number) && looks[table.part[number]].whole) continue
      // Pieces that lie together share their edges: each is drawn once.
      const key = together[table.group[number]] * table.total + table.edge[number]
      if (how !== OUTLINED && drawn.has(key) && !looks[table.part[number]].chosen) continue
      drawn.add(key)
      chosen.push(number)
    }
    // Edges of the chosen piece come last, so that they are drawn over the others.
    chosen.sort((a, b) => (looks[table.part[a]].chosen ? 1 : 0) - (looks[table.part[b]].chosen ? 1 : 0))
    const geometry = this.object.geometry
    this.count = this.vertices * chosen.length
    if (this.count > this.room) {
      this.room = 2 * this.count
      for (const name of ["position", "color"]) {
        geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * this.room), 3))
      }
    }
    this.object.visible = this.count > 0
    if (!this.count) return
    const colours = geometry.attributes.color
    this.chosen = chosen.map((number, place) => {
      const { line } = looks[table.part[number]]
      for (let step = 0; step < this.vertices; step++) {
        colours.array.set(line, 3 * (this.vertices * place + step))
      }
      const edge = 2 * table.edge[number]
      return [ends[edge], ends[edge + 1], table.group[number]]
    })
    geometry.setDrawRange(0, this.count)
    upload(colours, 3 * this.count)
  }

  place(corners, shifts) {
    if (!this.count) return
    const position = this.object.geometry.attributes.position
    let at = 0
    for (const [from, to, group] of this.chosen) {
      for (let step = 0; step < this.vertices; step++) {
        const share = step / (this.vertices - 1)
        for (let axis = 0; axis < 3; axis++) {
          const start = corners[3 * from + axis]
          const place = start + share * (corners[3 * to + axis] - start)
          position.array[at++] = place + shifts[3 * group + axis]
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
