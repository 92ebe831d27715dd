// Draws a board: fills its tiles in the colours of the pieces, then the edges between two pieces.
// `render/paint.py` paints the same tiles for films that are files.

import { JOINT } from "exactcover/page.js"

const DASHES = [2.5, 3.5] // pixels

/** Draws the boards of one film on a canvas. */
export class Board {
  constructor(canvas, film) {
    this.canvas = canvas
    this.film = film
    this.pen = canvas.getContext("2d")
    this.owner = new Int32Array(film.cells)
    this.fixed = film.fixed.map(([piece, cells, named]) => ({ piece, cells, named, colour: -1 }))
    this.optional = new Set(film.optional)
  }

  /** Fit the canvas into a width and a height, in pixels of the page. */
  resize(width, height) {
    const { board } = this.film
    const margin = 6
    this.scale = Math.max(1, Math.min((width - 2 * margin) / board.width,
      (height - 2 * margin) / board.height, 80 / board.pitch))
    const across = board.width * this.scale + 2 * margin
    const down = board.height * this.scale + 2 * margin
    const sharp = Math.min(3, devicePixelRatio || 1)
    this.canvas.style.width = `${across}px`
    this.canvas.style.height = `${down}px`
    this.canvas.width = Math.round(across * sharp)
    this.canvas.height = Math.round(down * sharp)
    this.pen.setTransform(this.scale * sharp, 0, 0, this.scale * sharp, margin * sharp, margin * sharp)
    this.margin = margin / this.scale
  }

  /** Draw pieces, and what they leave empty; `dark` says in which colours. */
  draw(placed, dark) {
    const { board, palette, tones } = this.film
    const shade = dark ? 1 : 0
    const tone = {}
    for (const [name, both] of Object.entries(tones)) tone[name] = both[shade]
    const pieces = [...this.fixed, ...placed].filter((one) => one.piece >= 0)
    this.owner.fill(-1)
    this.fills = pieces.map((one) => (one.colour < 0 ? tone.fixed : palette[one.colour][shade]))
    const { inks } = this.film
    this.inks = pieces.map((one) => (one.colour < 0 ? inks.fixed : inks.palette[one.colour])[shade])
    pieces.forEach((one, number) => { for (const cell of one.cells) this.owner[cell] = number })
    const pen = this.pen
    pen.clearRect(-this.margin, -this.margin, board.width + 2 * this.margin, board.height + 2 * this.margin)
    pen.lineJoin = pen.lineCap = "round"
    for (const sheet of board.sheets) {
      if (sheet.title) this.#title(sheet, tone)
      pen.save()
      pen.translate(...sheet.shift)
      if (sheet.solid) this.#solid(sheet, tone)
      else this.#flat(sheet, tone)
      if (!sheet.solid) this.#names(sheet, pieces)
      pen.restore()
    }
  }

