// The main module of a page that plays one puzzle without a server: `exactcover play`.

import { onTheme, read, say, switchTheme } from "exactcover/page.js"
import { fail, notice } from "./notices.js"
import { listedAid } from "./play-listed.js"
import { plural } from "./parts.js"
import { Play } from "./play.js"

const app = Object.assign(new EventTarget(), { puzzle: read("puzzle"), say, fail, notice })

onTheme(() => app.dispatchEvent(new Event("theme")))
document.getElementById("theme").addEventListener("click", switchTheme)
addEventListener("unhandledrejection", (event) => {
  event.preventDefault()
  fail(event.reason)
})
try {
  const aid = await listedAid(app.puzzle, read("aid"))
  const following = read("next") // {title, address} of the next puzzle that the command has written, or null
  window.play = new Play(document.getElementById("view"), app, {
    aid,
    solid: () => read("board"),
    next: async () => following
      ? { title: following.title, open: () => location.assign(following.address) }
      : nextStart(aid.startWithOne()),
  }, new AbortController().signal)
} catch (error) {
  fail(error)
}
window.app = app
window.ready = true

/** Another game on the same board: some pieces are placed, and one solution is left. */
function nextStart(placed) {
  if (!placed.length) return null
  return { title: `${plural(placed.length, "piece")} placed, one solution`, open: () => window.play.again(placed) }
}
