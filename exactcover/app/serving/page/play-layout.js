// The parts of the Play view on the page: the board with its buttons, the solutions left, the tray, the keys.

import { element } from "exactcover/page.js"
import { checkbox } from "./parts.js"

const KEYS = [
  ["Arrows, Enter", "go over the board, place the piece in hand"],
  ["R, Shift+R, wheel", "turn the piece"],
  ["F", "turn it over"],
  ["Esc", "put it back"],
  ["Delete", "take the piece under the focus away"],
  ["U, Ctrl+Z; Y, Ctrl+Y", "undo; redo"],
  ["H", "hint: where to look; again: which piece; again: place it"],
  ["B", "back to the last position that can be solved"],
  ["P", "go to the pieces"],
]
const [SMALLEST, LARGEST] = [15, 92] // pixels of a cell
const ROOM = 0.12 // round a layer, in cells
const [GAP, CAPTION] = [15, 22] // pixels between layers and below one
const SHARE = 0.3 // of the window that the board gets at least, where its width allows
const LOW = 12 // rem: the board gets this height also in a window that is lower

/** Put the parts of a Play view into a box, and its buttons and notes into the view. */
export function layOut(play, box) {
  const button = (name, text, onclick, title = "", icon = "") => {
    const words = icon ? [`${icon} `, element("span", { class: "words" }, text)] : [text]
    return (play[name] = element("button", { title, onclick, ...(icon ? { "aria-label": text } : {}) }, ...words))
  }
  const wish = (name, text) => checkbox(text, play.wished[name], (checked) => play.wish({ [name]: checked }))
  play.inHand = element("p", { class: "in-hand", "aria-live": "off" })
  play.tallyLine = element("p", { class: "tally" })
  const many = play.board.data.layers.length > 3 ? "many" : ""
  play.boards = element("div", { class: play.model ? `boards modelled ${many}` : "boards" },
    ...(play.model ? [play.model.element] : []), play.board.element)
  const isWrapped = play.board.data.layers.some(({ joints }) => joints.length)
  if (!box.querySelector("h1")) box.append(element("h1", { tabindex: "-1" }, "Play"))
  box.append(
    element("div", { class: "table" },
      element("section", { class: "card place", "aria-label": "The board" },
        element("div", { class: "row tools" },
          button("turnButton", "Turn", () => play.turn(1), "Turn (R)", "⟳"),
          button("flipButton", "Turn over", () => play.flip(), "Turn over (F)", "⇋"),
          button("backButton", "Put back", () => play.drop(), "Put back (Esc)", "⤓"),
          element("span", { class: "gap" }),
          button("undoButton", "Undo", () => play.undo(), "Undo (U)", "↶"),
          button("redoButton", "Redo", () => play.redo(), "Redo (Y)", "↷"),
          button("clearButton", "Clear", () => play.clear())),
        play.inHand,
        play.boards,
        element("p", { class: "legend" },
          (play.marks = wish("marks", "Mark forced and dead cells")),
          element("span", {}, element("i", { class: "dots" }), "forced", element("span", { class: "words" }, ": the same in every solution left")),
          element("span", {}, element("i", { class: "cross" }, "✕"), "dead", element("span", { class: "words" }, ": nothing can cover it")),
          ...(isWrapped ? [element("span", {}, "Sides with the same letter are joined: pieces go on there.")] : []))),
      element("div", { class: "stack side" },
        element("section", { class: "card rest", "aria-label": "Solutions left" },
          play.left.element,
          play.tallyLine,
          element("div", { class: "row" },
            button("hintButton", "Hint", () => play.tip.ask(), "H"),
            button("backAgain", "Last solvable", () => play.back(), "Back to the last position that can be solved (B)"),
            button("finishButton", "Finish", () => play.finish(), "Place the rest")),
          play.tip.element,
          ...(play.aid.partial ? [] : [element("p", { class: "wishes" }, wish("counter", "Count solutions"))])),
        element("section", { class: "card pieces", "aria-label": "Pieces" },
          element("h2", {}, "Pieces"), play.tray.element),
        element("details", { class: "card keys" }, element("summary", {}, "Keys"),
          element("dl", {}, ...KEYS.flatMap(([keys, does]) => [element("dt", {}, keys), element("dd", {}, does)]))))))
  play.hintButton.classList.add("main")
  play.left.hide(!play.wished.counter)
}

/** Make the board as large as its card and the window allow. */
export function fit(play) {
  const { board, boards } = play
  const layers = board.data.layers
  const [wide, high] = ["width", "height"].map((side) => Math.max(...layers.map((layer) => layer[side])) + ROOM)
  const isSplit = play.model && getComputedStyle(boards).gridTemplateColumns.includes(" ")
  const width = boards.clientWidth / (isSplit ? 2 : 1) - (isSplit ? GAP : 0)
  const top = boards.getBoundingClientRect().top + scrollY
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const below = matchMedia("(max-width: 56rem)").matches ? 0.36 * innerHeight : 5 * rem
  const height = Math.max(innerHeight - top - below, LOW * rem, SHARE * innerHeight)
  let scale = 0
  for (let columns = 1; columns <= layers.length; columns++) {
    const rows = Math.ceil(layers.length / columns)
    const caption = layers.length > 1 ? CAPTION : 0
    scale = Math.max(scale, Math.min(
      (width - GAP * (columns - 1)) / columns / wide,
      (height - rows * caption - GAP * (rows - 1)) / rows / high))
  }
  board.resize(Math.max(SMALLEST, Math.min(LARGEST, scale)))
}
