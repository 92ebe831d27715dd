// The main module of a page that plays one puzzle without a server: `exactcover play`.

import { onTheme, read, say, switchTheme } from "exactcover/page.js"
import { aidOf } from "./aid.js"
import { fail } from "./parts.js"
import { Play } from "./play.js"

const app = Object.assign(new EventTarget(), { puzzle: read("puzzle"), say })
const following = read("next") // {title, address} of the next puzzle that the command has written, or null

onTheme(() => app.dispatchEvent(new Event("theme")))
document.getElementById("theme").addEventListener("click", switchTheme)
addEventListener("unhandledrejection", (event) => {
  event.preventDefault()
  fail(event.reason)
})
try {
  window.play = new Play(document.getElementById("view"), app, {
    aid: await aidOf(app.puzzle, read("aid")),
    solid: app.puzzle.dimension > 2 ? read("board") : null,
    next: async () => following && { title: following.title, open: () => location.assign(following.address) },
  }, new AbortController().signal)
} catch (error) {
  fail(error)
}
window.app = app
window.ready = true
