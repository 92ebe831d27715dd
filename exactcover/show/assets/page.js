// Functions for every page: its data, the reader's preferences, and texts for screen readers.

/** The data that the page carries under a name. */
export function read(name) {
  return JSON.parse(document.getElementById(`data-${name}`).textContent)
}

/** Whether the reader wishes that nothing moves by itself. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches
}

/** Say a sentence to readers who listen, in the element `#said`. */
export function say(sentence) {
  document.getElementById("said").textContent = sentence
}

const darkWished = matchMedia("(prefers-color-scheme: dark)")

/** Whether the page is dark: by its own switch, else as the reader prefers. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme
  return chosen ? chosen === "dark" : darkWished.matches
}

/** Call `changed` when the page becomes dark or light. */
export function onTheme(changed) {
  darkWished.addEventListener("change", changed)
  document.addEventListener("theme", changed)
}

/** Make the page dark if it is light, and the other way round. */
export function switchTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark"
  document.dispatchEvent(new Event("theme"))
}

/** Black or white, whichever has the greater contrast with a colour. */
export function inkOn(colour) {
  const part = (at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
  return 1.05 / (light + 0.05) > (light + 0.05) / 0.05 ? "#ffffff" : "#000000"
}

/** An element with attributes and children; a button submits no form unless it says so. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  if (tag === "button") made.type = "button"
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value)
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value)
  }
  made.append(...children)
  return made
}

/**
 * Shortcuts until the signal: key -> function; "Ctrl+z" is a key with Control. Keys that a focused
 * control or a dialog needs for itself are left to it.
 */
export function shortcuts(keys, signal) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.isComposing || document.querySelector("dialog[open]")) return
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const action = keys[event.ctrlKey || event.metaKey ? `Ctrl+${pressed}` : pressed]
    if (!action || needs(event.target, event.key)) return
    event.preventDefault()
    action(event)
  }, { signal })
}

const OWN_KEYS = {
  range: /^(Arrow|Page|Home|End)/,
  radio: /^(Arrow| )/,
  select: /./,
  text: /./,
}

function needs(target, key) {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
    const sort = target.tagName === "SELECT" ? "select" : target.type
    return (OWN_KEYS[sort] ?? / /).test(key)
  }
  return /^(BUTTON|SUMMARY|A)$/.test(target.tagName) && (key === " " || key === "Enter")
}
