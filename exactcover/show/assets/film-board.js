// Draws a board: fills its tiles in the colours of the pieces, then the edges between two pieces.
// `render/paint.py` paints the same tiles for films that are files.

import { inkOn, middleOf } from "exactcover/page.js"

const MARGIN = 6 // pixels round the board
const GAP = 0.6 // how far a bar ends before a point where other pieces are, as a share of its width

/** Draws the boards of one film on a canvas. */
export class Board {
  constructor(canvas, film) {
    Object.assign(this, film.board, { canvas, names: film.pieces, palette: film.palette, tones: film.tones })
    this.pen = canvas.getContext("2d")
    this.owner = new Int32Array(film.cells)
    this.sheets = film.board.sheets.map((sheet) => ({ ...sheet, tiles: sheet.tiles.map(tileOf) }))
    const colour = film.palette.length - 1 // that of stationary pieces
    this.fixed = film.fixed.map(([piece, cells]) => ({ piece, cells, colour }))
    this.optional = new Set(film.optional)
  }

  /** Fit the canvas into a width and a height, in pixels of the page. */
  resize(width, height) {
    const sides = [this.width, this.height]
    const room = [width, height].map((side, axis) => (side - 2 * MARGIN) / sides[axis])
    const sharp = Math.min(3, devicePixelRatio)
    this.scale = Math.max(1, Math.min(...room, 80 / this.pitch))
    const [across, down] = sides.map((side) => side * this.scale + 2 * MARGIN)
    Object.assign(this.canvas.style, { width: `${across}px`, height: `${down}px` })
    Object.assign(this.canvas, { width: Math.round(across * sharp), height: Math.round(down * sharp) })
    const [size, away] = [this.scale * sharp, MARGIN * sharp]
    this.pen.setTransform(size, 0, 0, size, away, away)
  }

  /** Draw pieces, and what they leave empty; `dark` says in which colours. */
  draw(placed, dark) {
    const { pen } = this
    const shade = dark ? 1 : 0
    const pieces = [...this.fixed, ...placed]
    this.tone = Object.fromEntries(Object.entries(this.tones).map(([name, both]) => [name, both[shade]]))
    this.fills = pieces.map(({ colour }) => this.palette[colour][shade])
    this.owner.fill(-1)
    pieces.forEach(({ cells }, number) => cells.forEach((cell) => (this.owner[cell] = number)))
    const margin = MARGIN / this.scale
    pen.clearRect(-margin, -margin, this.width + 2 * margin, this.height + 2 * margin)
    pen.lineJoin = pen.lineCap = "round"
    for (const sheet of this.sheets) {
      this.#title(sheet)
      pen.save()
      pen.translate(...sheet.shift)
      if (sheet.solid) this.#solid(sheet)
      else this.#flat(sheet, pieces)
      pen.restore()
    }
  }

