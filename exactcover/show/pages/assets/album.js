// Turns the pages of an album: one picture at a time, or all on a sheet.
import { element, read, say, shortcuts } from "exactcover/page.js"

const pictures = read("pictures")
const title = read("title")
const [one, all, place, number, back, on, sheet] = [
  "one", "all", "picture", "number", "back", "on", "sheet",
].map((id) => document.getElementById(id))
let current = 0

function show(wanted) {
  current = Math.min(Math.max(wanted, 0), pictures.length - 1)
  place.innerHTML = pictures[current]
  number.value = current + 1
  back.disabled = current === 0
  on.disabled = current === pictures.length - 1
  say(`Solution ${current + 1} of ${pictures.length}`)
}

function spread(wanted) {
  one.hidden = wanted
  all.hidden = !wanted
  sheet.setAttribute("aria-pressed", wanted)
  if (wanted && !all.children.length) all.append(...pictures.map(thumbnail))
}

function thumbnail(svg, place) {
  const open = () => {
    spread(false)
    show(place)
    sheet.focus()
  }
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`
  return element(
    "button",
    { class: "thumbnail", onclick: open },
    element("img", { src: source, alt: `Solution ${place + 1}`, loading: "lazy" }),
    element("span", { "aria-hidden": "true" }, `${place + 1}`),
  )
}

document.getElementById("title").textContent = title
number.max = pictures.length
number.addEventListener("input", () => show(number.value - 1))
back.addEventListener("click", () => show(current - 1))
on.addEventListener("click", () => show(current + 1))
sheet.addEventListener("click", () => spread(all.hidden))
shortcuts({
  ArrowLeft: () => show(current - 1),
  ArrowRight: () => show(current + 1),
  Home: () => show(0),
  End: () => show(pictures.length - 1),
  a: () => spread(all.hidden),
})
if (pictures.length === 1) document.getElementById("turn").hidden = sheet.hidden = true
show(0)
window.ready = true
