// The page on which a puzzle turns: its contents and its keys.

import { element, onTheme, read, shortcuts, switchTheme } from "exactcover/page.js"
import { explodeControl, solutionControl } from "exactcover/apart.js"
import { assemblyControl } from "exactcover/assembly.js"
import { pieceControl } from "exactcover/choosing.js"
import { key } from "exactcover/controls.js"
import { dimensionControl } from "exactcover/dimensions.js"
import { Model } from "exactcover/model.js"
import { stageOn, told } from "exactcover/scene.js"
import { Viewer } from "exactcover/viewer.js"

const TURN = Math.PI / 18
const ZOOM = 1.15
const ABOVE = [0.12, -0.62, 1] // the direction from which cells in the plane are seen at first

const data = read("view")
const model = new Model(data)
const faces = 2 * model.surface.count + model.round.rounded.triangles
const stage = stageOn(document.getElementById("canvas"), faces, data.board.dimension > 2 ? undefined : ABOVE)
if (stage) start(new Viewer(model, stage))
else showPictures()
window.ready = true

function showPictures() {
  document.getElementById("pictures").hidden = false
  for (const part of document.querySelectorAll(".stage, .panel")) part.hidden = true
}

function start(viewer) {
  stage.model.add(...model.objects)
  stage.onFrame(placeCaptions)
  const controls = [
    viewer.many > 1 ? solutionControl(viewer) : null,
    dimensionControl(viewer, data.board.dimension),
    data.solutions ? explodeControl(viewer) : null,
    data.solutions ? assemblyControl(viewer) : null,
    pieceControl(viewer),
    viewControl(viewer),
  ].filter(Boolean)
  const panel = document.getElementById("panel")
  panel.append(...controls.map((control) => control.element).filter(Boolean))
  const help = helpBox(controls.flatMap((control) => control.help))
  panel.append(help)
  shortcuts(Object.assign({ "?": () => (help.open = !help.open) }, ...controls.map(({ keys }) => keys)))
  onTheme(() => {
    viewer.changed("theme")
    viewer.redraw(true)
  })
  viewer.changed("scene")
  viewer.fit()
  viewer.tell()
  window.exactcover = { told, model, stage }
}

/** The buttons on the model: turn, zoom, the first view, light or dark. */
function viewControl(viewer) {
  const turn = (left, up) => () => stage.turn(left * TURN, up * TURN)
  const larger = () => stage.zoom(ZOOM)
  const smaller = () => stage.zoom(1 / ZOOM)
  const first = () => viewer.fit()
  const buttons = [
    ["−", "Smaller", "-", smaller],
    ["↑", "Turn up", "ArrowUp", turn(0, -1)],
    ["+", "Larger", "+", larger],
    ["←", "Turn left", "ArrowLeft", turn(-1, 0)],
    ["⌂", "First view", "0", first],
    ["→", "Turn right", "ArrowRight", turn(1, 0)],
    ["◐", "Light or dark", "d", switchTheme],
    ["↓", "Turn down", "ArrowDown", turn(0, 1)],
  ]
  const pad = document.querySelector(".pad")
  for (const [text, name, shortcut, onclick] of buttons) {
    const title = `${name} (${shortcut.replace("Arrow", "arrow ").toLowerCase()})`
    pad.append(
      element(
        "button",
        { "aria-label": name, title, "aria-keyshortcuts": shortcut, onclick },
        text,
      ),
    )
  }
  const keys = Object.fromEntries(buttons.map(([, , shortcut, onclick]) => [shortcut, onclick]))
  return {
    element: null,
    keys: { ...keys, "=": larger },
    help: [
      ["← → ↑ ↓", "turn; or drag"],
      ["+ − 0", "larger, smaller, first view; or wheel, or two fingers"],
      ["d ?", "light or dark; this list"],
    ],
  }
}

/** Put the names of blocks where the blocks are. */
function placeCaptions() {
  const captions = document.getElementById("captions")
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
}

function helpBox(entries) {
  const list = element("dl", {})
  for (const [keys, words] of entries) {
    const shown = keys.split(" ").flatMap((one) => [key(one), " "])
    list.append(element("dt", {}, ...shown), element("dd", {}, words))
  }
  return element("details", { class: "help" }, element("summary", {}, "Keys and gestures"), list)
}
