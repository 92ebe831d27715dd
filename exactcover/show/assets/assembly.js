// Putting a solid together: piece by piece, or by moves of several pieces, in an order that works.

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
  const list = element("ol", { id: "moves" })
  const moves = element("details", { hidden: true }, element("summary", {}, "Moves that take it apart"), list)
  const players = [
    button("Assemble", "p", () => play(true), { "aria-pressed": "false" }),
    button("Take apart", "u", () => play(false), { "aria-pressed": "false" }),
  ]
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
    const { parts, vector, joins } = move
    const distance = joins ? (FAR * stage.radius) / Math.hypot(...vector) : 1
    const at = (share) => {
      const left = forward ? 1 - share : share
      model.sliding = { parts, vector: vector.map((x) => -x * distance * left) }
    }
    model.step = place + 1
    arriving = forward ? place + 1 : place
    at(0)
    viewer.redraw(true)
    viewer.animate(
      (share) => {
        at(share)
        viewer.redraw(false)
      },
      () => {
        goTo(arriving)
        viewer.tell(`${sentence(model, move, forward)}.`)
        done()
      },
    )
  }

  function step(forward) {
    stop()
    moveOne(forward)
  }

  function play(forward) {
    const again = playing
    const same = pressed(forward)
    stop()
    if (again && same) return
    const end = forward ? model.moves.length : 0
    if (model.step === end) goTo(model.moves.length - end)
    const own = (playing = performance.now())
    players[forward ? 0 : 1].setAttribute("aria-pressed", "true")
    const following = () => {
      if (own !== playing) return
      if (model.step === end) stop()
      else moveOne(forward, () => setTimeout(following, still() ? STILL_PAUSE : PAUSE))
    }
    following()
  }

  const pressed = (forward) => players[forward ? 0 : 1].getAttribute("aria-pressed") === "true"

  /** End what moves; a piece on its way is where it was going. */
  function stop() {
    playing = 0
    for (const player of players) player.setAttribute("aria-pressed", "false")
    if (model.sliding) goTo(arriving)
  }

  function refresh() {
    const total = model.moves.length
    control.limit(total)
    control.set(model.step, `${model.step} of ${total}${model.scene.order?.level ? " moves" : ""}`)
    words.textContent = about(model)
    const named = model.scene.order?.level ?? ""
    moves.hidden = !named
    if (list.dataset.scene !== `${model.number}`) {
      list.dataset.scene = model.number
      const steps = named ? model.moves.toReversed() : []
      list.replaceChildren(...steps.map((step) => element("li", {}, sentence(model, step, false))))
    }
    for (const [place, item] of [...list.children].entries()) {
      item.classList.toggle("next", place === total - model.step)
    }
  }

  const box = element(
    "section",
    { "aria-label": "Assembly" },
    control.element,
    element("div", { class: "row" }, ...players),
    words,
    moves,
  )
  viewer.onChange((what) => {
    if (what === "stop") stop()
    if (what === "scene") refresh()
    if (what === "way") box.hidden = model.turning
  })
  return {
    element: box,
    keys: { ".": next, ",": back, p: () => play(true), u: () => play(false) },
    help: [[". , p u", "assembly: next piece, back, play, play back"]],
  }
}

/** A sentence about how the pieces of a scene go together. */
function about({ parts, scene: { order } }) {
  if (order?.level) {
    const [first] = order.level.split(".")
    return `Several pieces move together. Level ${order.level}: ${first} moves until a part comes off.`
  }
  const stuck = order?.stuck ?? []
  if (!stuck.length) return "Each piece moves in on a straight way."
  const names = stuck.map((part) => parts[part].name).join(", ")
  const alone = `No order puts all pieces in one at a time: ${names} hold each other.`
  if (order.status === "stuck") return `${alone} Nor do they come apart if several move together.`
  return `${alone} Whether they come apart if several move together is not decided.`
}

/** A step in words: forward it puts pieces in, backward it takes them out. */
function sentence({ parts }, { parts: moving, vector, count, joins }, forward) {
  const names = moving.map((part) => parts[part].name).join(", ")
  const move = moving.length === 1 ? "moves" : "move"
  if (joins) return `${names} ${move} ${forward ? "in from" : "out to"} ${sideOf(vector)}`
  const to = sideOf(forward ? vector.map((x) => -x) : vector)
  return `${names} ${move} ${count} step${count === 1 ? "" : "s"} to ${to}`
}

/** The side from which a piece comes that moves in this direction. */
function sideOf([x, y, z]) {
  const words = []
  if (Math.abs(z) > 0.3) words.push(z < 0 ? "above" : "below")
  if (Math.abs(y) > 0.3) words.push(y < 0 ? "the back" : "the front")
  if (Math.abs(x) > 0.3) words.push(x < 0 ? "the right" : "the left")
  return words.join(" and ")
}