  #title(sheet, tone) {
    const { pen } = this
    const size = Math.max(0.32 * this.film.board.pitch, 10 / this.scale)
    pen.font = `${size}px system-ui, sans-serif`
    pen.textAlign = "left"
    pen.textBaseline = "top"
    pen.fillStyle = tone.ink
    pen.fillText(sheet.title, sheet.at[0], sheet.at[1])
  }

  // -- side by side -----------------------------------------------------------------------------

  #flat(sheet, tone) {
    const { pen, owner } = this
    const thin = 0.8 / this.scale
    const edges = new Path2D()
    const joints = new Path2D()
    const bars = []
    const discs = []
    for (const tile of sheet.tiles) {
      const [cell, points, beyond, size] = tile
      if (size && points.length === 4) { bars.push(tile); continue }
      if (size) { discs.push(tile); continue }
      const mine = owner[cell]
      const fill = mine >= 0 ? this.fills[mine] : this.optional.has(cell) ? tone.optional : tone.empty
      const path = polygon(points)
      pen.fillStyle = fill
      pen.fill(path)
      pen.strokeStyle = mine >= 0 ? fill : tone.faint
      pen.lineWidth = mine >= 0 ? 1.3 / this.scale : thin
      pen.stroke(path)
      if (mine >= 0) this.#sides(mine, points, beyond, edges, joints)
    }
    pen.strokeStyle = tone.edge
    pen.lineWidth = 1.6 / this.scale
    pen.stroke(edges)
    this.#dashed(joints, 1)
    if (bars.length) this.#bars(bars, tone)
    if (discs.length) this.#discs(discs, tone)
    this.#stubs([...bars, ...discs], tone)
  }

  /**
   * Add the sides of a tile where its piece ends to `edges`, and where it goes on across to `joints`.
   * A face beyond which another is hidden by a cell of `over` ends in a fold.
   */
  #sides(mine, points, beyond, edges, joints, over = []) {
    beyond.forEach((other, side) => {
      const joint = other <= JOINT
      const fold = over[side] >= 0 && this.owner[over[side]] >= 0
      if (fold || this.owner[joint ? JOINT - other : other] !== mine) line(edges, points, side)
      else if (joint) line(joints, points, side)
    })
  }

  #dashed(path, width) {
    const { pen } = this
    pen.setLineDash(DASHES.map((length) => length / this.scale))
    pen.lineWidth = width / this.scale
    pen.stroke(path)
    pen.setLineDash([])
  }

  /** Dashed lines from bars and discs to where a piece goes on across the joint. */
  #stubs(tiles, tone) {
    const path = new Path2D()
    for (const [cell, , , , , , , stubs = []] of tiles) {
      for (const [other, ...points] of stubs) {
        if (this.owner[cell] >= 0 && this.owner[cell] === this.owner[other]) line(path, points, 0)
      }
    }
    this.pen.strokeStyle = tone.edge
    this.#dashed(path, 1.6)
  }

  /** Bars; one that ends where other pieces are stops short of that point. */
  #bars(bars, tone) {
    const { pen, owner } = this
    const ends = new Map()
    const pieces = new Map()
    for (const [cell, points, nodes, size] of bars) {
      const mine = owner[cell]
      if (mine < 0) {
        pen.strokeStyle = tone.faint
        pen.lineWidth = 2 / this.scale
        stroke(pen, points)
        continue
      }
      if (!pieces.has(mine)) pieces.set(mine, [])
      pieces.get(mine).push([points, nodes, size])
      for (const node of nodes) {
        if (!ends.has(node)) ends.set(node, new Map())
        const there = ends.get(node)
        there.set(mine, (there.get(mine) ?? 0) + 1)
      }
    }
    for (const [mine, lines] of pieces) {
      const shortened = lines.map(([points, nodes, size]) => {
        const short = nodes.map((node) =>
          ends.get(node).get(mine) === 1 && ends.get(node).size > 1 ? 0.6 * size : 0)
        return [cut(points, short), size]
      })
      for (const [colour, wide] of [[tone.edge, 1.25], [this.fills[mine], 1]]) {
        pen.strokeStyle = colour
        for (const [points, size] of shortened) {
          pen.lineWidth = wide * size
          stroke(pen, points)
        }
      }
    }
  }

  #discs(discs, tone) {
    const { pen, owner } = this
    const places = new Map(discs.map(([cell, points]) => [cell, points]))
    for (const [cell, [x, y], others, size] of discs) {
      const mine = owner[cell]
      for (const other of others) {
        if (mine < 0 || owner[other] !== mine) continue
        pen.strokeStyle = this.fills[mine]
        pen.lineWidth = size
        stroke(pen, [x, y, ...places.get(other)])
      }
    }
    for (const [cell, [x, y], , size] of discs) {
      const mine = owner[cell]
      pen.fillStyle = mine >= 0 ? this.fills[mine] : this.optional.has(cell) ? tone.optional : tone.empty
      pen.strokeStyle = mine >= 0 ? tone.edge : tone.faint
      pen.lineWidth = 1 / this.scale
      disc(pen, x, y, size)
    }
  }

  // -- solids, from the back to the front --------------------------------------------------------

  #solid(sheet, tone) {
    const { pen, owner } = this
    pen.lineWidth = 0.8 / this.scale
    for (const points of sheet.floor) {
      const path = polygon(points)
      pen.fillStyle = tone.empty
      pen.fill(path)
      pen.strokeStyle = tone.faint
      pen.stroke(path)
    }
    for (const [cell, points, , size] of sheet.tiles) {
      if (!size || owner[cell] >= 0) continue
      pen.fillStyle = tone.empty
      pen.strokeStyle = tone.faint
      if (points.length === 2) disc(pen, points[0], points[1], 0.3 * size)
      else stroke(pen, points)
    }
    for (const tile of sheet.tiles) {
      const [cell, points, beyond, size, light, front, over] = tile
      const mine = owner[cell]
      if (mine < 0 || (front >= 0 && owner[front] >= 0)) continue
      const fill = shaded(this.fills[mine], light)
      if (size && points.length === 2) this.#ball(points, size, fill, tone)
      else if (size) {
        for (const [colour, wide] of [[tone.edge, 1.2], [fill, 1]]) {
          pen.strokeStyle = colour
          pen.lineWidth = wide * size
          stroke(pen, points)
        }
      } else {
        const path = polygon(points)
        pen.fillStyle = pen.strokeStyle = fill
        pen.lineWidth = 0.7 / this.scale
        pen.fill(path)
        pen.stroke(path)
        const [edges, joints] = [new Path2D(), new Path2D()]
        this.#sides(mine, points, beyond, edges, joints, over)
        pen.strokeStyle = tone.edge
        pen.lineWidth = 1.3 / this.scale
        pen.stroke(edges)
        this.#dashed(joints, 0.9)
      }
      if (size) this.#stubs([tile], tone)
    }
  }

  #ball([x, y], size, fill, tone) {
    const { pen } = this
    pen.fillStyle = fill
    pen.strokeStyle = tone.edge
    pen.lineWidth = 1 / this.scale
    disc(pen, x, y, size)
    const gloss = pen.createRadialGradient(x - 0.3 * size, y - 0.4 * size, 0, x, y, 1.5 * size)
    gloss.addColorStop(0, "rgba(255,255,255,.55)")
    gloss.addColorStop(0.45, "rgba(255,255,255,0)")
    gloss.addColorStop(1, "rgba(0,0,0,.35)")
    pen.fillStyle = gloss
    pen.strokeStyle = "transparent"
    disc(pen, x, y, size)
  }

  // -- names --------------------------------------------------------------------------------------

  #names(sheet, pieces) {
    const { pen } = this
    pen.textAlign = "center"
    pen.textBaseline = "middle"
    pieces.forEach((one, number) => {
      const spot = one.named.map((cell) => sheet.names[cell]).find(Boolean)
      if (!spot) return
      const [x, y, room] = spot
      const text = this.film.pieces[one.piece]
      const size = Math.min(1.1 * room, (1.9 * room) / (0.62 * text.length))
      if (size * this.scale < 6) return
      pen.font = `${size}px system-ui, sans-serif`
      pen.fillStyle = this.inks[number]
      pen.fillText(text, x, y + 0.04 * size)
    })
  }
}

function polygon(points) {
  const path = new Path2D()
  for (let i = 0; i < points.length; i += 2) path.lineTo(points[i], points[i + 1])
  path.closePath()
  return path
}

function line(path, points, side) {
  const from = 2 * side
  const to = (from + 2) % points.length
  path.moveTo(points[from], points[from + 1])
  path.lineTo(points[to], points[to + 1])
}

function stroke(pen, [x1, y1, x2, y2]) {
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x2, y2)
  pen.stroke()
}

function disc(pen, x, y, radius) {
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
  pen.fill()
  pen.stroke()
}

function cut([x1, y1, x2, y2], [first, second]) {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length]
  return [x1 + first * dx, y1 + first * dy, x2 - second * dx, y2 - second * dy]
}

/** A colour in less light. */
function shaded(colour, light) {
  if (light >= 1) return colour
  const part = (at) => Math.round(parseInt(colour.slice(at, at + 2), 16) * light)
  return `rgb(${part(1)},${part(3)},${part(5)})`
}
