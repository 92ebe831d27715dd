// The turning model of one solution, in a frame of the page: the body of `view`, with data of the server.
//
// The address says which: model.html?run=ID&solution=NUMBER&theme=dark.

import { element } from "exactcover/page.js"
import { get } from "./api.js"

const wishes = new URLSearchParams(location.search)
const [run, solution, theme] = ["run", "solution", "theme"].map((name) => encodeURIComponent(wishes.get(name)))
document.documentElement.dataset.theme = theme
document.title = `Solution ${Number(solution) + 1}`

try {
  const [answer, data] = await Promise.all([fetch("/assets/view.html"), get(`/runs/${run}/solutions/${solution}/view.json`)])
  document.body.innerHTML = (await answer.text())
    .replace("<!--TITLE-->", document.title)
    .replace("<!--INSTEAD-->", "The flat picture shows the solution too.")
  Object.assign(document.getElementById("panel"), { tabIndex: 0, role: "region", ariaLabel: "Controls" })
  const carrier = element("script", { type: "application/json", id: "data-view" })
  carrier.textContent = JSON.stringify(data)
  document.body.append(carrier)
  await import("exactcover/view.js")
} catch (error) {
  document.body.replaceChildren(element("main", {}, element("h1", {}, document.title), element("p", {}, error.message)))
  window.ready = true
}
