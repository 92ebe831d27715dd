// Numbers and geometry alone: cells on the screen, and points of four dimensions in space.

/** The numbers that `exactcover.show.document` has packed. */
export function array({ type, bytes }) {
  const letters = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
  return new globalThis[`${type}Array`](letters.buffer)
}

/** The middle of a polygon, its area, and the radius of a circle of that area. */
export function shapeOf(points) {
  let area = 0
  let [x, y] = [0, 0]
  points.forEach(([x1, y1], number) => {
    const [x2, y2] = points[(number + 1) % points.length]
    const cross = x1 * y2 - x2 * y1
    area += cross
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
  })
  if (!area) {
    const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length
    return { x: mean(0), y: mean(1), area: 0, radius: 0 }
  }
  return { x: x / (3 * area), y: y / (3 * area), area: Math.abs(area / 2), radius: Math.sqrt(Math.abs(area) / 2 / Math.PI) }
}

/** The number of the point, [x, y], that is nearest to the mean of all. */
export function middleOf(points) {
  const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length)
  const away = points.map((point) => Math.hypot(point[0] - x, point[1] - y))
  const least = Math.min(...away) + 1e-6
  return away.findIndex((one) => one <= least)
}

const LETTERS = 1.02 // size of the letters of a short name, in radii of its cell
const WIDEST = 1.6 // width of a name, in radii
const SMALLEST = 6 // pixels of letters that can be read
const widths = new Map() // name -> its width, if the letters have the size 1
let pen = null

/** The size of the letters of a name in a cell, in the unit of its radius; 0 if they could not be read at a scale. */
export function lettersOf(name, radius, scale) {
  if (!widths.has(name)) {
    pen ??= document.createElement("canvas").getContext("2d")
    pen.font = `650 100px ${getComputedStyle(document.body).fontFamily}`
    widths.set(name, pen.measureText(name).width / 100)
  }
  const size = radius * Math.min(LETTERS, WIDEST / widths.get(name))
  return size * scale < SMALLEST ? 0 : size
}

/** How far below the middle of a cell the letters of a name stand. */
export const baseOf = (size) => 0.35 * size

/** The sides of the cells of a layer: {cells, ends}; a side that two cells share has two cells, and is there once. */
export function sidesOf({ cells, polygons, sides }) {
  return cells.flatMap((cell, place) => {
    const points = polygons[place]
    return points.flatMap((from, number) => {
      const other = sides[place][number] ?? -1
      if (other >= 0 && other < cell) return []
      return [{ cells: other < 0 ? [cell] : [cell, other], ends: [...from, ...points[(number + 1) % points.length]] }]
    })
  })
}

/**
 * The pixels of a cell with which layers fill a box.
 *
 * gap, caption  pixels between two layers, and below each where there are several
 */
export function scaleIn(layers, [width, height], { room = 0, gap = 15, caption = 22 } = {}) {
  const [wide, high] = ["width", "height"].map((side) => Math.max(...layers.map((layer) => layer[side])) + room)
  const below = layers.length > 1 ? caption : 0
  const scales = layers.map((_, number) => {
    const columns = number + 1
    const rows = Math.ceil(layers.length / columns)
    return Math.min((width - gap * (columns - 1)) / columns / wide, (height - rows * below - gap * (rows - 1)) / rows / high)
  })
  return Math.max(...scales)
}

/** The directions of the arrow keys, right and down. */
export const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** The number of the nearest point in the direction of an arrow key; -1 if there is none. */
export function nextPoint(points, from, key) {
  const [dx, dy] = WAYS[key]
  const start = points[from]
  let best = -1
  let least = Infinity
  points.forEach((point, number) => {
    if (!point || number === from) return
    const [x, y] = [point[0] - start[0], point[1] - start[1]]
    const along = x * dx + y * dy
    const across = Math.abs(x * dy - y * dx)
    if (along <= 1 || across > 1.9 * along) return
    const cost = along + 2 * across
    if (cost < least) [best, least] = [number, cost]
  })
  return best
}

/**
 * A function from points of four dimensions to points of space.
 *
 * angles  how far they turn in the planes xw, yw and zw, in radians
 * eye     the distance of the eye in the fourth direction: what is nearer is larger
 */
export function projection(angles, eye) {
  const turns = angles.map((angle) => [Math.cos(angle), Math.sin(angle)])
  return ([...point]) => {
    turns.forEach(([cos, sin], axis) => {
      const [x, w] = [point[axis], point[3]]
      point[axis] = cos * x - sin * w
      point[3] = sin * x + cos * w
    })
    return point.slice(0, 3).map((x) => (x * eye) / (eye - point[3]))
  }
}
