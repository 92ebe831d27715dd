// Errors, shown and announced; a notice stays until the reader closes it.

import { element } from "exactcover/page.js"
import { get } from "./api.js"
import { button } from "./parts.js"

const NEWS = 6000 // milliseconds that good news stay
const EVERY = 2000 // milliseconds between two questions whether a server that was gone is back

let waiting = false

/** Show a sentence, once at a time; `kind` is "error", or "news", which goes by itself. Returns the notice. */
export function notice(text, kind = "error") {
  close(text)
  const made = element("div", { class: `notice ${kind}` }, element("p", {}, text),
    button("×", () => made.remove(), { class: "close", "aria-label": "Close this message" }))
  document.getElementById("notices").append(made)
  if (kind === "news") setTimeout(() => made.remove(), NEWS)
  return made
}

function close(text) {
  for (const one of document.querySelectorAll("#notices .notice")) if (one.firstChild.textContent === text) one.remove()
}

const unsettled = new Map() // field -> its notice

/** Show the error if what a field asks for fails, in place of the one before. */
export async function settling(field, action) {
  const made = await action.then(() => null, fail)
  unsettled.get(field)?.remove()
  unsettled.set(field, made)
}

/** Show an error; one that only tells that a request is not wanted any more is left out. Returns its notice. */
export function fail(error) {
  if (error?.name === "AbortError") return null
  if (error?.status === undefined) console.error(error)
  return error?.status === 0 ? serverGone(error.message) : notice(error?.message ?? String(error))
}

function serverGone(sentence) {
  notice(sentence)
  if (waiting) return
  waiting = true
  const timer = setInterval(async () => {
    try {
      await get("/limits")
    } catch (error) {
      if (error.status === 0) return
    }
    waiting = false
    clearInterval(timer)
    close(sentence)
    notice("The server is back.", "news")
    document.dispatchEvent(new Event("back"))
  }, EVERY)
}
