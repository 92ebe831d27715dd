// The tray: the pieces that are left, as buttons; and pictures of pieces.

import { element } from "exactcover/page.js"
import { svg } from "exactcover/board.js"
import { colourOf } from "./parts.js"

const PITCH = 17 // pixels of a cell in the tray
const WIDEST = 90

/** The pieces of a game as buttons. `ontake(piece, event)`: one was pressed or the pointer went down on it. */
export class Tray {
  constructor(game, { ontake, ongrab }) {
    this.game = game
    this.element = element("ul", { class: "tray" })
    this.tiles = game.movable.map((piece) => {
      const picture = element("span", { class: "shape" })
      const note = element("span", { class: "note" })
      const button = element("button", {
        "data-piece": piece.name,
        onclick: (event) => ontake(piece, event), onpointerdown: (event) => ongrab(piece, event),
      }, picture, element("span", { class: "name" }, piece.name, note))
      this.element.append(element("li", {}, button))
      return { piece, picture, note, button }
    })
  }

  /**
   * Show what is left. held: the name of the piece in the hand; stuck: names that fit nowhere; meant: the
   * piece of a hint
   */
  show({ held = null, stuck = [], meant = null } = {}) {
    for (const { piece, picture, note, button } of this.tiles) {
      const left = this.game.left(piece)
      const gone = left <= 0
      const colour = colourOf(piece)
      if (picture.dataset.colour !== colour) picture.replaceChildren(outlineOf(piece, colour))
      picture.dataset.colour = colour
      const optional = piece.low === 0
      const copies = left === Infinity ? "any number" : left === 1 && !optional ? "" : `${left} left`
      const words = [gone ? "placed" : copies, stuck.includes(piece.name) && !gone ? "fits nowhere" : ""]
      note.textContent = words.filter(Boolean).join(", ")
      button.setAttribute("aria-disabled", gone)
      button.setAttribute("aria-pressed", held === piece.name)
      button.classList.toggle("meant", piece.name === meant && !gone)
      button.classList.toggle("stuck", stuck.includes(piece.name) && !gone)
    }
  }

  focus(name) {
    const tile = this.tiles.find(({ piece }) => piece.name === name) ?? this.tiles[0]
    tile?.button.focus()
  }
}

function outlineOf({ outline }, colour) {
  const size = Math.max(...outline.layers.map(({ width, height }) => Math.max(width, height)))
  const cells = outline.cells.map((_, cell) => cell)
  return pictureOf(cells, outline, colour, Math.min(PITCH, WIDEST / (size * Math.min(outline.layers.length, 2))))
}

/** A picture of some cells of a board in a colour: layer by layer, with the shadow of the other layers. */
export function pictureOf(cells, board, colour, scale) {
  const wanted = new Set(cells)
  const polygons = (layer) => layer.polygons.filter((_, place) => wanted.has(layer.cells[place]))
  const layers = board.layers.map(polygons).filter((own) => own.length)
  const [xs, ys] = [0, 1].map((axis) => layers.flat(2).map((point) => point[axis]))
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left || 0.1, Math.max(...ys) - top || 0.1]
  const room = 0.06
  const draw = (some, fill) => some.map((points) => {
    const made = svg("polygon", { points: points.join(" "), class: fill ? "own" : "shadow" })
    if (fill) made.style.fill = fill // an attribute `style` is not allowed here
    return made
  })
  return element("div", { class: "ghost-layers" }, ...layers.map((own) => svg("svg", {
    viewBox: `${left - room} ${top - room} ${width + 2 * room} ${height + 2 * room}`,
    width: Math.round(width * scale), "aria-hidden": "true",
  }, ...draw(layers.filter((one) => one !== own).flat()), ...draw(own, colour))))
}
