// Puzzles from files of the reader: chosen, or dropped on the page.

import { element } from "exactcover/page.js"
import { base64 } from "./deflate.js"
import { button, openDialog } from "./parts.js"

/** Send a file of any format to the server and open what it holds. */
export async function openFile(file, app) {
  const content = base64(new Uint8Array(await file.arrayBuffer()))
  const { puzzles, refused } = await app.api.post("/puzzles", { base64: content, name: file.name })
  for (const { title, why } of refused) app.notice(`${title || file.name}: ${why}`)
  if (puzzles.length > 1) chooseOne(puzzles, file.name, app)
  else if (puzzles.length) open(puzzles[0], app)
}

function open(puzzle, app) {
  app.open(puzzle)
  app.go("#run")
}

/** A file that holds several puzzles: which one? */
function chooseOne(puzzles, name, app) {
  const dialog = openDialog(`${name} holds ${puzzles.length} puzzles`, "",
    element("div", { class: "list" }, ...puzzles.map((puzzle) => button(puzzle.title || `${puzzle.board.cells.length} cells`, () => {
      dialog.close()
      open(puzzle, app)
    }))),
    element("div", { class: "row" }, button("Cancel", () => dialog.close())))
}

/** Give the reader a file. */
export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }))
  element("a", { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** A name of a file made of a title. */
export const fileName = (title, ending) =>
  `${(title || "puzzle").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "puzzle"}.${ending}`
