// A box in which one piece is drawn.

import { element } from "exactcover/page.js"
import { Board } from "./board.js"
import { keyOf } from "./draft.js"
import { field, plural } from "./parts.js"

const SHAPES = ["", "12", "6x6", "4x4x4", "3x3x2x2", "3x2x2x2x2", "2x2x2x2x2x2"] // by dimension
const LARGER = ["", "24", "12x12", "7x7x7", "4x4x4x4", "3x3x3x2x2", "3x2x2x2x2x2"]

/** Ask for a piece: {name, cells} or null. `piece`: one to change. `taken`: names of others. */
export async function drawPiece(app, lattice, piece, taken) {
  const found = await boardFor(app, lattice, piece)
  if (!found) return null
  const { data, chosen } = found
  const colour = piece?.colour ?? "var(--accent-soft)"
  const dialog = element("dialog", { class: "box wide", "aria-labelledby": "drawing" })
  const name = element("input", { type: "text", required: true, maxlength: 40, value: piece?.name ?? freeName(taken), autocomplete: "off" })
  const said = element("p", { class: "hint", role: "status" })
  const keys = data.cells.map(keyOf)
  let putting = true
  const board = new Board(data, {
    label: "Cells of the piece",
    width: 460,
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
  const form = element("form", { class: "stack tight", method: "dialog" },
    element("h2", { id: "drawing" }, piece ? `Change the piece ${piece.name}` : "Draw a piece"),
    field("Name", name), board.element, said,
    element("div", { class: "row" }, save, element("button", { type: "button", onclick: () => dialog.close() }, "Cancel")))
  dialog.append(form)
  document.body.append(dialog)
  paint()
  return new Promise((resolve) => {
    let made = null
    form.addEventListener("submit", (event) => {
      const given = name.value.trim()
      if (taken.has(given) && given !== piece?.name) {
        event.preventDefault()
        said.textContent = `There is a piece ${given} already: take another name.`
        name.focus()
        return
      }
      made = { name: given, cells: data.cells.filter((_, cell) => chosen.has(keys[cell])) }
    })
    dialog.addEventListener("close", () => {
      dialog.remove()
      resolve(made)
    })
    dialog.showModal()
    board.focus(data.layers[0].cells[0])
  })
}

/** A board that the piece fits on, and the keys of its cells there. */
async function boardFor(app, lattice, piece) {
  try {
    const dimension = piece ? piece.cells[0].length : null
    for (const shapes of [SHAPES, LARGER]) {
      const shape = shapes[dimensionOf(app, lattice) ?? dimension] ?? ""
      const data = await app.api.get(`/boards/${lattice}`, { shape })
      const chosen = piece ? placed(piece.cells, data) : new Set()
      if (chosen) return { data, chosen }
    }
    throw new Error(`${piece.name} is too large to be changed here.`)
  } catch (error) {
    app.fail(error)
    return null
  }
}

const dimensionOf = (app, lattice) => app.lattices?.find(({ name }) => name === lattice)?.dimension

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
