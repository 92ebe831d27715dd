// The requests that the page sends to its own server, and what it says when they fail.

const GONE = "The server does not answer. If it was stopped, start it again with “exactcover serve”."

/** A request that was refused, with the server's own sentence. `status` is 0 if nothing came back. */
export class Refused extends Error {
  constructor(message, status) {
    super(message)
    this.status = status
  }
}

async function ask(method, path, body, signal) {
  const headers = method === "GET" ? {} : { "Content-Type": "application/json" }
  const answer = await fetch(`/api${path}`, { method, signal, headers, body: JSON.stringify(body) }).catch((error) => {
    throw error.name === "AbortError" ? error : new Refused(GONE, 0)
  })
  if (answer.status === 204) return null
  const kind = answer.headers.get("Content-Type") ?? ""
  const content = kind.includes("json") ? await answer.json() : await answer.text()
  if (!answer.ok) throw new Refused(content?.error ?? `The server refused this (${answer.status}).`, answer.status)
  return content
}

/** A path with the wishes that are not empty: path("/runs", {from: 0}) is "/runs?from=0". */
export function path(base, wishes = {}) {
  const said = Object.entries(wishes).filter(([, value]) => value !== null && value !== undefined && value !== "")
  return said.length ? `${base}?${new URLSearchParams(said)}` : base
}

export const get = (where, wishes, signal) => ask("GET", path(where, wishes), undefined, signal)
export const post = (where, body, signal) => ask("POST", where, body, signal)
export const remove = (where) => ask("DELETE", where)

/** Listen to the events of a run: name -> function of the data. Returns a function that ends it. */
export function listen(where, listeners) {
  const source = new EventSource(`/api${where}`)
  for (const [name, hear] of Object.entries(listeners)) {
    if (name === "lost") source.addEventListener("error", () => hear(source.readyState === EventSource.CLOSED))
    else source.addEventListener(name, (event) => hear(JSON.parse(event.data)))
  }
  return () => source.close()
}

/** A function that waits until it was not called for a while, and forgets an answer that is late. */
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
