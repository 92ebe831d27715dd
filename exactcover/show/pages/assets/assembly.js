// Putting a solid together: piece by piece, each on a straight way, in an order that works.

import { element, still } from "exactcover/page.js"
import { button, section, sign, slider } from "exactcover/controls.js"

const FAR = 2.4 // where a piece comes from, in radii of the model
const PAUSE = 250 // milliseconds between two pieces
const STILL_PAUSE = 900 // the same where pieces jump to their places

const UNKNOWN =
  "No order is known: it is worked out for up to 60 pieces in up to three dimensions, without rods " +
  "in space, and not for wrapped boards."

/** The steps of assembly; a sentence where no order is known of any solution. */
export function assemblyControl(viewer) {
  const { model, stage } = viewer
  if (!model.scenes.some((scene) => scene.order)) {
    return { element: section("Assembly", element("p", { id: "order" }, UNKNOWN)), keys: {}, help: [] }
  }
  const next = () => step(true)
  const back = () => step(false)
  const control = slider(
    "Pieces in place",
    {
      max: model.moves.length,
      before: sign("‹", "Take one piece out", ",", back),
      after: sign("›", "Put one piece in", ".", next),
    },
    (value) => {
      stop()
      goTo(value)
    },
  )
  const words = element("p", { id: "order" })
  const player = button("Assemble", "p", play, { "aria-pressed": "false" })
  let playing = 0
  let arriving = 0 // the step at which a piece on its way arrives

  function goTo(place) {
    viewer.halt()
    model.sliding = null
    model.step = Math.max(0, Math.min(model.moves.length, place))
    refresh()
    viewer.redraw(true)
    viewer.tell()
  }

  /** Move the next piece in, or the last one out. */
  function moveOne(forward, done = () => {}) {
    const place = forward ? model.step : model.step - 1
    const move = model.moves[place]
    if (!move) return
    const [part, ...towards] = move
    const distance = FAR * stage.radius
    const at = (share) => {
      const left = forward ? 1 - share : share
      model.sliding = { part, vector: towards.map((x) => -x * distance * left) }
    }
    model.step = place + 1
    arriving = forward ? place + 1 : place
    at(0)
    viewer.redraw(true)
    const name = model.parts[part].name
    viewer.animate(
      (share) => {
        at(share)
        viewer.redraw(false)
      },
      () => {
        goTo(arriving)
        viewer.tell(`${name} moves ${forward ? "in from" : "out to"} ${sideOf(towards)}.`)
        done()
      },
    )
  }

  function step(forward) {
    stop()
    moveOne(forward)
  }

  function play() {
    if (playing) {
      stop()
      return
    }
    stop()
    if (model.step === model.moves.length) goTo(0)
    const own = (playing = performance.now())
    player.setAttribute("aria-pressed", "true")
    const following = () => {
      if (own !== playing) return
      if (model.step === model.moves.length) stop()
      else moveOne(true, () => setTimeout(following, still() ? STILL_PAUSE : PAUSE))
    }
    following()
  }

  /** End what moves; a piece on its way is where it was going. */
  function stop() {
    playing = 0
    player.setAttribute("aria-pressed", "false")
    if (model.sliding) goTo(arriving)
  }

  function refresh() {
    const { moves, scene } = model
    control.limit(moves.length)
    control.set(model.step, `${model.step} of ${moves.length}`)
    const stuck = scene.order?.stuck ?? []
    const names = stuck.map((part) => model.parts[part].name).join(", ")
    words.textContent = stuck.length
      ? `No order puts all pieces in one at a time: ${names} hold each other.`
      : "Each piece moves in on a straight way."
  }

  const box = element(
    "section",
    { "aria-label": "Assembly" },
    control.element,
    element("div", { class: "row" }, player, words),
  )
  viewer.onChange((what) => {
    if (what === "stop") stop()
    if (what === "scene") refresh()
    if (what === "way") box.hidden = model.way !== "blocks"
  })
  return {
    element: box,
    keys: { ".": next, ",": back, p: play },
    help: [[". , p", "assembly: next piece, back, play"]],
  }
}

/** The side from which a piece comes that moves in this direction. */
function sideOf([x, y, z]) {
  const words = []
  if (Math.abs(z) > 0.3) words.push(z < 0 ? "above" : "below")
  if (Math.abs(y) > 0.3) words.push(y < 0 ? "the back" : "the front")
  if (Math.abs(x) > 0.3) words.push(x < 0 ? "the right" : "the left")
  return words.join(" and ")
}
