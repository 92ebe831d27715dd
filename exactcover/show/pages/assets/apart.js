// Taking a solid apart: the sliders for solutions, for exploding, and for peeling off layers.

import { element } from "exactcover/page.js"
import { choice, sign, slider } from "exactcover/controls.js"
import { SIDES } from "exactcover/model.js"

const EXPLODED = 0.8 // how far the key explodes; the slider goes farther
const FARTHEST = 1.5

/** The next solution and the one before. */
export function solutionControl(viewer) {
  const { model, many } = viewer
  const next = () => viewer.show(model.number + 1)
  const previous = () => viewer.show(model.number - 1)
  const control = slider(
    "Solution",
    {
      min: 1,
      max: many,
      value: 1,
      before: sign("‹", "Previous solution", "b", previous),
      after: sign("›", "Next solution", "n", next),
    },
    (value) => viewer.show(value - 1),
  )
  viewer.onChange((what) => {
    if (what === "scene") control.set(model.number + 1, `${model.number + 1} of ${many}`)
  })
  return {
    element: control.element,
    keys: { n: next, b: previous },
    help: [["n b", "next and previous solution"]],
  }
}

/** Moves the pieces apart. */
export function explodeControl(viewer) {
  const { model } = viewer
  const control = slider(
    "Explode",
    { max: FARTHEST, step: 0.01, after: sign("↔", "Explode, or join again", "e", toggle) },
    (value) => {
      viewer.halt()
      explode(value)
    },
  )
  control.set(0, "0 %")

  function explode(value) {
    const again = value > 0 !== model.apart > 0
    model.apart = value
    control.set(value, `${Math.round(100 * value)} %`)
    viewer.redraw(again)
  }

  function toggle() {
    viewer.changed("stop")
    const from = model.apart
    const to = from > 0.01 ? 0 : EXPLODED
    viewer.animate((share) => explode(from + share * (to - from)))
    viewer.tell(to ? "Exploded." : "Together.")
  }

  return { element: control.element, keys: { e: toggle }, help: [["e", "explode, or join again"]] }
}

/** Removes cells by layers; null where the model has one layer on every side. */
export function peelControl(viewer) {
  const { model } = viewer
  const sides = SIDES.map(({ name }, number) => [number, name]).filter(
    ([number]) => model.layers[number].count > 1,
  )
  if (!sides.length) return null
  const more = () => peel(model.peeled + 1)
  const fewer = () => peel(model.peeled - 1)
  const control = slider(
    "Layers peeled off",
    {
      max: 0,
      before: sign("−", "One layer back", "k", fewer),
      after: sign("+", "Peel off one layer", "l", more),
    },
    peel,
  )
  const side = choice("Peel", sides, (number) => {
    begin(Number(number))
    viewer.redraw(true)
    viewer.tell()
  })
  begin(sides[0][0])

  function begin(number) {
    model.side = number
    model.peeled = 0
    control.limit(model.depth - 1)
    control.set(0, `0 of ${model.depth}`)
  }

  function peel(number) {
    model.peeled = Math.max(0, Math.min(model.depth - 1, number))
    control.set(model.peeled, `${model.peeled} of ${model.depth}`)
    viewer.redraw(true)
    viewer.tell()
  }

  const box = element("section", { "aria-label": "Layers" }, control.element, side.element)
  viewer.onChange((what) => {
    if (what === "way") box.hidden = model.way !== "blocks"
  })
  return { element: box, keys: { l: more, k: fewer }, help: [["l k", "peel off one layer more, one less"]] }
}
