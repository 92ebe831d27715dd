// The parts of the Play view on the page: the board with its buttons, the solutions left, the tray, the keys.

import { element } from "exactcover/page.js"

const KEYS = [
  ["Arrows, Enter", "go over the board, place the piece in hand"],
  ["R, Shift+R, wheel", "turn the piece"],
  ["F", "turn it over"],
  ["Esc", "put it back"],
  ["Delete", "take the piece under the focus away"],
  ["U, Ctrl+Z; Y, Ctrl+Y", "undo; redo"],
  ["H", "hint"],
  ["P", "go to the pieces"],
]

/** Put the parts of a Play view into a box, and its buttons and notes into the view. */
export function layOut(play, box) {
  const button = (name, text, action, title = "") => {
    const made = element("button", { type: "button", title }, text)
    made.addEventListener("click", action)
    play[name] = made
    return made
  }
  const marks = element("input", { type: "checkbox", checked: "" })
  marks.addEventListener("change", () => {
    play.marks = marks.checked
    play.paint()
  })
  play.inHand = element("p", { class: "in-hand", "aria-live": "off" })
  box.append(
    element("h1", { tabindex: "-1" }, "Play"),
    element("div", { class: "table" },
      element("section", { class: "card place", "aria-label": "The board" },
        element("div", { class: "row tools" },
          button("turnButton", "⟳ Turn", () => play.turn(1), "R"),
          button("flipButton", "⇋ Turn over", () => play.flip(), "F"),
          button("backButton", "Put back", () => play.drop(), "Esc"),
          element("span", { class: "gap" }),
          button("undoButton", "↶ Undo", () => play.undo(), "U"),
          button("redoButton", "↷ Redo", () => play.redo(), "Y"),
          button("clearButton", "Clear", () => play.clear())),
        play.inHand,
        play.board.element,
        element("p", { class: "legend" },
          element("label", { class: "inline" }, marks, "Mark forced and dead cells"),
          element("span", {}, element("i", { class: "dots" }), "forced: the same in every solution left"),
          element("span", {}, element("i", { class: "cross" }, "✕"), "dead: nothing can cover it"))),
      element("div", { class: "stack side" },
        element("section", { class: "card rest", "aria-label": "Solutions left" },
          play.left.element,
          element("div", { class: "row" }, button("hintButton", "Hint", () => play.tip.ask(play.hintButton), "H")),
          play.tip.element),
        element("section", { class: "card pieces", "aria-label": "Pieces" },
          element("h2", {}, "Pieces"), play.tray.element),
        element("details", { class: "card keys" }, element("summary", {}, "Keys"),
          element("dl", {}, ...KEYS.flatMap(([keys, does]) => [element("dt", {}, keys), element("dd", {}, does)]))))))
  play.hintButton.classList.add("main")
}
