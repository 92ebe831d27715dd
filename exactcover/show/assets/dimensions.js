// More than three dimensions: blocks side by side, or turning in the fourth.

import { element, still } from "exactcover/page.js"
import { button, choice, section, sign, slider } from "exactcover/controls.js"

const STEP = 5 // degrees of a key
const JUMP = 15 // degrees of a step where nothing may move
const SPEED = [29, 0, 18] // degrees in a second in each plane, while the model keeps turning

const WAYS = [
  ["blocks", "blocks side by side"],
  ["turning", "turning, as balls"],
]

/** The ways to show four dimensions, and the turns; a sentence for more; null for fewer. */
export function dimensionControl(viewer, dimension) {
  if (viewer.model.fourth) return fourthControl(viewer)
  if (dimension <= 3) return null
  const words =
    `The puzzle has ${dimension} dimensions. Its three-dimensional blocks stand in nested grids; ` +
    "turning in further dimensions is shown for four dimensions only."
  return { element: section("Many dimensions", element("p", {}, words)), keys: {}, help: [] }
}

function fourthControl(viewer) {
  const { model } = viewer
  const ways = choice("Shown as", WAYS, (way) => setWay(way === "turning"))
  const turners = [0, 1, 2].map((number) => () => turn(number, degrees(number) + STEP))
  const sliders = ["xw", "yw", "zw"].map((plane, number) =>
    slider(
      `Turn in ${plane}`,
      { max: 360, after: sign("↻", `Turn in ${plane}`, "xyz"[number], turners[number]) },
      (value) => turn(number, value),
    ),
  )
  const keeper = button("Keep turning", "r", keepTurning, { "aria-pressed": "false" })
  let rotating = false

  function setWay(turning) {
    model.turning = turning
    const [way, words] = WAYS[Number(turning)]
    ways.set(way)
    if (!turning) rotating = false
    refresh()
    viewer.changed("way")
    viewer.fit()
    viewer.tell(`Shown as ${words}.`)
  }

  function degrees(number) {
    return Math.round((model.angles[number] * 180) / Math.PI)
  }

  function turn(number, angle) {
    if (!model.turning) setWay(true)
    model.angles[number] = ((((angle % 360) + 360) % 360) * Math.PI) / 180
    refresh()
    viewer.redraw(false)
  }

  function keepTurning() {
    if (!model.turning) setWay(true)
    if (still()) {
      turn(0, degrees(0) + JUMP)
      return
    }
    rotating = !rotating
    refresh()
    let before = performance.now()
    const frame = (now) => {
      if (!rotating) return
      const passed = Math.min(100, now - before) / 1000
      before = now
      SPEED.forEach((speed, number) => {
        const angle = model.angles[number] + (passed * speed * Math.PI) / 180
        model.angles[number] = angle % (2 * Math.PI)
      })
      refresh()
      viewer.redraw(false)
      requestAnimationFrame(frame)
    }
    if (rotating) requestAnimationFrame(frame)
  }

  function refresh() {
    sliders.forEach((each, number) => each.set(degrees(number), `${degrees(number)}°`))
    keeper.setAttribute("aria-pressed", rotating)
  }

  refresh()
  const [x, y, z] = [0, 1, 2].map((number) => (event) => {
    turn(number, degrees(number) + (event.shiftKey ? -STEP : STEP))
  })
  return {
    element: section(
      "Four dimensions",
      ways.element,
      ...sliders.map((one) => one.element),
      element("div", { class: "row" }, keeper),
    ),
    keys: { x, y, z, r: keepTurning, w: () => setWay(!model.turning) },
    help: [
      ["x y z", "turn in the fourth dimension, with shift back"],
      ["r w", "keep turning; turning, or blocks"],
    ],
  }
}
