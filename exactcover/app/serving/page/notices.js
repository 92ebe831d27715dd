// Errors, shown and announced; a notice stays until the reader closes it.

import { element } from "exactcover/page.js"
import { get } from "./api.js"

const EVERY = 2000 // milliseconds between two questions whether a server that was gone is back

let waiting = false

/** Show a sentence; `kind` is "error" or "news". Returns a function that takes it away. */
export function notice(text, kind = "error", { lasts = kind === "news" ? 6000 : 0, key = text } = {}) {
  const box = document.getElementById("notices")
  for (const one of [...box.children]) if (one.dataset.key === key) one.remove()
  const close = element("button", { type: "button", class: "close", "aria-label": "Close this message" }, "×")
  const made = element("div", { class: `notice ${kind}`, "data-key": key }, element("p", {}, text), close)
  close.addEventListener("click", () => made.remove())
  box.append(made)
  if (lasts) setTimeout(() => made.remove(), lasts)
  return () => made.remove()
}

/** Show an error; one that only tells that a request is not wanted any more is left out. */
export function fail(error) {
  if (error?.name === "AbortError") return
  if (error?.status === 0) serverGone(error.message)
  else notice(error?.message ?? String(error))
  if (error?.status === undefined) console.error(error)
}

function serverGone(sentence) {
  const close = notice(sentence, "error", { key: "gone" })
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
    close()
    document.querySelector('[data-key="gone"]')?.remove()
    notice("The server is back.", "news")
    document.dispatchEvent(new Event("back"))
  }, EVERY)
}
