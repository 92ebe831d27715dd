// Plays recorded searches: up to four side by side, on one clock.
import { element, isDark, onTheme, read, say, shortcuts, still, switchTheme } from "exactcover/page.js"
import { Board } from "exactcover/film-board.js"
import { Profile } from "exactcover/film-profile.js"
import { Replay } from "exactcover/film-replay.js"

const film = read("film")
const reels = film.reels.map((carried) => new Replay(carried))
const grouped = new Intl.NumberFormat("en")
const KINDS = {
  start: () => "the beginning",
  placed: (name) => `${name} is placed`,
  removed: () => "a piece is removed",
  empty: () => "a cell stays empty",
  found: (_, reel, moment) => `solution ${grouped.format(reel.found[moment])}`,
  copy: () => "a symmetric copy of a solution",
}
const NAMES = Object.keys(KINDS)
const FOUND = NAMES.indexOf("found")
/** Seconds that a film takes at first, and the most events in a second then. */
const SECONDS = 40
const QUICK = 400

let by = "event"
let reading = 0
let playing = false
let before = 0
let shown = []

const $ = (name) => document.getElementById(name)
const seek = $("seek")
const speed = $("speed")

// -- the screens ------------------------------------------------------------------------------------

const most = Math.max(1, ...reels.map((reel) => Math.max(...reel.profile(reel.length - 1))))

const screens = reels.map((reel, number) => {
  const canvas = element("canvas", { role: "img" })
  const profile = new Profile(film, reel, most)
  const counters = {}
  const list = element("dl", { class: "counters" })
  for (const [name, title] of [["event", "event"], ["fits", "fits"], ["nofits", "no-fits"], ["found", "solutions"]]) {
    counters[name] = element("dd")
    list.append(element("div", {}, element("dt", {}, title), counters[name]))
  }
  const what = element("p", { class: "what" })
  const heading = element("h2", { id: `reel-${number}` }, capital(reel.words), " ", element("code", {}, reel.strategy))
  const frame = element("div", { class: "frame" }, canvas)
  const section = element("section", { class: "reel", "aria-labelledby": heading.id },
    heading, frame, element("div", { class: "figures" }, list, what, profile.table))
  $("reels").append(section)
  return { reel, canvas, profile, counters, what, frame, section, board: new Board(canvas, film) }
})
$("reels").dataset.count = String(reels.length)

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function fit() {
  const headings = Math.max(...screens.map(({ section }) => section.querySelector("h2").offsetHeight))
  const taken = $("header").offsetHeight + $("player").offsetHeight + headings + 64
  for (const screen of screens) {
    const figures = screen.section.querySelector(".figures")
    const below = figures.offsetTop > screen.frame.offsetTop + 10 ? figures.offsetHeight : 0
    const high = Math.max(0.3 * innerHeight, 180, innerHeight - taken - below)
    screen.board.resize(screen.frame.clientWidth, high)
  }
  shown = []
  show()
}

function show() {
  const dark = isDark()
  screens.forEach((screen, number) => {
    const { reel } = screen
    const moment = reel.at(by, reading)
    if (shown[number] === moment) return
    shown[number] = moment
    const placed = reel.placed(moment)
    screen.board.draw(placed, dark)
    screen.profile.show(moment, placed, dark)
    for (const [name, place] of Object.entries(screen.counters)) {
      place.textContent = grouped.format(reel[name][moment])
    }
    const last = placed.at(-1)
    const name = last && last.piece >= 0 ? film.pieces[last.piece] : ""
    const ended = moment === reel.length - 1
    screen.what.textContent = ended ? reel.ending : KINDS[NAMES[reel.kind[moment]]](name, reel, moment)
    screen.section.classList.toggle("found", reel.kind[moment] === FOUND)
    screen.section.classList.toggle("ended", ended)
    if (!playing) describe(screen, placed, moment)
  })
  seek.value = String(reading)
  seek.setAttribute("aria-valuetext", `${by === "event" ? "event" : "fit"} ${grouped.format(Math.floor(reading))}`)
}

function describe(screen, placed, moment) {
  const names = placed.filter((one) => one.piece >= 0).map((one) => film.pieces[one.piece])
  screen.canvas.setAttribute("aria-label",
    `Board with ${names.length} pieces placed${names.length ? `: ${names.join(", ")}` : ""}`)
  screen.profile.describe(moment)
}

// -- the clock ----------------------------------------------------------------------------------------

function end() {
  return Math.max(...reels.map((reel) => reel.clock(by, reel.length - 1)))
}

function go(to) {
  reading = Math.min(end(), Math.max(0, to))
  show()
}

/** The reading at the next moment of any reel, or at the one before. */
function neighbour(forward) {
  const readings = reels.map((reel) => {
    const at = reel.at(by, reading)
    if (forward) {
      for (let next = at + 1; next < reel.length; next++) {
        if (reel.clock(by, next) > reading) return reel.clock(by, next)
      }
      return Infinity
    }
    let here = at
    while (here > 0 && reel.clock(by, here) >= reading) here--
    return reel.clock(by, here)
  })
  if (forward) {
    const least = Math.min(...readings)
    return least === Infinity ? end() : least
  }
  return Math.max(...readings.filter((one) => one < reading), 0)
}

function step(forward, times = 1) {
  pause()
  for (let i = 0; i < times; i++) go(neighbour(forward))
  tell()
}

