// The main module of a page that plays one puzzle without a server: `exactcover play`.

import { onTheme, read, say, switchTheme } from "exactcover/page.js"
import { fail, notice } from "./notices.js"
import { listedAid } from "./play-listed.js"
import { Play } from "./play.js"

const app = Object.assign(new EventTarget(), { puzzle: read("puzzle"), say, fail, notice })

onTheme(() => app.dispatchEvent(new Event("theme")))
document.getElementById("theme").addEventListener("click", switchTheme)
try {
  const aid = await listedAid(app.puzzle, read("aid"))
  const following = read("next") // {title, address} of the next puzzle that the command has written, or null
  window.play = new Play(document.getElementById("view"), app, {
    aid,
    solid: () => read("board"),
    next: async () => following && { title: following.title, open: () => location.assign(following.address) },
  })
} catch (error) {
  fail(error)
}
window.app = app
window.ready = true
