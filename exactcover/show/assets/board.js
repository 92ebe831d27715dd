// A board of cells as SVG: layers side by side, with names, outlines and marks besides colours.

import { element } from "exactcover/page.js"
import { WAYS, baseOf, lettersOf, middleOf, nextPoint, shapeOf, sidesOf } from "exactcover/geometry.js"

const SVG = "http://www.w3.org/2000/svg"
const [SMALLEST, LARGEST] = [15, 46] // pixels of a cell
const [ROOM, ROOM_OF_LETTERS] = [0.06, 0.6] // round a layer, in cells
let boards = 0

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/**
 * data      the board, as `exactcover.show.board` makes it: its cells, and layers with a polygon for each
 * optional  cells that may stay empty
 * label     what the board is, for readers who listen
 * onpress   (cell, event): a cell was clicked, or Enter or the space bar was pressed on it
 * ondrag    (cell, event, first): instead of `onpress`: the pointer went down on a cell (`first`), or
 *           was dragged onto it
 * onhover   (cell or -1): the pointer, or the focus, is on a cell
 * describe  cell -> what it is, in words
 * width     pixels that the board should fit
 * smallest  pixels of a cell that it has at least
 *
 * Without `onpress` and `ondrag` the board is a picture.
 */
export class Board {
  constructor(data, { label = "Board", optional = [], onpress, ondrag, onhover, describe, width = 620, smallest = SMALLEST } = {}) {
    this.data = data
    this.label = label
    this.active = Boolean(onpress || ondrag)
    this.describe = describe ?? ((cell) => `cell ${data.cells[cell].map((x) => x + 1).join(", ")}`)
    this.id = ++boards
    this.parts = [] // cell -> {group, face, mark, text, name}
    this.shapes = []
    this.layers = []
    this.element = element("div", { class: "board", role: this.active ? "group" : "img", "aria-label": label })
    const widest = Math.max(...data.layers.map((layer) => layer.width), 1)
    const columns = Math.min(data.layers.length, 4)
    this.room = data.layers.some(({ joints }) => joints.length) ? ROOM_OF_LETTERS : ROOM
    for (const layer of data.layers) this.#addLayer(layer)
    this.resize(Math.max(smallest, Math.min(LARGEST, (width / columns - 12) / widest)))
    for (const cell of optional) this.parts[cell].group.classList.add("optional")
    if (this.active) this.#listen({ onpress, ondrag, onhover })
    this.paint(() => ({}))
  }

