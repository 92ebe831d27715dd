// Small parts of views: labelled fields, numbers in words, colours of pieces.

import { element, isDark } from "exactcover/page.js"

const FULL = new Intl.NumberFormat("en")
const ROUNDED = new Intl.NumberFormat("en", { notation: "scientific", maximumSignificantDigits: 3 })

let fields = 0

/** A number with commas, 1,234,567; from 10^15 on rounded, 1.23e16, as commands write it. */
export const number = (value) =>
  value >= 1e15 ? ROUNDED.format(value).replace("E", "e") : FULL.format(value)

/** Seconds in words: 4.2 s, 3 min 20 s, 2 h 5 min, 12 days, 3,000 years. */
export function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  if (seconds < 2 * 86400) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
  if (seconds < 2 * 365.25 * 86400) return `${number(Math.round(seconds / 86400))} days`
  return `${number(Math.round(seconds / 365.25 / 86400))} years`
}

export const plural = (many, noun) => `${number(many)} ${noun}${many === 1 ? "" : "s"}`

/** The colour of a piece as the page is now. */
export const colourOf = (piece) => (isDark() && piece.dark) || piece.colour

/** A labelled control. */
export function field(label, control) {
  control.id ||= `field-${++fields}`
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control)
}

/** A choice among a few: options are [value, text]. */
export function choice(label, options, value, onchange) {
  const select = element("select", { onchange: () => onchange(select.value) },
    ...options.map(([each, text]) => element("option", { value: each, selected: each === value }, text)))
  return field(label, select)
}

const MOST = 1e9

/** A field for a whole number or nothing; a number outside the limits is put right. */
export function counter(label, { value, min = 0, empty }, onchange) {
  const input = element("input", { type: "number", min, max: MOST, value: value ?? "", placeholder: empty, onchange: () => {
    if (input.value) input.value = Math.max(min, Math.min(MOST, Math.round(Number(input.value))))
    onchange(input.value ? Number(input.value) : null)
  } })
  return field(label, input)
}

/** A button; `more`: further attributes. */
export const button = (text, onclick, more = {}) => element("button", { onclick, ...more }, text)

/** A box to tick, with its text. */
export function checkbox(text, checked, onchange, look = "inline") {
  const box = element("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) })
  return element("label", { class: look }, box, text)
}

/** Open a dialog with a title; it is gone when it is closed. */
export function openDialog(title, look, ...children) {
  const dialog = element("dialog", { class: `box ${look}`, "aria-labelledby": "dialog", onclose: () => dialog.remove() },
    element("h2", { id: "dialog" }, title), ...children)
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Whether a run has not ended. */
export const going = (run) => ["waiting", "running"].includes(run?.state)

/** A row of buttons of which one is pressed: options are [value, text, title]. */
export function switcher(label, options, value, onchange) {
  const buttons = options.map(([each, text, title = ""]) =>
    element("button", { "aria-pressed": String(each === value), title, onclick: () => set(each, true) }, text))
  function set(chosen, told = false) {
    options.forEach(([each], place) => buttons[place].setAttribute("aria-pressed", each === chosen))
    if (told) onchange(chosen)
  }
  return { element: element("div", { class: "switcher", role: "group", "aria-label": label }, ...buttons), set }
}
