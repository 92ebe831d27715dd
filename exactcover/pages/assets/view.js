// The page on which a puzzle turns: the controls, and what each of them does.

import {
  element, isDark, onTheme, read, say, shortcuts, still, switchTheme,
} from "exactcover/page.js"
import { button, choice, key, section, sign, slider } from "exactcover/controls.js"
import { Model, SIDES } from "exactcover/model.js"
import { PieceList } from "exactcover/pieces.js"
import { Stage, told } from "exactcover/scene.js"

const TURN = Math.PI / 18
const FROM_FRONT = [0.62, -1, 0.72]
const FROM_ABOVE = [0.12, -0.62, 1]
const MOVING = 550 // milliseconds that a piece takes to its place
const FAR = 2.4 // where a piece comes from, in radii of the model

const data = read("view")
const model = new Model(data)
const stage = startStage()
if (stage) start()
else showPictures()
window.ready = true

function startStage() {
  const flat = data.dimension <= 2
  const faces = 2 * model.surface.count + model.round.rounded.triangles
  try {
    return new Stage(document.getElementById("canvas"), flat ? FROM_ABOVE : FROM_FRONT, faces)
  } catch (error) {
    if (!/webgl/i.test(error.message)) throw error
    return null
  }
}

function showPictures() {
  document.getElementById("pictures").hidden = false
  for (const part of document.querySelectorAll(".stage, .panel")) part.hidden = true
}

