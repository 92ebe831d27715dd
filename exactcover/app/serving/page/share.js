// Sharing a puzzle: a file, or a link that holds it.

import { element } from "exactcover/page.js"
import { download, fileName } from "./files.js"
import { fragment } from "./link.js"
import { button, checkbox, openDialog } from "./parts.js"
import { kept } from "./play-kept.js"

const LONG = 8000 // letters of a link that some programs cut off

export const shareButton = (app) => button("Share", () => share(app), { class: "small" })

async function share(app) {
  const { puzzle } = app
  const address = `${location.origin}${location.pathname}`
  const { states, at } = kept(puzzle) ?? { states: [[]], at: 0 }
  const placed = states[at]
  const [link, withPieces] = await Promise.all([[], placed].map(async (some) => address + (await fragment(puzzle.text, some))))
  const said = element("p", { class: "hint", role: "status" })
  const input = element("input", { id: "link", type: "text", readonly: true, value: link })
  const pieces = checkbox(placed.length === 1 ? "With the piece on the board" : `With the ${placed.length} pieces on the board`, false, (checked) => {
    input.value = checked ? withPieces : link
    input.select()
  })
  const copy = async () => {
    input.select()
    try {
      await navigator.clipboard.writeText(input.value)
      said.textContent = "The link is copied."
    } catch {
      said.textContent = "The browser did not allow copying: the link is selected, copy it with Ctrl+C."
    }
  }
  const dialog = openDialog("Share this puzzle", "",
    element("label", { for: "link" }, "Link that holds the whole puzzle"),
    element("div", { class: "join" }, input, button("Copy", copy)),
    element("p", { class: "hint" },
      "The puzzle stands behind the # of the link, so it never reaches a server. It opens on any computer where “exactcover serve” runs at this address.",
      ...(link.length > LONG ? [` It has ${link.length} letters: some programs cut off such long links, so a file is safer.`] : [])),
    ...(placed.length ? [pieces] : []),
    said,
    element("p", { class: "hint" },
      "The page to play is one file with the puzzle and its solutions. It works on any computer or phone, without a server."),
    element("div", { class: "row" },
      button("Download page to play", (event) => savePage(app, said, event.target), { class: "main" }),
      button(`Download ${puzzle.form} file`, () => download(fileName(puzzle.title, puzzle.form === "TOML" ? "toml" : "xmpuzzle"), puzzle.text, "text/plain")),
      button("Close", () => dialog.close())))
  input.select()
}

/** Save the puzzle as a page that plays without a server. */
async function savePage(app, said, button) {
  button.disabled = true
  said.textContent = "The solutions are being searched for, for up to 5 s …"
  try {
    const page = await app.withPuzzle((id) => app.api.get(`/puzzles/${id}/play.html`))
    download(fileName(app.puzzle.title, "html"), page, "text/html")
    said.textContent = "The page is saved."
  } catch (error) {
    said.textContent = ""
    throw error
  } finally {
    button.disabled = false
  }
}