  #addLayer(layer) {
    const { width, height, cells, polygons } = layer
    const picture = svg("svg", {
      viewBox: `${-this.room} ${-this.room} ${width + 2 * this.room} ${height + 2 * this.room}`,
      "aria-hidden": this.active ? "false" : "true",
    })
    picture.append(patterns(this.id, this.layers.length))
    const faces = svg("g")
    const number = this.layers.length
    cells.forEach((cell, place) => {
      const points = polygons[place]
      const shape = shapeOf(points)
      const corners = points.map((point) => point.join(",")).join(" ")
      const group = svg("g", { "data-cell": cell, class: "cell" })
      const face = svg("polygon", { points: corners, class: "face" })
      const text = svg("text", { x: shape.x })
      group.append(face, text)
      if (this.active) {
        group.setAttribute("role", "button")
        group.setAttribute("tabindex", "-1")
      }
      faces.append(group)
      this.shapes[cell] = { ...shape, layer: number }
      this.parts[cell] = { group, face, text, corners, mark: null, name: "", shown: "" }
    })
    const seams = svg("path", { class: "seams", "aria-hidden": "true" })
    const letters = layer.joints.map(([x, y, letter]) =>
      svg("text", { class: "joint", x, y: y + baseOf(0.4), "font-size": 0.4, "aria-hidden": "true" }, letter))
    picture.append(faces, seams, ...letters)
    this.layers.push({ sides: sidesOf(layer), seams })
    const many = this.data.layers.length > 1
    this.element.append(
      element("figure", { class: "layer" }, picture, ...(many ? [element("figcaption", {}, layer.title)] : [])),
    )
  }

  /** Show the layers at a scale: pixels of a cell. */
  resize(scale) {
    this.scale = scale
    this.element.querySelectorAll("svg").forEach((picture, number) =>
      picture.setAttribute("width", Math.floor((this.data.layers[number].width + 2 * this.room) * scale)))
    this.parts.forEach((_, cell) => this.#write(cell))
  }

  /** Write the name in a cell as large as it fits; one that would be too small is left out. */
  #write(cell) {
    const { name, text } = this.parts[cell]
    const { y, radius } = this.shapes[cell]
    const size = name && lettersOf(name, radius, this.scale)
    text.textContent = size ? name : ""
    if (!size) return
    text.setAttribute("font-size", size)
    text.setAttribute("y", y + baseOf(size))
  }

  /**
   * Show the cells: look(cell) is {fill, ink, text, title, mark, owner, pressed, state}. `mark` is one
   * of "dots", "cross", "ring", "stripes"; cells with the same `owner` are drawn as one piece; `state`
   * is announced after the name of the cell, `title` shown to a pointer that rests there.
   */
  paint(look) {
    const owners = []
    this.data.cells.forEach((_, cell) => {
      const part = this.parts[cell]
      if (!part) return
      const one = look(cell)
      owners[cell] = one.owner ?? (one.fill || null)
      const shown = JSON.stringify(one)
      if (shown === part.shown) return
      part.shown = shown
      part.face.style.fill = one.fill ?? ""
      part.group.classList.toggle("filled", Boolean(one.fill))
      part.face.replaceChildren(...(one.title ? [svg("title", {}, one.title)] : []))
      part.name = one.text ?? ""
      this.#write(cell)
      part.text.style.fill = one.ink ?? ""
      this.#setMark(part, this.shapes[cell].layer, one.mark ?? null, one.ink)
      if (!this.active) return
      part.group.setAttribute("aria-label", [this.describe(cell), one.state].filter(Boolean).join(", "))
      if (one.pressed !== undefined) part.group.setAttribute("aria-pressed", one.pressed)
    })
    const alike = ({ cells: [a, b] }) => owners[a] === (b === undefined ? null : owners[b])
    for (const { sides, seams } of this.layers) {
      const drawn = sides.filter((side) => !alike(side))
      seams.setAttribute("d", drawn.map(({ ends: [x, y, u, v] }) => `M${x} ${y}L${u} ${v}`).join(""))
    }
  }

  /**
   * Show which piece owns each cell (-1: none); the name of a piece stands once a layer.
   * look   piece -> how it looks, with its name as `text`
   * parts  a number for each cell that tells copies of one piece apart
   * empty  cell -> how it looks where no piece is
   */
  paintOwners(owners, look, parts = owners, empty = () => ({})) {
    const named = this.#middles(parts)
    this.paint((cell) => {
      const owner = owners[cell] ?? -1
      if (owner < 0) return empty(cell)
      const { text, ...other } = look(owner)
      return { ...other, owner: parts[cell], text: named.has(cell) ? text : "", title: text }
    })
  }

  #middles(owners) {
    const groups = new Map()
    this.shapes.forEach(({ layer }, cell) => {
      if ((owners[cell] ?? -1) < 0) return
      const key = `${owners[cell]} ${layer}`
      groups.set(key, [...(groups.get(key) ?? []), cell])
    })
    const middle = (cells) => cells[middleOf(cells.map((cell) => [this.shapes[cell].x, this.shapes[cell].y]))]
    return new Set([...groups.values()].map(middle))
  }

  #setMark(part, layer, mark, ink) {
    if (!mark) {
      part.mark?.remove()
      part.mark = null
      return
    }
    part.mark ??= part.group.insertBefore(svg("polygon", { points: part.corners, class: "mark" }), part.text)
    part.mark.setAttribute("fill", `url(#${mark}-${this.id}-${layer})`)
    part.mark.style.color = ink ?? ""
  }

  /** The cell that an element lies in; -1 if it lies in none. */
  cellOf(target) {
    const group = target?.closest?.("[data-cell]")
    return group && this.element.contains(group) ? Number(group.dataset.cell) : -1
  }

  /** Put the focus on a cell. */
  focus(cell) {
    this.#enter(cell)
    this.parts[cell]?.group.focus()
  }

  #enter(cell) {
    this.parts[this.entered]?.group.setAttribute("tabindex", "-1")
    this.entered = cell
    this.parts[cell]?.group.setAttribute("tabindex", "0")
  }

  #listen({ onpress, ondrag, onhover }) {
    const box = this.element
    const press = (cell, event) => (ondrag ? ondrag(cell, event, true) : onpress(cell, event))
    this.#enter(this.data.layers[0]?.cells[0] ?? 0)
    box.addEventListener("keydown", (event) => {
      const cell = this.cellOf(event.target)
      if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === "Enter" || event.key === " ") press(cell, event)
      else if (event.key in WAYS) this.#step(cell, event.key)
      else return
      event.preventDefault()
    })
    box.addEventListener("focusin", (event) => {
      const cell = this.cellOf(event.target)
      if (cell >= 0) this.#enter(cell)
      onhover?.(cell)
    })
    if (ondrag) this.#drag(ondrag)
    else box.addEventListener("click", (event) => {
      const cell = this.cellOf(event.target)
      if (cell >= 0) press(cell, event)
    })
    if (!onhover) return
    let hovered = -1
    const hover = (cell) => cell !== hovered && onhover((hovered = cell))
    box.addEventListener("pointermove", (event) => hover(this.cellOf(event.target)))
    box.addEventListener("pointerleave", () => hover(-1))
  }

  #drag(ondrag) {
    const box = this.element
    box.classList.add("drawn")
    let last = -1
    box.addEventListener("pointerdown", (event) => {
      const cell = this.cellOf(event.target)
      if (cell < 0 || event.button > 0) return
      event.target.releasePointerCapture?.(event.pointerId)
      last = cell
      ondrag(cell, event, true)
    })
    box.addEventListener("pointermove", (event) => {
      if (last < 0 || !event.buttons) return
      const cell = this.cellOf(document.elementFromPoint(event.clientX, event.clientY))
      if (cell < 0 || cell === last) return
      last = cell
      ondrag(cell, event, false)
    })
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      box.addEventListener(end, () => (last = -1))
    }
  }

  #step(cell, key) {
    const middles = this.parts.map(({ face }) => {
      const { left, top, width, height } = face.getBoundingClientRect()
      return [left + width / 2, top + height / 2]
    })
    const next = nextPoint(middles, cell, key)
    if (next >= 0) this.focus(next)
  }
}

/** The patterns that marks are filled with; their ids belong to one layer of one board. */
function patterns(board, layer) {
  const drawn = {
    dots: ["0.25", '<circle cx="0.125" cy="0.125" r="0.045" fill="currentColor"/>'],
    stripes: ["0.22", '<path d="M0 .22L.22 0" stroke="currentColor" stroke-width="0.035"/>'],
    cross: ["1", '<path d="M.25 .25L.75 .75M.75 .25L.25 .75" stroke="currentColor" stroke-width="0.09"/>'],
    ring: ["1", '<circle cx=".5" cy=".5" r=".33" fill="none" stroke="currentColor" stroke-width="0.09"/>'],
  }
  const made = svg("defs")
  made.innerHTML = Object.entries(drawn)
    .map(([name, [size, content]]) =>
      size === "1"
        ? `<pattern id="${name}-${board}-${layer}" width="1" height="1" viewBox="0 0 1 1">${content}</pattern>`
        : `<pattern id="${name}-${board}-${layer}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">${content}</pattern>`)
    .join("")
  return made
}
