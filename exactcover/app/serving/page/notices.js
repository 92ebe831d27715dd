// Errors, shown and announced; a notice stays until the reader closes it.

import { element } from "exactcover/page.js"
import { get } from "./api.js"
import { button } from "./parts.js"

const NEWS = 6000 // milliseconds that good news stay
const EVERY = 2000 // milliseconds between two questions whether a server that was gone is back

let waiting = false

/** Show a sentence, once at a time; `kind` is "error", or "news", which goes by itself. */
export function notice(text, kind = "error") {
  close(text)
  const made = element("div", { class: `notice ${kind}` }, element("p", {}, text),
    button("×", () => made.remove(), { class: "close", "aria-label": "Close this message" }))
  document.getElementById("notices").append(made)
  if (kind === "news") setTimeout(() => made.remove(), NEWS)
}

function close(text) {
  for (const one of document.querySelectorAll("#notices .notice")) if (one.firstChild.textContent === text) one.remove()
}

/** Show an error; one that only tells that a request is not wanted any more is left out. */
export function fail(error) {
  if (error?.name === "AbortError") return
  if (error?.status === 0) serverGone(error.message)
  else notice(error?.message ?? String(error))
  if (error?.status === undefined) console.error(error)
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
