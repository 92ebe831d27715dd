// A box in which one piece is drawn.

import { element } from "exactcover/page.js"
import { Refused } from "./api.js"
import { Board } from "exactcover/board.js"
import { keyOf } from "./draft.js"
import { button, field, openDialog, plural } from "./parts.js"

const SHAPES = ["", "12", "6x6", "4x4x4", "3x3x2x2", "3x2x2x2x2", "2x2x2x2x2x2"] // by dimension
const LARGER = ["", "24", "12x12", "7x7x7", "4x4x4x4", "3x3x3x2x2", "3x2x2x2x2x2"]
const LOW = 544 // pixels

/** Ask for a piece: {name, cells} or null. `piece`: one to change. `taken`: names of others. */
export async function drawPiece(app, lattice, piece, taken) {
  const { data, chosen } = await boardFor(app, lattice, piece)
  const colour = piece?.colour ?? "var(--drawn)"
  const name = element("input", { type: "text", required: true, maxlength: 40, value: piece?.name ?? freeName(taken), autocomplete: "off" })
  const said = element("p", { class: "hint", role: "status" })
  const keys = data.cells.map(keyOf)
  let putting = true
  // In a low window the board stands beside the name; see views.css.
  const width = innerHeight > LOW ? 460 : data.layers.length > 1 ? 420 : innerHeight - 140
  const board = new Board(data, {
    label: "Cells of the piece",
    width,
    ondrag: (cell, event, first) => {
      if (first) putting = !chosen.has(keys[cell])
      if (putting) chosen.add(keys[cell])
      else chosen.delete(keys[cell])
      paint()
    },
  })
  const save = element("button", { type: "submit", class: "main" }, "Take this piece")
  const paint = () => {
    board.paint((cell) => chosen.has(keys[cell]) ? { fill: colour, owner: "piece", pressed: true } : { pressed: false })
    save.disabled = !chosen.size
    said.textContent = chosen.size ? plural(chosen.size, "cell") : "Press cells, or drag over them."
  }
  const form = element("form", { class: "stack tight", method: "dialog" }, field("Name", name), board.element, said,
    element("div", { class: "row" }, save, button("Cancel", () => dialog.close())))
  paint()
  const dialog = openDialog(piece ? `Change the piece ${piece.name}` : "Draw a piece", "wide", form)
  board.focus(data.layers[0].cells[0])
  return new Promise((resolve) => {
    let made = null
    form.addEventListener("submit", (event) => {
      const given = name.value.trim()
      const wrong = /\s/.test(given) || !given ? "The name of a piece is one word, without blanks."
        : taken.has(given) && given !== piece?.name ? `There is a piece ${given} already: take another name.` : null
      if (wrong) {
        event.preventDefault()
        said.textContent = wrong
        name.focus()
        return
      }
      made = { name: given, cells: data.cells.filter((_, cell) => chosen.has(keys[cell])) }
    })
    dialog.addEventListener("close", () => resolve(made))
  })
}

/** A board that the piece fits on, and the keys of its cells there. */
async function boardFor(app, lattice, piece) {
  const { dimension } = app.lattices.find(({ name }) => name === lattice)
  for (const shapes of [SHAPES, LARGER]) {
    const data = await app.api.get(`/boards/${lattice}`, { shape: shapes[dimension] })
    const chosen = piece ? placed(piece.cells, data) : new Set()
    if (chosen) return { data, chosen }
  }
  throw new Refused(`${piece.name} is too large to be changed here.`, 413)
}

/** The piece moved as little as possible so that it lies on the board. */
function placed(cells, data) {
  const there = new Set(data.cells.map(keyOf))
  const moves = data.cells.map((cell) => cell.map((x, axis) => x - cells[0][axis]))
  const length = (move) => move.reduce((sum, x) => sum + Math.abs(x), 0)
  for (const move of moves.sort((a, b) => length(a) - length(b))) {
    const keys = cells.map((cell) => keyOf(cell.map((x, axis) => x + move[axis])))
    if (keys.every((key) => there.has(key))) return new Set(keys)
  }
  return null
}

function freeName(taken) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  for (let number = 0; ; number++) {
    const name = letters[number % 26] + (number < 26 ? "" : Math.floor(number / 26) + 1)
    if (!taken.has(name)) return name
  }
}