function solution(forward) {
  pause()
  let best = forward ? Infinity : -Infinity
  for (const reel of reels) {
    for (let moment = 0; moment < reel.length; moment++) {
      if (reel.kind[moment] !== FOUND) continue
      const at = reel.clock(by, moment)
      if (forward && at > reading) best = Math.min(best, at)
      if (!forward && at < reading) best = Math.max(best, at)
    }
  }
  if (Number.isFinite(best)) go(best)
  say(Number.isFinite(best) ? sentence() : `There is no ${forward ? "later" : "earlier"} solution`)
}

function sentence() {
  return screens.map(({ reel, what }) => {
    const moment = reel.at(by, reading)
    return `${reel.strategy}: event ${grouped.format(reel.event[moment])}, ${what.textContent}`
  }).join(". ")
}

function tell() {
  say(sentence())
}

/** Events in a second: the slider counts powers. */
function pace() {
  return 10 ** Number(speed.value)
}

function paceShown() {
  const many = pace()
  const text = many < 10 ? many.toPrecision(2) : grouped.format(Math.round(many))
  $("pace").textContent = `${text}/s`
  speed.setAttribute("aria-valuetext", `${text} ${by === "event" ? "events" : "fits"} in a second`)
}

function frame(now) {
  if (!playing) return
  const passed = Math.min(0.1, (now - before) / 1000)
  before = now
  go(reading + passed * pace())
  if (reading >= end()) {
    pause()
    tell()
    return
  }
  requestAnimationFrame(frame)
}

function play() {
  if (reading >= end()) reading = 0
  playing = true
  before = performance.now()
  mark()
  requestAnimationFrame(frame)
}

function pause() {
  if (!playing) return
  playing = false
  mark()
  shown = []
  show()
}

function mark() {
  const [word, sign] = playing ? ["Pause", "❚❚"] : ["Play", "▸"]
  $("play").setAttribute("aria-label", word)
  $("play").querySelector(".wide").textContent = word
  $("play").querySelector(".narrow").textContent = sign
  document.documentElement.dataset.playing = String(playing)
}

function faster(powers) {
  speed.value = String(Number(speed.value) + powers)
  paceShown()
}

function setClock(name) {
  const share = end() ? reading / end() : 0
  by = name
  seek.max = String(end())
  seek.step = by === "event" && end() < 1e6 ? "1" : "any"
  reading = share * end()
  ticks()
  paceShown()
  shown = []
  show()
}

/** Marks below the slider where solutions are found. */
function ticks() {
  const strip = $("ticks")
  strip.replaceChildren()
  const places = new Set()
  for (const reel of reels) {
    for (let moment = 0; moment < reel.length; moment++) {
      if (reel.kind[moment] === FOUND) places.add(Math.round((1000 * reel.clock(by, moment)) / end()))
    }
  }
  for (const place of places) {
    const tick = element("i")
    tick.style.left = `${place / 10}%`
    strip.append(tick)
  }
}

// -- controls -----------------------------------------------------------------------------------------

const actions = {
  start: () => { pause(); go(0); tell() },
  back: () => step(false),
  play: () => (playing ? pause() : play()),
  forward: () => step(true),
  end: () => { pause(); go(end()); tell() },
  earlier: () => solution(false),
  later: () => solution(true),
  theme: switchTheme,
}
for (const [name, action] of Object.entries(actions)) $(name).addEventListener("click", action)
const noSolutions = !reels.some((reel) => reel.kind.includes(FOUND))
$("earlier").disabled = $("later").disabled = noSolutions

seek.addEventListener("input", () => { pause(); go(Number(seek.value)) })
seek.addEventListener("change", tell)
speed.addEventListener("input", paceShown)
$("clock")?.addEventListener("change", (event) => setClock(event.target.value))

shortcuts({
  " ": actions.play,
  k: actions.play,
  ArrowLeft: (event) => step(false, event.shiftKey ? 100 : 1),
  ArrowRight: (event) => step(true, event.shiftKey ? 100 : 1),
  Home: actions.start,
  End: actions.end,
  n: actions.later,
  b: actions.earlier,
  "+": () => faster(0.25),
  "-": () => faster(-0.25),
  d: actions.theme,
})

// A swipe over a board goes through the film.
for (const { canvas } of screens) {
  let from = null
  canvas.addEventListener("pointerdown", (event) => {
    from = { x: event.clientX, reading }
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener("pointermove", (event) => {
    if (!from || Math.abs(event.clientX - from.x) < 6) return
    pause()
    go(from.reading + ((event.clientX - from.x) / canvas.clientWidth) * end())
  })
  canvas.addEventListener("pointerup", (event) => {
    if (from && Math.abs(event.clientX - from.x) < 6) actions.play()
    from = null
  })
  canvas.addEventListener("pointercancel", () => { from = null })
}

seek.max = String(end())
speed.max = String(Math.max(2, Math.log10(Math.max(1, end()) / 2)))
speed.value = String(Math.log10(Math.min(QUICK, Math.max(1.5, end() / SECONDS))))
setClock(by)
onTheme(() => { shown = []; show() })
new ResizeObserver(fit).observe($("reels"))
fit()
mark()
window.film = { go, reels, get reading() { return reading }, get playing() { return playing } }
window.ready = true
if (!still()) play()
