// The page on which a puzzle turns: the model, its controls, the solutions, the pieces, and keys.

import { element, isDark, onTheme, read, shortcuts, switchTheme } from "exactcover/page.js"
import { Turning } from "exactcover/turning.js"

const KEYS = [
  ["n b", "next and previous solution"],
  ["e a 0", "explode, assemble, reset"],
  [". ,", "put the next piece in, take the last one out"],
  ["← → ↑ ↓ + −", "turn, larger, smaller; or drag, and the wheel"],
  ["d", "light or dark"],
]

const data = read("view")
const turning = new Turning("Model in space")
turning.canvas.id = "canvas"
turning.caption.id = "said"
document.getElementById("stage").append(turning.element, turning.caption)
turning.turn(data).then(start)

function start() {
  if (turning.closed) {
    document.getElementById("pictures").hidden = false
    for (const part of document.querySelectorAll("#stage, .panel")) part.hidden = true
    window.ready = true
    return
  }
  const { model } = turning
  const many = model.scenes.length
  const show = (by) => turning.show((model.number + by + many) % many)
  const which = element("output", {})
  const previous = element("button", { "aria-label": "Previous solution", onclick: () => show(-1) }, "‹")
  const next = element("button", { "aria-label": "Next solution", onclick: () => show(1) }, "›")
  const list = element("ul", { class: "pieces", "aria-label": "Pieces" })
  const help = element("details", { class: "help" }, element("summary", {}, "Keys and gestures"), keyList())
  const theme = element("button", { onclick: switchTheme }, "Light or dark")
  document.getElementById("panel").append(
    ...(many > 1 ? [element("div", { class: "row" }, previous, which, next)] : []),
    turning.controls, list, theme, help)
  turning.changed = () => {
    which.textContent = `Solution ${model.number + 1} of ${many}`
    list.replaceChildren(...model.parts.map(pieceOf))
  }
  turning.changed()
  shortcuts({
    n: () => show(1), b: () => show(-1), e: () => turning.explode(), a: () => turning.assemble(),
    0: () => turning.reset(), ".": () => turning.step(true), ",": () => turning.step(false), d: switchTheme,
    "?": () => (help.open = !help.open), ...turning.keys,
  })
  onTheme(() => {
    turning.repaint()
    turning.changed()
  })
  window.ready = true
}

/** A piece with its colour, in the list: a button hides it or shows it again. */
function pieceOf(part) {
  const swatch = element("i", {})
  swatch.style.background = part.tone[isDark() ? 1 : 0]
  const toggle = () => {
    const place = turning.model.parts.indexOf(part)
    turning.toggle(part)
    document.querySelectorAll(".pieces button")[place].focus()
  }
  return element("li", {}, element("button", { onclick: toggle, "aria-pressed": turning.model.stateOf(part) === "hidden" ? "false" : "true" }, swatch, element("span", {}, part.name)))
}

function keyList() {
  const entries = KEYS.map(([keys, words]) => [
    element("dt", {}, ...keys.split(" ").flatMap((key) => [element("kbd", {}, key), " "])), element("dd", {}, words),
  ])
  return element("dl", {}, ...entries.flat())
}
