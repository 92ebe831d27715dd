// Values that the browser keeps. It may keep none: storage can be blocked, or full.

/** The value under a key; null if there is none. */
export function read(key, storage = "localStorage") {
  try {
    return JSON.parse(window[storage].getItem(key))
  } catch {
    return null
  }
}

/** Keep a value; returns whether the browser did. */
export function write(key, value, storage = "localStorage") {
  try {
    window[storage].setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
