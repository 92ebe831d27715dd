// Choosing a piece, in the list or in the model, and changing how it is shown.

import { element } from "exactcover/page.js"
import { button, section } from "exactcover/controls.js"
import { PieceList } from "exactcover/pieces.js"

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