  #title({ title, at }) {
    const { pen } = this
    pen.font = `${Math.max(0.32 * this.pitch, 10 / this.scale)}px system-ui, sans-serif`
    pen.textAlign = "left"
    pen.textBaseline = "top"
    pen.fillStyle = this.tone.ink
    pen.fillText(title, ...at)
  }

  /** Draw a line, `width` pixels wide. */
  #line(path, colour, width) {
    const { pen, scale } = this
    pen.strokeStyle = colour
    pen.lineWidth = width / scale
    pen.stroke(path)
  }

  /** Fill a path and draw a line round it. */
  #fill(path, colour, line, width) {
    this.pen.fillStyle = colour
    this.pen.fill(path)
    this.#line(path, line, width)
  }

  /** Bars `size` wide in a colour, on the same in the colour of edges, a bit wider. */
  #bars(path, colour, size, wider) {
    this.#line(path, this.tone.edge, wider * size * this.scale)
    this.#line(path, colour, size * this.scale)
  }

  #ground(cell) {
    return this.optional.has(cell) ? this.tone.optional : this.tone.empty
  }

  /** Add the sides of a tile where its piece ends to a path. */
  #sides({ cell, points, beyond, over }, ends) {
    beyond.forEach((other, side) => {
      // A face beyond which another is hidden by a cell of `over` ends in a fold.
      const fold = over[side] >= 0 && this.owner[over[side]] >= 0
      if (fold || this.owner[other] !== this.owner[cell]) {
        add(ends, [points[side], points[(side + 1) % points.length]])
      }
    })
  }

  // -- side by side -----------------------------------------------------------------------------

  #flat({ tiles, names }, pieces) {
    const { owner, fills, tone } = this
    const edges = new Path2D()
    const [bars, discs] = [2, 1].map((many) => tiles.filter(({ points }) => points.length === many))
    for (const tile of tiles) {
      if (tile.size) continue
      const mine = owner[tile.cell]
      if (mine < 0) {
        this.#fill(tile.path, this.#ground(tile.cell), tone.faint, 0.8)
        continue
      }
      this.#fill(tile.path, fills[mine], fills[mine], 1.3)
      this.#sides(tile, edges)
    }
    this.#line(edges, tone.edge, 1.6)
    this.#barsOf(bars)
    const places = new Map(discs.map(({ cell, points }) => [cell, points[0]]))
    for (const { cell, points, beyond, size } of discs) {
      for (const other of beyond) {
        if (owner[cell] < 0 || owner[other] !== owner[cell]) continue
        this.#line(pathOf([...points, places.get(other)]), fills[owner[cell]], size * this.scale)
      }
    }
    for (const { cell, path } of discs) {
      if (owner[cell] < 0) this.#fill(path, this.#ground(cell), tone.faint, 1)
      else this.#fill(path, fills[owner[cell]], tone.edge, 1)
    }
    this.#names(names, pieces)
  }

  /** Bars; one that ends where other pieces are stops short of that point. */
  #barsOf(bars) {
    const ends = new Map() // point -> the pieces that end there, once for each bar
    for (const bar of bars) {
      if (this.owner[bar.cell] < 0) continue
      for (const point of bar.points.map(String)) {
        ends.set(point, [...(ends.get(point) ?? []), this.owner[bar.cell]])
      }
    }
    const pieces = new Map()
    for (const { cell, points, path, size } of bars) {
      const mine = this.owner[cell]
      if (mine < 0) {
        this.#line(path, this.tone.faint, 2)
        continue
      }
      const short = points.map((point) => {
        const there = ends.get(String(point))
        return there.length > 1 && there.filter((one) => one === mine).length === 1 ? GAP * size : 0
      })
      if (!pieces.has(mine)) pieces.set(mine, { path: new Path2D(), size })
      add(pieces.get(mine).path, cut(points, short))
    }
    for (const [mine, { path, size }] of pieces) this.#bars(path, this.fills[mine], size, 1.25)
  }

  #names(names, pieces) {
    const { pen } = this
    pen.textAlign = "center"
    pen.textBaseline = "middle"
    pieces.forEach(({ piece, cells }, number) => {
      const here = cells.filter((cell) => names[cell]).sort((a, b) => a - b).map((cell) => names[cell])
      if (!here.length) return
      const [x, y, room] = here[middleOf(here)]
      const text = this.names[piece]
      const size = Math.min(1.1 * room, (1.9 * room) / (0.62 * text.length))
      if (size * this.scale < 6) return
      pen.font = `${size}px system-ui, sans-serif`
      pen.fillStyle = inkOn(this.fills[number])
      pen.fillText(text, x, y + 0.04 * size)
    })
  }

  // -- solids, from the back to the front --------------------------------------------------------

  #solid({ tiles, floor }) {
    const { owner, tone } = this
    for (const points of floor) this.#fill(pathOf(pointsOf(points)), tone.empty, tone.faint, 0.8)
    for (const { cell, points, path, size } of tiles) {
      if (!size || owner[cell] >= 0) continue
      if (points.length === 1) this.#fill(disc(points[0], 0.3 * size), tone.empty, tone.faint, 0.8)
      else this.#line(path, tone.faint, 0.8)
    }
    for (const tile of tiles) {
      const { cell, points, path, size, light, front } = tile
      if (owner[cell] < 0 || (front >= 0 && owner[front] >= 0)) continue
      const fill = shaded(this.fills[owner[cell]], light)
      if (!size) {
        this.#fill(path, fill, fill, 0.7)
        const ends = new Path2D()
        this.#sides(tile, ends)
        this.#line(ends, tone.edge, 1.3)
        continue
      }
      if (points.length === 1) this.#ball(tile, fill)
      else this.#bars(path, fill, size, 1.2)
    }
  }

  #ball({ points: [[x, y]], size, path }, fill) {
    this.#fill(path, fill, this.tone.edge, 1)
    const gloss = this.pen.createRadialGradient(x - 0.3 * size, y - 0.4 * size, 0, x, y, 1.5 * size)
    gloss.addColorStop(0, "rgb(255 255 255 / 55%)")
    gloss.addColorStop(0.45, "rgb(255 255 255 / 0%)")
    gloss.addColorStop(1, "rgb(0 0 0 / 35%)")
    this.pen.fillStyle = gloss
    this.pen.fill(path)
  }
}

/** A tile with its points, and the path round it; see `Tile` in `render/tiles.py`. */
function tileOf([cell, numbers, beyond, size, light, front, over]) {
  const points = pointsOf(numbers)
  const path = points.length === 1 ? disc(points[0], size) : pathOf(points)
  return { cell, points, path, beyond, size, light, front, over }
}

/** Points from their coordinates, one after the other. */
function pointsOf(numbers) {
  return numbers.flatMap((x, at) => (at % 2 ? [] : [[x, numbers[at + 1]]]))
}

/** A polygon, or a line between two points. */
function pathOf(points) {
  const path = new Path2D()
  for (const point of points) path.lineTo(...point)
  if (points.length > 2) path.closePath()
  return path
}

function add(path, [from, to]) {
  path.moveTo(...from)
  path.lineTo(...to)
}

function disc([x, y], radius) {
  const path = new Path2D()
  path.arc(x, y, radius, 0, 2 * Math.PI)
  return path
}

/** A line without its first and last part, of these lengths. */
function cut([[x1, y1], [x2, y2]], [first, second]) {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length]
  return [[x1 + first * dx, y1 + first * dy], [x2 - second * dx, y2 - second * dy]]
}

/** A colour in less light. */
function shaded(colour, light) {
  if (light >= 1) return colour
  const part = (at) => Math.round(parseInt(colour.slice(at, at + 2), 16) * light)
  return `rgb(${part(1)} ${part(3)} ${part(5)})`
}
