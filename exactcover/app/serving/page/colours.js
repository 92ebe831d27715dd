// Colours of pieces on a light or dark page, and the ink that can be read on them.

import { isDark } from "exactcover/page.js"

/** The colour of a piece as the page is now. */
export function colourOf(piece) {
  return (isDark() && piece.dark) || piece.colour
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
