// Small parts of all views: fields, menus, dialogs, messages, numbers in words, what the browser keeps.

import { element, isDark } from "exactcover/page.js"

const FULL = new Intl.NumberFormat("en")
const NEWS = 6000 // milliseconds that good news stay
let fields = 0

/** A number with commas, 1,234,567; from 10^15 on rounded, 1.23e16. */
export const number = (value) => (value >= 1e15 ? value.toExponential(2).replace("+", "") : FULL.format(value))

export const plural = (many, noun) => `${number(many)} ${noun}${many === 1 ? "" : "s"}`

/** The colour of a piece as the page is now. */
export const colourOf = (piece) => (isDark() && piece.dark) || piece.colour

export const button = (text, onclick, more = {}) => element("button", { onclick, ...more }, text)

/** A labelled control. */
export function field(label, control) {
  control.id ||= `field-${++fields}`
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control)
}

/** A box to tick, with its text. */
export function checkbox(text, checked, onchange) {
  const box = element("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) })
  return element("label", { class: "inline" }, box, text)
}

/** A row of buttons of which one is pressed: options are [value, text]. */
export function switcher(label, options, value, onchange) {
  const buttons = options.map(([each, text]) =>
    button(text, () => {
      set(each)
      onchange(each)
    }))
  const set = (chosen) => options.forEach(([each], place) => buttons[place].setAttribute("aria-pressed", each === chosen))
  set(value)
  return Object.assign(element("div", { class: "switcher", role: "group", "aria-label": label }, ...buttons), { set })
}

/** A button that opens a list of further controls. */
export function menu(...items) {
  const box = element("details", { class: "menu" }, element("summary", { "aria-label": "More", title: "More" }, "⋯"),
    element("div", { class: "items" }, ...items))
  box.addEventListener("click", ({ target }) => target.closest(".items button") && (box.open = false))
  box.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !box.contains(relatedTarget) && (box.open = false))
  box.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !box.open) return
    box.open = false
    box.firstChild.focus()
  })
  document.addEventListener("pointerdown", ({ target }) => box.contains(target) || (box.open = false))
  return box
}

/** Open a dialog with a title; it is gone when it is closed. */
export function openDialog(title, look, ...children) {
  const dialog = element("dialog", { class: `box ${look}`, "aria-labelledby": "dialog", onclose: () => dialog.remove() },
    element("h2", { id: "dialog" }, title), ...children)
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Show a sentence, once at a time; `kind` is "error", or "news", which goes by itself. */
export function notice(text, kind = "error") {
  for (const one of document.querySelectorAll(".notice")) if (one.firstChild.textContent === text) one.remove()
  const made = element("div", { class: `notice ${kind}` }, element("p", {}, text),
    button("×", () => made.remove(), { class: "close", "aria-label": "Close this message" }))
  document.getElementById("notices").append(made)
  if (kind === "news") setTimeout(() => made.remove(), NEWS)
}

/** Show an error; one that only tells that an answer is not wanted any more is left out. */
export function fail(error) {
  if (error?.name === "AbortError") return
  if (error?.status === undefined) console.error(error)
  notice(error?.message ?? String(error))
}

/** A function that waits until it was not called for a while, and gives up an answer that is late. */
export function debounced(wait, action) {
  let timer = 0
  let control = null
  return (...given) => {
    clearTimeout(timer)
    control?.abort()
    timer = setTimeout(() => {
      control = new AbortController()
      action(control.signal, ...given)
    }, wait)
  }
}

/** Give the reader a file. */
export function download(name, content) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content]))
  element("a", { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** A name of a file made of a title. */
export const fileName = (title, ending) =>
  `${(title || "puzzle").toLowerCase().replaceAll("×", "x").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "puzzle"}.${ending}`

/** The value that the browser keeps under a key, or null: storage can be blocked, or full. */
export function kept(key, storage = "localStorage") {
  try {
    return JSON.parse(window[storage].getItem(`exactcover ${key}`))
  } catch {
    return null
  }
}

/** Keep a value; returns whether the browser did. */
export function keep(key, value, storage = "localStorage") {
  try {
    window[storage].setItem(`exactcover ${key}`, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
