// The turning model of one solution or puzzle, in a frame of the page: `view`, with data of the server.
//
// The address says what is shown: model.html?puzzle=ID, or model.html?run=ID&solution=NUMBER.

import { element } from "exactcover/page.js"
import { get } from "./api.js"

const wishes = new URLSearchParams(location.search)
const [run, solution, puzzle, theme] = ["run", "solution", "puzzle", "theme"].map((name) => wishes.get(name))
if (theme) document.documentElement.dataset.theme = theme

try {
  const one = encodeURIComponent
  const where = run ? `/runs/${one(run)}/solutions/${one(solution)}/view.json` : `/puzzles/${one(puzzle)}/view.json`
  const data = await get(where)
  const title = run ? `Solution ${Number(solution) + 1}` : "Puzzle"
  document.title = title
  document.querySelector("h1").textContent = title
  const carrier = element("script", { type: "application/json", id: "data-view" })
  carrier.textContent = JSON.stringify(data)
  document.body.append(carrier)
  await import("exactcover/view.js")
} catch (error) {
  document.getElementById("note").textContent = error.message
  window.ready = true
}
