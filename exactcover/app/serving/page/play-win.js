// The end of a game: what it took, a picture of it, and what to play next.

import { element } from "exactcover/page.js"
import { download, fileName } from "./files.js"
import { pictureOfGame } from "./play-picture.js"

/**
 * Show the end of a game in a dialog. `next`: {title, open} of the next puzzle, or null.
 */
export function showEnd(play, next) {
  const { tally, puzzle, app } = play
  const title = tally.finished ? "Finished by the page" : "Solved!"
  const canvas = pictureOfGame(play, tally.finished ? "one of its solutions" : tally.words)
  canvas.setAttribute("role", "img")
  canvas.setAttribute("aria-label", `Picture of the solution: ${tally.words}`)
  const picture = async () => {
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"))
    return new File([blob], fileName(puzzle.title, "png"), { type: "image/png" })
  }
  const dialog = element("dialog", { class: "box end", "aria-labelledby": "end" })
  const button = (text, action, more = {}) => element("button", { type: "button", onclick: action, ...more }, text)
  const close = (then) => () => {
    dialog.close()
    then?.()
  }
  const share = async () => {
    try {
      await navigator.share({ files: [await picture()], title: puzzle.title, text: `${puzzle.title}: ${tally.words}` })
    } catch (error) {
      app.fail(error) // without those who changed their mind
    }
  }
  dialog.append(
    element("h2", { id: "end" }, title),
    element("p", { class: "tally" }, tally.words),
    canvas,
    element("div", { class: "row" },
      ...(next ? [button(`Next: ${next.title}`, close(next.open), { class: "main" })] : []),
      button("Save picture", async () => download((await picture()).name, await picture(), "image/png")),
      ...(canShare() ? [button("Share …", share)] : []),
      button("Play again", close(() => play.again())),
      button("Look at the board", close())))
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

function canShare() {
  const probe = new File([""], "picture.png", { type: "image/png" })
  return Boolean(navigator.canShare?.({ files: [probe] }))
}
