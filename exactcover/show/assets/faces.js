// The faces and edges of solid cells that can be seen: geometry alone.

import { array } from "exactcover/geometry.js"

const PARALLEL = 1 - 1e-4

export class Faces {
  /** space: the corners and faces of a board, as `exactcover.show.space` makes them */
  constructor(space) {
    for (const name of ["corners", "starts", "loops", "sides"]) this[name] = array(space[name])
    this.ears = space.ears
    this.normals = Array.from({ length: this.starts.length - 1 }, (_, face) => this.#normalOf(this.#loop(face)))
  }

  /**
   * The faces that can be seen, for each group of cells: [face, side], the side 1 or -1.
   *
   * groups  the number of the group of each cell; -1 where there is none
   * lumps   a value for each cell: between two cells with equal values there is no face
   */
  seen(groups, lumps) {
    const found = []
    const add = (cell, face, side) => {
      if (groups[cell] >= 0) (found[groups[cell]] ??= []).push([face, side])
    }
    for (let face = 0; face < this.normals.length; face++) {
      const [a, b] = [this.sides[2 * face], this.sides[2 * face + 1]]
      if (b >= 0 && lumps[a] === lumps[b]) continue
      add(a, face, 1)
      if (b >= 0) add(b, face, -1)
    }
    return found
  }

  /** The triangles of faces: three numbers for each of their corners, and the normals there. */
  triangles(faces) {
    const [position, normal] = [[], []]
    for (const [face, side] of faces) {
      const loop = this.#loop(face)
      const places = this.ears[face] ?? fan(loop.length)
      for (const place of side > 0 ? places : places.toReversed()) {
        position.push(...this.corner(loop[place]))
        normal.push(...this.normals[face].map((x) => side * x))
      }
    }
    return { position, normal }
  }

  /** The ends of the edges of faces; if `whole`, without those between two faces in one plane. */
  edges(faces, whole) {
    const edges = new Map()
    for (const [face, side] of faces) {
      const loop = this.#loop(face)
      const normal = this.normals[face].map((x) => side * x)
      loop.forEach((from, place) => {
        // Equal ends in equal order have equal depths, so that one of two edges in a place is drawn over the other.
        const ends = [from, loop[(place + 1) % loop.length]].sort((a, b) => a - b)
        const key = ends[0] * this.corners.length + ends[1]
        if (!edges.has(key)) edges.set(key, { ends, normals: [] })
        edges.get(key).normals.push(normal)
      })
    }
    const isFlat = ([u, v, ...others]) => v && !others.length && Math.abs(dot(u, v)) > PARALLEL
    const drawn = [...edges.values()].filter(({ normals }) => !(whole && isFlat(normals)))
    return drawn.flatMap(({ ends }) => ends.flatMap((corner) => this.corner(corner)))
  }

  /** A corner as [x, y, z]. */
  corner(number) {
    return [...this.corners.subarray(3 * number, 3 * number + 3)]
  }

  #loop(face) {
    return this.loops.subarray(this.starts[face], this.starts[face + 1])
  }

  #normalOf(loop) {
    const normal = [0, 0, 0]
    loop.forEach((corner, place) => {
      const [a, b] = [corner, loop[(place + 1) % loop.length]].map((one) => this.corner(one))
      for (const [axis, u, v] of [[0, 1, 2], [1, 2, 0], [2, 0, 1]]) normal[axis] += (a[u] - b[u]) * (a[v] + b[v])
    })
    const length = Math.hypot(...normal)
    return normal.map((x) => x / length)
  }
}

const dot = (u, v) => u.reduce((sum, x, axis) => sum + x * v[axis], 0)

/** The triangles of a convex polygon, as places among its corners. */
function fan(size) {
  return Array.from({ length: size - 2 }, (_, ear) => [0, ear + 1, ear + 2]).flat()
}
