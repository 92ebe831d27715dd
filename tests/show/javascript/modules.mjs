// Imports modules of the pages, which name each other `exactcover/NAME.js`, without a browser.

import { readFileSync } from "node:fs"

const folder = new URL("../../../exactcover/show/assets/", import.meta.url)

function addressOf(name) {
  const text = readFileSync(new URL(name, folder), "utf8")
  const named = text.replace(/"exactcover\/([\w-]+\.js)"/g, (_, other) => JSON.stringify(addressOf(other)))
  return `data:text/javascript;base64,${Buffer.from(named).toString("base64")}`
}

export const load = (name) => import(addressOf(name))
