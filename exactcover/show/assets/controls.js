// Labelled controls: each shows the key that does the same.

import { element } from "exactcover/page.js"

const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "space" }

export function key(name) {
  return element("kbd", {}, NAMES[name] ?? name)
}

/** A button with a text and a key. */
export function button(text, shortcut, onclick, attributes = {}) {
  const made = element("button", { "aria-keyshortcuts": shortcut, onclick, ...attributes })
  made.append(text)
  if (shortcut) made.append(" ", key(shortcut))
  return made
}

/** A section of the panel. */
export function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children)
}

/**
 * A slider with a name, its value in words, and buttons at its sides: the element, and
 * `set(value, words)`.
 */
export function slider(name, { min = 0, max, step = 1, value = 0, before, after }, oninput) {
  const id = `slider-${name.toLowerCase().replace(/\W+/g, "-")}`
  const words = element("output", { for: id })
  const input = element("input", { id, type: "range", min, max, step, value })
  input.addEventListener("input", () => oninput(Number(input.value)))
  const sides = [before, input, after].filter(Boolean)
  return {
    element: element(
      "div",
      { class: "slider" },
      element("label", { for: id }, name),
      words,
      element("div", { class: "sides" }, ...sides),
    ),
    input,
    set(number, text) {
      input.value = number
      words.textContent = text
      input.setAttribute("aria-valuetext", text)
    },
    limit(most) {
      input.max = most
      input.disabled = Number(most) <= Number(input.min)
    },
  }
}

/** A button with a sign, at the side of a slider. */
export function sign(text, name, shortcut, onclick) {
  return button(text, shortcut, onclick, { "aria-label": name, title: name, class: "sign" })
}

/** A choice among a few: the element, and `set(value)`. */
export function choice(name, options, onchange) {
  const id = `choice-${name.toLowerCase().replace(/\W+/g, "-")}`
  const select = element("select", { id })
  for (const [value, text] of options) select.append(element("option", { value }, text))
  select.addEventListener("change", () => onchange(select.value))
  return {
    element: element("div", { class: "named" }, element("label", { for: id }, name), select),
    set(value) {
      select.value = value
    },
  }
}
