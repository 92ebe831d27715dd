// Sharing a puzzle: a file, or a link that holds it.

import { element } from "exactcover/page.js"
import { download, fileName } from "./files.js"
import { fragment } from "./link.js"
import { kept } from "./play-kept.js"

const LONG = 8000 // letters of a link that some programs cut off

export function shareButton(app) {
  return element("button", { type: "button", class: "small", onclick: () => share(app) }, "Share")
}

async function share(app) {
  const { puzzle } = app
  const address = `${location.origin}${location.pathname}`
  const links = [address + (await fragment(puzzle.toml))]
  const placed = kept(puzzle)?.placed ?? []
  if (placed.length) links.push(address + (await fragment(puzzle.toml, placed)))
  let link = links[0]
  const position = element("input", { type: "checkbox" })
  position.addEventListener("change", () => {
    field.value = link = links[Number(position.checked)]
    field.select()
  })
  const said = element("p", { class: "hint", role: "status" })
  const field = element("input", { id: "link", type: "text", readonly: true, value: link })
  const copy = async () => {
    field.select()
    try {
      await navigator.clipboard.writeText(link)
      said.textContent = "The link is copied."
    } catch {
      said.textContent = "The browser did not allow copying: the link is selected, copy it with Ctrl+C."
    }
  }
  const dialog = element("dialog", { class: "box", "aria-labelledby": "sharing" })
  dialog.append(
    element("h2", { id: "sharing" }, "Share this puzzle"),
    element("label", { for: "link" }, "Link that holds the whole puzzle"),
    element("div", { class: "join" }, field, element("button", { type: "button", onclick: copy }, "Copy")),
    element("p", { class: "hint" },
      "The puzzle stands behind the # of the link, so it never reaches a server. It opens on any computer where “exactcover serve” runs at this address.",
      ...(link.length > LONG ? [` It has ${link.length} letters: some programs cut off such long links, so a file is safer.`] : [])),
    ...(placed.length ? [element("label", { class: "inline" }, position,
      placed.length === 1 ? "With the piece on the board" : `With the ${placed.length} pieces on the board`)] : []),
    said,
    element("p", { class: "hint" },
      "The page to play is one file with the puzzle and its solutions. It works on any computer or phone, without a server."),
    element("div", { class: "row" },
      element("button", { type: "button", class: "main", onclick: (event) => savePage(app, said, event.target) }, "Download page to play"),
      element("button", { type: "button",
        onclick: () => download(fileName(puzzle.title, "toml"), puzzle.toml, "application/toml") }, "Download TOML file"),
      element("button", { type: "button", onclick: () => dialog.close() }, "Close")),
  )
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  field.select()
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
    app.fail(error)
  } finally {
    button.disabled = false
  }
}
