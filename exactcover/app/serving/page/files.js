// Puzzles from files of the reader: chosen, or dropped on the page.

import { element } from "exactcover/page.js"
import { Refused } from "./api.js"

/** Send a file of any format to the server and open what it holds. */
export async function openFile(file, app) {
  try {
    const { bytes } = await app.api.get("/limits")
    // The request is up to four thirds as long as the file.
    if (file.size * 1.4 > bytes) {
      throw new Refused(`${file.name} is too large: it has ${size(file.size)}, and the server takes ${size(bytes)} at once. ` +
        "Start the server with a higher limit, or use the command line.", 413)
    }
    const content = await contentOf(file)
    const { puzzles, refused } = await app.api.post("/puzzles", { ...content, name: file.name })
    for (const { title, why } of refused) app.notice(`${title || file.name}: ${why}`)
    if (!puzzles.length && !refused.length) throw new Refused(`${file.name} holds no puzzle.`, 422)
    if (puzzles.length > 1) chooseOne(puzzles, file.name, app)
    else if (puzzles.length) open(puzzles[0], app)
  } catch (error) {
    app.fail(error)
  }
}

function open(puzzle, app) {
  app.open(puzzle)
  app.go("#run")
}

/** A file that holds several puzzles: which one? */
function chooseOne(puzzles, name, app) {
  const dialog = element("dialog", { class: "box", "aria-labelledby": "which" })
  const buttons = puzzles.map((puzzle) => element("button", { type: "button", onclick: () => {
    dialog.close()
    open(puzzle, app)
  } }, puzzle.title || `${puzzle.board.cells.length} cells`))
  dialog.append(
    element("h2", { id: "which" }, `${name} holds ${puzzles.length} puzzles`),
    element("div", { class: "list" }, ...buttons),
    element("div", { class: "row" }, element("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
  )
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

async function contentOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
  } catch {
    let letters = ""
    for (const byte of bytes) letters += String.fromCharCode(byte)
    return { base64: btoa(letters) }
  }
}

const size = (bytes) => bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** Give the reader a file. */
export function download(name, content, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([content], { type }))
  element("a", { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** A name of a file made of a title. */
export const fileName = (title, ending) =>
  `${(title || "puzzle").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "puzzle"}.${ending}`
