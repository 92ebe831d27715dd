// The end of a game: what it took, a picture of it, and what to play next.

import { element, inkOn } from "exactcover/page.js"
import { download, fileName } from "./files.js"
import { baseOf, lettersOf } from "exactcover/geometry.js"
import { button, colourOf, openDialog } from "./parts.js"

const SIZE = 1200 // pixels of its longer side
const SEEN = 3 // times smaller it is shown
const ROOM = 48
const GAP = 0.6 // between layers, in cells
const FONT = 'system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif'

/** Show the end of a game in a dialog. `next`: {title, open} of the next puzzle, or nothing. */
export function showEnd(play, next) {
  const { tally, puzzle } = play
  const canvas = pictureOfGame(play, tally.finished ? "one of its solutions" : tally.words)
  canvas.setAttribute("role", "img")
  canvas.setAttribute("aria-label", `Picture of the solution: ${tally.words}`)
  const picture = async () => {
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"))
    return new File([blob], fileName(puzzle.title, "png"), { type: "image/png" })
  }
  const save = async () => download(fileName(puzzle.title, "png"), await picture())
  // Those who change their mind get no error: it is an AbortError.
  const share = async () => navigator.share({ files: [await picture()], title: puzzle.title, text: `${puzzle.title}: ${tally.words}` })
  const close = (then) => () => {
    dialog.close()
    then?.()
  }
  const dialog = openDialog(tally.finished ? "Finished by the page" : "Solved!", "end",
    element("p", { class: "tally" }, tally.words),
    canvas,
    element("div", { class: "row" },
      ...(next ? [button(`Next: ${next.title}`, close(next.open), { class: "main" })] : []),
      button("Save picture", save),
      ...(canShare() ? [button("Share …", share)] : []),
      button("Play again", close(() => play.again())),
      button("Look at the board", close())))
}

function canShare() {
  const probe = new File([""], "picture.png", { type: "image/png" })
  return Boolean(navigator.canShare?.({ files: [probe] }))
}

/** A canvas with the board, the title of the puzzle and a line below it. */
function pictureOfGame(play, line) {
  const { board, puzzle } = play
  const layers = board.data.layers
  const model = play.model?.snapshot() ?? null
  const before = model ? 1 : 0 // the model stands before the layers
  const columns = Math.ceil(Math.sqrt(layers.length + before))
  const rows = Math.ceil((layers.length + before) / columns)
  const [wide, high] = [Math.max(...layers.map(({ width }) => width)) + GAP, Math.max(...layers.map(({ height }) => height)) + GAP]
  const scale = (SIZE - 2 * ROOM) / Math.max(columns * wide - GAP, rows * high - GAP, 6)
  const canvas = document.createElement("canvas")
  canvas.width = Math.round(Math.max((columns * wide - GAP) * scale, 620) + 2 * ROOM)
  canvas.height = Math.round((rows * high - GAP) * scale + 2 * ROOM + 110)
  const pen = canvas.getContext("2d")
  pen.fillStyle = shade("--ground")
  pen.fillRect(0, 0, canvas.width, canvas.height)
  const owners = ownersOf(play)
  const left = (canvas.width - (columns * wide - GAP) * scale) / 2
  const placeOf = (number) => {
    const slot = number + before
    return [left + (slot % columns) * wide * scale, ROOM + Math.floor(slot / columns) * high * scale]
  }
  if (model) drawInto(pen, model, placeOf(-1), [(wide - GAP) * scale, (high - GAP) * scale])
  layers.forEach((layer, number) =>
    drawLayer(pen, { layer, lines: board.layers[number], at: placeOf(number), scale, owners }))
  writeNames(pen, play, owners, placeOf, scale)
  pen.textAlign = "center"
  pen.fillStyle = shade("--ink")
  pen.font = `650 34px ${FONT}`
  const under = canvas.height - ROOM
  pen.fillText(puzzle.title || "Puzzle", canvas.width / 2, under - 38, canvas.width - 2 * ROOM)
  pen.fillStyle = shade("--soft")
  pen.font = `26px ${FONT}`
  pen.fillText(line, canvas.width / 2, under + 4, canvas.width - 2 * ROOM)
  return canvas
}

/** A colour of the page, by the name of its variable. */
function shade(name) {
  const probe = document.body.appendChild(element("i", { hidden: true }))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The piece that covers each cell, or null. */
function ownersOf(play) {
  const owners = play.game.owners().map((number) =>
    number < 0 ? null : play.pieceCalled(play.game.placed[number].piece))
  for (const [cell, { piece }] of play.fixed) owners[cell] = piece
  return owners
}

/** Draw a layer with the lines that its board has. */
function drawLayer(pen, { layer, lines, at, scale, owners }) {
  pen.save()
  pen.translate(...at)
  pen.scale(scale, scale)
  const empty = shade("--cell")
  layer.cells.forEach((cell, place) => {
    pen.beginPath()
    layer.polygons[place].forEach((corner, number) => pen[number ? "lineTo" : "moveTo"](...corner))
    pen.closePath()
    pen.fillStyle = owners[cell] ? colourOf(owners[cell]) : empty
    pen.fill()
  })
  pen.strokeStyle = shade("--seam")
  pen.lineWidth = 3 / scale
  pen.lineCap = "round"
  pen.stroke(new Path2D(lines.seams.getAttribute("d")))
  pen.restore()
}

/** Draw a picture as large as a box allows, in its middle. */
function drawInto(pen, picture, [x, y], [width, height]) {
  const share = Math.min(width / picture.width, height / picture.height)
  const [w, h] = [picture.width * share, picture.height * share]
  pen.drawImage(picture, x + (width - w) / 2, y + (height - h) / 2, w, h)
}

/** The name of each piece, in the cell where the board has it. */
function writeNames(pen, { board }, owners, placeOf, scale) {
  pen.textAlign = "center"
  board.shapes.forEach(({ x, y, radius, layer }, cell) => {
    const { name } = board.parts[cell]
    const size = name && owners[cell] ? lettersOf(name, radius, scale / SEEN) : 0
    if (!size) return
    pen.fillStyle = inkOn(colourOf(owners[cell]))
    pen.font = `650 ${Math.round(size * scale)}px ${FONT}`
    const [left, top] = placeOf(layer)
    pen.fillText(name, left + x * scale, top + (y + baseOf(size)) * scale)
  })
}
