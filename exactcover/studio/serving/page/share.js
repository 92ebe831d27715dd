// Puzzles that come and go: files of the reader, links that hold a puzzle, pages to play.

import { element } from "exactcover/page.js"
import { button, download, fileName, notice, openDialog } from "./parts.js"
import { base64, packed, unpacked } from "./packing.js"
import { Refused, ask, fileOf } from "./server.js"

const HEAD = "#puzzle="
const MOST = 8 * 2 ** 20 // bytes that a link may unpack to

/** The text of the puzzle that a fragment of an address holds; null if it holds none. */
export async function textIn(hash) {
  if (!hash.startsWith(HEAD)) return null
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await unpacked(hash.slice(HEAD.length), MOST))
  } catch {
    throw new Refused("The link is damaged: its puzzle cannot be read. Ask for the link again, or for the puzzle’s file.", 422)
  }
}

/** Send a file of any format to the server and open what it holds. */
export async function openFile(file, app) {
  const content = base64(new Uint8Array(await file.arrayBuffer()))
  const { puzzles, refused } = await ask("open", { base64: content, name: file.name }).catch((error) => {
    throw new Refused(`${file.name}: ${error.message}`, error.status)
  })
  for (const { title, why } of refused) notice(`${title || file.name}: ${why}`)
  if (puzzles.length === 1) {
    app.open(puzzles[0], "solve")
    return
  }
  const dialog = openDialog(`${file.name} holds ${puzzles.length} puzzles`, "",
    element("div", { class: "list" }, ...puzzles.map((puzzle) => button(puzzle.title || `${puzzle.board.cells.length} cells`, () => {
      dialog.close()
      app.open(puzzle, "solve")
    }))),
    element("div", { class: "row" }, button("Cancel", () => dialog.close())))
}

/** Share the open puzzle: a link, a page to play, its file. */
export async function share({ title, text }) {
  const link = `${location.origin}${location.pathname}${HEAD}${await packed(text)}`
  const said = element("p", { class: "hint", role: "status" })
  const input = element("input", { id: "link", type: "text", readonly: true, value: link })
  const copy = async () => {
    input.select()
    said.textContent = await navigator.clipboard.writeText(link).then(
      () => "The link is copied.",
      () => "The browser did not allow copying: the link is selected, copy it with Ctrl+C.")
  }
  const savePage = async ({ target }) => {
    target.disabled = true
    said.textContent = "The solutions are being searched for, for up to 5 s …"
    try {
      download(fileName(title, "html"), await fileOf({ text, format: "html", title }))
      said.textContent = "The page is saved."
    } finally {
      target.disabled = false
    }
  }
  const isXml = text.startsWith("<")
  const dialog = openDialog("Share this puzzle", "",
    element("label", { for: "link" }, "Link that holds the whole puzzle"),
    element("div", { class: "join" }, input, button("Copy", copy)),
    element("p", { class: "hint" }, "It opens on any computer where “exactcover serve” runs at this address."),
    said,
    element("p", { class: "hint" }, "The page to play is one file, for any computer or phone."),
    element("div", { class: "row" },
      button("Page to play", savePage, { class: "main" }),
      button("Puzzle file", () => download(fileName(title, isXml ? "xmpuzzle" : "toml"), text)),
      button("Close", () => dialog.close())))
}
