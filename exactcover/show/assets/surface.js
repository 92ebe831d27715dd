// The faces and edges of solid cells: one mesh and two sets of lines, whatever is shown.
//
// `choose` decides which faces and edges there are. `place` only moves their corners, so that it can be
// called for every frame of a movement.

import {
  BufferAttribute, BufferGeometry, DoubleSide, FrontSide, LineBasicMaterial, LineSegments, Mesh,
  MeshLambertMaterial,
} from "three"
import { Faces } from "exactcover/faces.js"

export class Surface {
  constructor(space) {
    this.faces = new Faces(space)
    const { corners, count, partOf, normals, colours, index } = this.faces
    Object.assign(this, { corners, count, partOf })
    this.mesh = new Mesh(
      new BufferGeometry(),
      new MeshLambertMaterial({
        vertexColors: true,
        side: space.thin ? DoubleSide : FrontSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    )
    const attributes = { position: new Float32Array(normals.length), normal: normals, color: colours }
    for (const [name, numbers] of Object.entries(attributes)) {
      this.mesh.geometry.setAttribute(name, new BufferAttribute(numbers, 3))
    }
    this.mesh.geometry.setIndex(new BufferAttribute(index, 1))
    this.lines = new Lines({ vertexColors: true })
    this.faint = new Lines({ vertexColors: true, transparent: true, opacity: 0.8, depthWrite: false })
    this.objects = [this.mesh, this.lines.object, this.faint.object]
    for (const object of this.objects) object.frustumCulled = false
  }

  /** As `Faces.choose`. */
  choose(chosen) {
    this.faces.choose(chosen)
    const { vertices, triangles, lines, faint } = this.faces
    const { geometry } = this.mesh
    geometry.setDrawRange(0, 3 * triangles)
    upload(geometry.index, 3 * triangles)
    upload(geometry.attributes.normal, 3 * vertices)
    upload(geometry.attributes.color, 3 * vertices)
    this.lines.take(lines, chosen.looks)
    this.faint.take(faint, chosen.looks)
  }

  /** Move each group by its own vector. */
  place(shifts) {
    const { position } = this.mesh.geometry.attributes
    const { vertices, cornerOf, groupOf } = this.faces
    for (let vertex = 0; vertex < vertices; vertex++) {
      for (let axis = 0; axis < 3; axis++) {
        position.array[3 * vertex + axis] = this.corners[3 * cornerOf[vertex] + axis] + shifts[3 * groupOf[vertex] + axis]
      }
    }
    upload(position, 3 * vertices)
    this.mesh.geometry.boundingSphere = null
    for (const lines of [this.lines, this.faint]) lines.place(this.corners, shifts)
  }
}

class Lines {
  constructor(material) {
    this.object = new LineSegments(new BufferGeometry(), new LineBasicMaterial(material))
    this.room = 0
  }

  /** lines: [corner, corner, group, part] of each */
  take(lines, looks) {
    const { geometry } = this.object
    this.chosen = lines
    this.count = 2 * lines.length
    if (this.count > this.room) {
      this.room = 2 * this.count
      for (const name of ["position", "color"]) {
        geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * this.room), 3))
      }
    }
    this.object.visible = this.count > 0
    if (!this.count) return
    const colours = geometry.attributes.color
    lines.forEach(([, , , part], place) => {
      for (const end of [0, 1]) colours.array.set(looks[part].line, 3 * (2 * place + end))
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
