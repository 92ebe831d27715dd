// Choosing a piece, in the list or in the model, and changing how it is shown.

import { element, isDark } from "exactcover/page.js"
import { button, section } from "exactcover/controls.js"
import { STATES } from "exactcover/model.js"

export function pieceControl(viewer) {
  const { model } = viewer
  const list = new PieceList(model, { choose: toggle, change: setState })

  /** Show what has changed, and say it. */
  function changed(sentence) {
    list.refresh()
    viewer.redraw(true)
    viewer.tell(sentence)
  }

  function choose(part) {
    model.chosen = part?.key ?? null
    if (part) list.reveal(part)
    changed(part ? `Piece ${part.name}, ${model.stateOf(part)}.` : "No piece chosen.")
  }

  function toggle(part) {
    choose(part && part.key !== model.chosen ? part : null)
  }

  function next(step) {
    const many = model.parts.length
    const now = model.partNumbers.get(model.chosen) ?? (step > 0 ? -1 : many)
    choose(model.parts[(now + step + many) % many])
  }

  function setState(part, state) {
    model.states.set(part.key, state)
    changed(`${part.name} is ${state}.`)
  }

  /** Do something with the chosen piece, if there is one. */
  function withChosen(action) {
    const part = model.parts[model.partNumbers.get(model.chosen)]
    if (part) action(part)
    else viewer.tell("Choose a piece first.")
  }

  const flip = (state) => () =>
    withChosen((part) => setState(part, model.stateOf(part) === state ? "shown" : state))

  const onlyThis = () =>
    withChosen((part) => {
      for (const other of model.parts) {
        model.states.set(other.key, other === part ? "shown" : "outlined")
      }
      changed(`Only ${part.name} is shown.`)
    })

  function showAll() {
    model.states.clear()
    changed("All pieces are shown.")
  }

  followPointer(viewer, toggle, setState)
  viewer.onChange((what) => {
    if (what === "scene") list.fill()
    if (what === "theme") list.refresh()
  })
  const buttons = [
    button("Outline", "o", flip("outlined")),
    button("Hide", "h", flip("hidden")),
    button("Only this", "i", onlyThis),
    button("Show all", "a", showAll),
  ]
  return {
    element: section("Pieces", list.element, element("div", { class: "row" }, ...buttons)),
    keys: {
      s: (event) => next(event.shiftKey ? -1 : 1),
      o: flip("outlined"),
      h: flip("hidden"),
      i: onlyThis,
      a: showAll,
    },
    help: [
      ["s", "choose the next piece, with shift the one before; or click it"],
      ["o h i a", "outline or hide the chosen piece, show it alone, show all; shift-click hides"],
    ],
  }
}

/** A click chooses a piece, shift-click hides it, and the name of a piece follows the mouse. */
function followPointer({ model, stage }, choose, setState) {
  const tip = document.getElementById("tip")
  let hovering = null

  function partUnder(event) {
    const hit = stage.hit(event, model.targets)
    return hit ? model.parts[model.partOf(hit)] : null
  }

  function showName() {
    const part = hovering && partUnder(hovering)
    tip.hidden = !part
    if (part) {
      const box = stage.canvas.getBoundingClientRect()
      tip.textContent = part.name
      tip.style.left = `${hovering.clientX - box.left}px`
      tip.style.top = `${hovering.clientY - box.top}px`
    }
    hovering = null
  }

  function click(event) {
    const part = partUnder(event)
    if (part && event.shiftKey) setState(part, "hidden")
    else choose(part)
  }

  function hover(event) {
    if (event && !hovering) requestAnimationFrame(showName)
    if (!event) tip.hidden = true
    hovering = event
  }

  stage.onPointer(click, hover)
}

/** The list of pieces: choose one, and change how it is shown. */
class PieceList {
  constructor(model, { choose, change }) {
    this.model = model
    this.choose = choose
    this.change = change
    this.element = element("ul", { class: "pieces", "aria-label": "Pieces" })
  }

  /** Make the list again, for another solution. */
  fill() {
    this.rows = this.model.parts.map((part) => {
      const swatch = element("i", {})
      const name = element(
        "button",
        { class: "name", onclick: () => this.choose(part) },
        swatch,
        element("span", {}, part.name),
      )
      const state = element("button", {
        class: "state",
        onclick: () => {
          const next = STATES[(STATES.indexOf(this.model.stateOf(part)) + 1) % STATES.length]
          this.change(part, next)
        },
      })
      return { part, swatch, name, state }
    })
    this.element.replaceChildren(
      ...this.rows.map(({ name, state }) => element("li", {}, name, state)),
    )
    this.refresh()
  }

  refresh() {
    const shade = isDark() ? 1 : 0
    for (const { part, swatch, name, state } of this.rows) {
      const shown = this.model.stateOf(part)
      swatch.style.background = part.tone[shade]
      name.setAttribute("aria-pressed", part.key === this.model.chosen)
      name.title = part.name
      state.textContent = shown
      state.setAttribute("aria-label", `${part.name}: ${shown}`)
    }
  }

  /** Bring a piece into view in the list, without moving the page. */
  reveal(part) {
    const row = this.rows.find((one) => one.part.key === part.key).name.parentElement
    const top = row.offsetTop - this.element.offsetTop
    const bottom = top + row.offsetHeight
    if (top < this.element.scrollTop) this.element.scrollTop = top
    const seen = this.element.clientHeight
    if (bottom > this.element.scrollTop + seen) this.element.scrollTop = bottom - seen
  }
}