function start() {
  stage.model.add(...model.objects)
  const panel = document.getElementById("panel")
  const many = data.scenes.length
  let choosing = false // whether what is drawn must be chosen again, not only moved
  let radius = 0

  // -- drawing ------------------------------------------------------------------------------------

  /** Draw again; `again`: other faces than before, not the same ones elsewhere. */
  function redraw(again) {
    choosing ||= again
    stage.before = () => {
      stage.before = null
      if (choosing) model.choose()
      choosing = false
      const reach = model.place()
      if (radius && !model.sliding && Math.abs(reach - radius) > 1e-6) {
        stage.scaled((stage.radius * reach) / radius)
      }
      if (!model.sliding) radius = reach
    }
    stage.changed()
  }

  function fit() {
    model.choose()
    radius = model.place()
    stage.fit(model.points())
  }

  const captions = document.getElementById("captions")
  stage.onFrame(() => {
    const places = model.captionPlaces().filter(({ text }) => text)
    while (captions.children.length < places.length) captions.append(element("span"))
    while (captions.children.length > places.length) captions.lastChild.remove()
    places.forEach(({ text, at }, number) => {
      const [x, y] = stage.onCanvas(...at)
      const span = captions.children[number]
      span.textContent = text
      span.style.left = `${x}px`
      span.style.top = `${y}px`
    })
  })

  // -- words --------------------------------------------------------------------------------------

  const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`
  let speaking = 0

  /** Say where the reader is, once nothing has changed for a moment; `first`: what has happened. */
  function tell(first = "") {
    clearTimeout(speaking)
    speaking = setTimeout(() => say(`${first} ${where()}`.trim()), first ? 0 : 350)
  }

  function where() {
    const said = []
    if (data.solutions && many > 1) said.push(`Solution ${model.number + 1} of ${many}.`)
    const states = model.parts.filter((part) => part.whole).map((part) => model.stateOf(part))
    const hidden = states.filter((state) => state === "hidden").length
    const outlined = states.filter((state) => state === "outlined").length
    if (hidden) said.push(`${count(hidden, "piece")} hidden.`)
    if (outlined) said.push(`${count(outlined, "piece")} outlined.`)
    if (model.step < model.moves.length) {
      said.push(`${model.step} of ${count(model.moves.length, "piece")} in place.`)
    }
    if (model.peeled && model.way === "blocks") said.push(`${count(model.peeled, "layer")} peeled off.`)
    said.push(`Seen from ${stage.direction()}.`)
    return said.join(" ")
  }

  // -- movement -----------------------------------------------------------------------------------

  let movement = 0

  /** Call `update` with 0 to 1 while time passes; at once with 1 where nothing may move. */
  function animate(update, done = () => {}, milliseconds = MOVING) {
    const own = ++movement
    if (still()) {
      update(1)
      done()
      return
    }
    const began = performance.now()
    const frame = (now) => {
      if (own !== movement) return
      const share = Math.min(1, Math.max(0, (now - began) / milliseconds))
      update(share * share * (3 - 2 * share))
      if (share < 1) requestAnimationFrame(frame)
      else done()
    }
    requestAnimationFrame(frame)
  }

  // -- solutions ----------------------------------------------------------------------------------

  const solutionSlider = slider(
    "Solution",
    {
      min: 1,
      max: many,
      value: 1,
      before: sign("‹", "Previous solution", "b", () => show(model.number - 1)),
      after: sign("›", "Next solution", "n", () => show(model.number + 1)),
    },
    (value) => show(value - 1),
  )

  function show(number) {
    stop()
    model.show((number + many) % many)
    list.fill()
    stepSlider.limit(model.moves.length)
    refreshAssembly()
    solutionSlider.set(model.number + 1, `${model.number + 1} of ${many}`)
    redraw(true)
    tell()
  }

  // -- explode ------------------------------------------------------------------------------------

  const apartSlider = slider(
    "Explode",
    { max: 1.5, step: 0.01, after: sign("↔", "Explode, or join again", "e", toggleApart) },
    (value) => {
      movement++
      explode(value)
    },
  )

  function explode(value) {
    const again = value > 0 !== model.apart > 0
    model.apart = value
    apartSlider.set(value, `${Math.round(100 * value)} %`)
    redraw(again)
  }

  function toggleApart() {
    stop()
    const from = model.apart
    const to = from > 0.01 ? 0 : 0.8
    animate((share) => explode(from + share * (to - from)))
    tell(to ? "Exploded." : "Together.")
  }

  // -- layers -------------------------------------------------------------------------------------

  const peelSlider = slider(
    "Layers peeled off",
    {
      max: model.depth - 1,
      before: sign("−", "One layer back", "k", () => peel(model.peeled - 1)),
      after: sign("+", "Peel off one layer", "l", () => peel(model.peeled + 1)),
    },
    peel,
  )
  const sides = SIDES.map(({ name }, number) => [number, name]).filter(([number]) => model.layers[number].count > 1)
  const sideChoice = choice("Peel", sides, (number) => {
    model.side = Number(number)
    peelSlider.limit(model.depth - 1)
    peel(0)
  })

  function peel(number) {
    model.peeled = Math.max(0, Math.min(model.depth - 1, number))
    peelSlider.set(model.peeled, `${model.peeled} of ${model.depth}`)
    redraw(true)
    tell()
  }

  // -- assembly -----------------------------------------------------------------------------------

  const stepSlider = slider(
    "Pieces in place",
    {
      max: model.moves.length,
      before: sign("‹", "Take one piece out", ",", () => step(false)),
      after: sign("›", "Put one piece in", ".", () => step(true)),
    },
    (value) => {
      stop()
      goTo(value)
    },
  )
  const orderWords = element("p", { id: "order" })
  const playButton = button("Assemble", "p", play, { "aria-pressed": "false" })
  let playing = 0
  let arriving = 0 // the step at which a piece on its way arrives

  function goTo(step) {
    movement++
    model.sliding = null
    model.step = Math.max(0, Math.min(model.moves.length, step))
    refreshAssembly()
    redraw(true)
    tell()
  }

  /** Move the next piece in, or the last one out. */
  function moveOne(forward, done = () => {}) {
    const place = forward ? model.step : model.step - 1
    const move = model.moves[place]
    if (!move) return
    const [part, ...towards] = move
    const distance = FAR * stage.radius
    model.step = place + 1
    arriving = forward ? place + 1 : place
    const at = (share) => {
      const left = forward ? 1 - share : share
      model.sliding = { part, vector: towards.map((x) => -x * distance * left) }
    }
    at(0)
    redraw(true)
    animate(
      (share) => {
        at(share)
        redraw(false)
      },
      () => {
        model.sliding = null
        model.step = arriving
        refreshAssembly()
        redraw(true)
        const way = forward ? "moves in" : "moves out"
        tell(`${model.parts[part].name} ${way} ${forward ? "from" : "to"} ${towardsWords(towards)}.`)
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
    if (model.step === model.moves.length) goTo(0)
    const own = (playing = performance.now())
    playButton.setAttribute("aria-pressed", "true")
    const next = () => {
      if (own !== playing) return
      if (model.step === model.moves.length) stop()
      else moveOne(true, () => setTimeout(next, still() ? 900 : 250))
    }
    next()
  }

  function stop() {
    playing = 0
    playButton.setAttribute("aria-pressed", "false")
    if (model.sliding) goTo(arriving)
  }

  function refreshAssembly() {
    stepSlider.set(model.step, `${model.step} of ${model.moves.length}`)
    const stuck = model.scene.order?.stuck ?? []
    const names = stuck.map((part) => model.parts[part].name).join(", ")
    orderWords.textContent = stuck.length
      ? `No order puts all pieces in one at a time: ${names} hold each other.`
      : "Each piece moves in on a straight way."
  }

  /** From where a piece comes, in words. */
  function towardsWords([x, y, z]) {
    const words = []
    if (Math.abs(z) > 0.3) words.push(z < 0 ? "above" : "below")
    if (Math.abs(y) > 0.3) words.push(y < 0 ? "the back" : "the front")
    if (Math.abs(x) > 0.3) words.push(x < 0 ? "the right" : "the left")
    return words.join(" and ")
  }

  // -- the fourth dimension -----------------------------------------------------------------------

  const wayChoice = choice("Shown as", model.wayNames, setWay)
  const angleSliders = ["xw", "yw", "zw"].map((plane, number) =>
    slider(
      `Turn in ${plane}`,
      { max: 360, after: sign("↻", `Turn in ${plane}`, "xyz"[number], () => turnFourth(number, degrees(number) + 5)) },
      (value) => turnFourth(number, value),
    ),
  )
  const rotateButton = button("Keep turning", "r", keepTurning, { "aria-pressed": "false" })
  let rotating = false

  function setWay(way) {
    model.way = way
    wayChoice.set(way)
    if (way === "blocks") rotating = false
    refreshFourth()
    fit()
    tell(`Shown as ${model.wayNames.find(([name]) => name === way)[1]}.`)
  }

  function turnFourth(number, degrees) {
    if (model.way === "blocks") setWay(model.ways[1])
    model.angles[number] = ((((degrees % 360) + 360) % 360) * Math.PI) / 180
    refreshFourth()
    redraw(false)
  }

  function degrees(number) {
    return Math.round((model.angles[number] * 180) / Math.PI)
  }

  function keepTurning() {
    if (model.way === "blocks") setWay(model.ways[1])
    if (still()) {
      turnFourth(0, degrees(0) + 15)
      return
    }
    rotating = !rotating
    let before = performance.now()
    const frame = (now) => {
      if (!rotating) return
      const passed = Math.min(100, now - before) / 1000
      before = now
      model.angles[0] = (model.angles[0] + 0.5 * passed) % (2 * Math.PI)
      model.angles[2] = (model.angles[2] + 0.31 * passed) % (2 * Math.PI)
      refreshFourth()
      redraw(false)
      requestAnimationFrame(frame)
    }
    refreshFourth()
    if (rotating) requestAnimationFrame(frame)
  }

  function refreshFourth() {
    angleSliders.forEach((each, number) => each.set(degrees(number), `${degrees(number)}°`))
    rotateButton.setAttribute("aria-pressed", rotating)
    for (const part of [peelSection, assemblySection]) part?.toggleAttribute("hidden", model.way !== "blocks")
  }

  // -- pieces -------------------------------------------------------------------------------------

  const list = new PieceList(model, {
    choose: (part) => choosePiece(part.key === model.chosen ? null : part),
    change: setState,
  })

  function choosePiece(part) {
    model.chosen = part?.key ?? null
    list.refresh()
    if (part) list.reveal(part)
    redraw(true)
    tell(part ? `Piece ${part.name}, ${model.stateOf(part)}.` : "No piece chosen.")
  }

  function setState(part, state) {
    model.states.set(part.key, state)
    list.refresh()
    redraw(true)
    tell(`${part.name} is ${state}.`)
  }

  function chosenPart() {
    return model.parts[model.partNumbers.get(model.chosen)]
  }

  function nextPiece(step) {
    const many = model.parts.length
    const now = model.partNumbers.get(model.chosen) ?? (step > 0 ? -1 : many)
    choosePiece(model.parts[(now + step + many) % many])
  }

  function flip(state) {
    const part = chosenPart()
    if (part) setState(part, model.stateOf(part) === state ? "shown" : state)
    else tell("Choose a piece first.")
  }

  function showAll() {
    model.states.clear()
    list.refresh()
    redraw(true)
    tell("All pieces are shown.")
  }

  function onlyChosen() {
    const part = chosenPart()
    if (!part) {
      tell("Choose a piece first.")
      return
    }
    for (const other of model.parts) model.states.set(other.key, other === part ? "shown" : "outlined")
    list.refresh()
    redraw(true)
    tell(`Only ${part.name} is shown.`)
  }

  // -- the pointer --------------------------------------------------------------------------------

  const tip = document.getElementById("tip")
  let pressed = null

  function partUnder(event) {
    const hit = stage.hit(event, model.targets)
    return hit ? model.parts[model.partOf(hit)] : null
  }

  stage.canvas.addEventListener("pointerdown", (event) => {
    pressed = [event.clientX, event.clientY]
    tip.hidden = true
  })
  stage.canvas.addEventListener("pointerup", (event) => {
    if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 5) return
    pressed = null
    const part = partUnder(event)
    if (part && event.shiftKey) setState(part, "hidden")
    else choosePiece(part && part.key !== model.chosen ? part : null)
  })
  let hovering = null
  stage.canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return
    if (!hovering) requestAnimationFrame(() => {
      const part = hovering && partUnder(hovering)
      tip.hidden = !part
      if (part) {
        const box = stage.canvas.getBoundingClientRect()
        tip.textContent = part.name
        tip.style.left = `${hovering.clientX - box.left}px`
        tip.style.top = `${hovering.clientY - box.top}px`
      }
      hovering = null
    })
    hovering = event
  })
  stage.canvas.addEventListener("pointerleave", () => {
    hovering = null
    tip.hidden = true
  })

  // -- the view -----------------------------------------------------------------------------------

  const turn = (left, up) => () => {
    stage.turn(left * TURN, up * TURN)
  }
  const views = [
    ["−", "Smaller", "-", () => stage.zoom(1 / 1.15)],
    ["↑", "Turn up", "ArrowUp", turn(0, -1)],
    ["+", "Larger", "+", () => stage.zoom(1.15)],
    ["←", "Turn left", "ArrowLeft", turn(-1, 0)],
    ["⌂", "First view", "0", () => fit()],
    ["→", "Turn right", "ArrowRight", turn(1, 0)],
    ["◐", "Light or dark", "d", switchTheme],
    ["↓", "Turn down", "ArrowDown", turn(0, 1)],
  ]
  document.querySelector(".pad").append(
    ...views.map(([text, name, shortcut, onclick]) =>
      element("button", { type: "button", "aria-label": name, title: `${name} (${shortcut.replace("Arrow", "arrow ").toLowerCase()})`, "aria-keyshortcuts": shortcut, onclick }, text),
    ),
  )
  let direction = ""
  stage.controls.addEventListener("change", () => {
    if (direction && direction !== stage.direction()) tell()
    direction = stage.direction()
  })
  onTheme(() => {
    list.refresh()
    redraw(true)
  })

  // -- the panel and the keys ---------------------------------------------------------------------

  const peelSection = data.solutions && sides.length
    ? element("section", { "aria-label": "Layers" }, peelSlider.element, sideChoice.element)
    : null
  const assemblySection = model.scenes.some((scene) => scene.order)
    ? element("section", { "aria-label": "Assembly" }, stepSlider.element, element("div", { class: "row" }, playButton, orderWords))
    : null
  const keys = {
    ArrowLeft: turn(-1, 0),
    ArrowRight: turn(1, 0),
    ArrowUp: turn(0, -1),
    ArrowDown: turn(0, 1),
    "+": views[2][3],
    "=": views[2][3],
    "-": views[0][3],
    0: fit,
    d: switchTheme,
    s: (event) => nextPiece(event.shiftKey ? -1 : 1),
    o: () => flip("outlined"),
    h: () => flip("hidden"),
    i: onlyChosen,
    a: showAll,
    "?": () => (help.open = !help.open),
  }
  const help = [
    ["← → ↑ ↓", "turn; or drag"],
    ["+ − 0", "larger, smaller, first view; or wheel, or two fingers"],
    ["s", "choose the next piece, with shift the one before; or click it"],
    ["o h i a", "outline or hide the chosen piece, show it alone, show all; shift-click hides"],
    ["d ?", "light or dark; this list"],
  ]
  if (many > 1) {
    panel.append(solutionSlider.element)
    Object.assign(keys, { n: () => show(model.number + 1), b: () => show(model.number - 1) })
    help.unshift(["n b", "next and previous solution"])
  }
  if (model.fourth) {
    panel.append(
      section("Four dimensions", wayChoice.element, ...angleSliders.map((one) => one.element),
        element("div", { class: "row" }, rotateButton)),
    )
    const planes = [0, 1, 2].map((number) => (event) => turnFourth(number, degrees(number) + (event.shiftKey ? -5 : 5)))
    const nextWay = () => setWay(model.ways[(model.ways.indexOf(model.way) + 1) % model.ways.length])
    Object.assign(keys, { x: planes[0], y: planes[1], z: planes[2], r: keepTurning, w: nextWay })
    help.push(["x y z", "turn in the fourth dimension, with shift back"], ["r w", "keep turning; another way to show it"])
  } else if (data.dimension > 3) {
    panel.append(
      section("Many dimensions", element("p", {}, `The puzzle has ${data.dimension} dimensions. Its three-dimensional blocks stand in nested grids; turning in further dimensions is shown for four dimensions only.`)),
    )
  }
  if (data.solutions) {
    panel.append(apartSlider.element)
    Object.assign(keys, { e: toggleApart })
    help.push(["e", "explode, or join again"])
  }
  if (peelSection) {
    panel.append(peelSection)
    Object.assign(keys, { l: () => peel(model.peeled + 1), k: () => peel(model.peeled - 1) })
    help.push(["l k", "peel off one layer more, one less"])
  }
  if (assemblySection) {
    panel.append(assemblySection)
    Object.assign(keys, { ".": () => step(true), ",": () => step(false), p: play })
    help.push([". , p", "assembly: next piece, back, play"])
  } else if (data.solutions) {
    panel.append(
      section("Assembly", element("p", { id: "order" }, "No order is known: it is worked out for up to 60 pieces in up to three dimensions, without rods in space, and not for wrapped boards.")),
    )
  }
  panel.append(
    section(
      "Pieces",
      list.element,
      element(
        "div",
        { class: "row" },
        button("Outline", "o", () => flip("outlined")),
        button("Hide", "h", () => flip("hidden")),
        button("Only this", "i", onlyChosen),
        button("Show all", "a", showAll),
      ),
    ),
  )
  const helpList = element("dl", {})
  for (const [shown, words] of help) {
    helpList.append(element("dt", {}, ...shown.split(" ").flatMap((one) => [key(one), " "])), element("dd", {}, words))
  }
  const helpBox = element("details", { class: "help" }, element("summary", {}, "Keys and gestures"), helpList)
  panel.append(helpBox)
  keys["?"] = () => (helpBox.open = !helpBox.open)
  shortcuts(keys)

  apartSlider.set(0, "0 %")
  if (sides.length) model.side = sides[0][0]
  peelSlider.limit(model.depth - 1)
  peelSlider.set(0, `0 of ${model.depth}`)
  refreshFourth()
  show(0)
  fit()
  window.exactcover = { told, model, stage }
}
