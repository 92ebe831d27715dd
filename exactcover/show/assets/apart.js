// The sliders for solutions and for exploding.

import { sign, slider } from "exactcover/controls.js"

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
