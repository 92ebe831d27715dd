// Plays recorded searches: up to four side by side, on one clock.
import { element, inkOn, isDark, onTheme, read, say, shortcuts, still, switchTheme } from "exactcover/page.js"
import { Board } from "exactcover/board.js"
import { Replay } from "exactcover/film-replay.js"
import { scaleIn } from "exactcover/geometry.js"
import { Profile, levelOf, shareOf, span } from "exactcover/profile.js"
import { Solid } from "exactcover/solid.js"

const film = read("film")
const fixed = film.fixed.map(([piece, cells]) => ({ piece, cells, colour: film.palette.length - 1 }))
const reels = film.reels.map((carried) => new Replay(carried))
const grouped = new Intl.NumberFormat("en")
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
/** What happens at a moment, in a sentence. */
const KINDS = {
  start: () => "The search begins",
  placed: ({ name, dead }) => `${name} is placed${dead ? ": now no piece fits the marked cell" : ""}`,
  removed: ({ taken, was }) => `${listed(taken)} ${taken.length > 1 ? "are" : "is"} taken up again${
    was === "placed" && taken.length < 2 ? "" : ": every way to go on was tried"}`,
  empty: () => "A cell stays empty",
  found: ({ solutions }) => `Solution ${grouped.format(solutions)}`,
  copy: () => "A symmetric copy of a solution",
}
const listed = (names) => new Intl.ListFormat("en").format(names)
const FOUND = film.kinds.indexOf("found")
const COUNTERS = { event: "event", fits: "fits", nofits: "no-fits", found: "solutions" }
/** Seconds that a film takes at first, and the most events in a second then. */
const SECONDS = 40
const QUICK = 400
const LARGEST = 80 // pixels of a cell

let reading = 0 // of the clock: events from the beginning of each recording
let playing = false
let before = 0
const rising = (numbers) => [...new Set(numbers)].sort((a, b) => a - b)
const readings = (wanted) => rising(reels.flatMap(({ kind, time }) => [...time].filter((_, moment) => wanted(kind[moment]))))
const stops = readings(() => true) // at which something changes
const finds = readings((kind) => kind === FOUND)
const end = stops.at(-1)

const $ = (name) => document.getElementById(name)
const seek = $("seek")
const speed = $("speed")

// -- the screens ------------------------------------------------------------------------------------

const most = Math.max(1, ...reels.map((reel) => Math.max(...reel.profile(reel.length - 1))))

const screens = reels.map((reel, number) => {
  const board = new Board(film.board, { optional: film.optional })
  const solid = film.board.space && new Solid("turning", "Model of the board: drag it, or turn it with the arrow keys")
  const profile = new Profile()
  profile.element.append(axis())
  profile.element.style.setProperty("--levels", reel.most + 1)
  const counters = Object.keys(COUNTERS).map((name) => [name, element("dd")])
  const list = element("dl", { class: "counters" },
    ...counters.map(([name, value]) => element("div", {}, element("dt", {}, COUNTERS[name]), value)))
  const what = element("p", { class: "what" })
  const heading = element("h2", { id: `reel-${number}` }, element("code", {}, reel.strategy))
  const frame = element("div", { class: solid ? "frame solid" : "frame" }, ...(solid ? [solid.element] : []), board.element)
  const figures = element("div", { class: "figures" }, list, what, profile.element)
  const section = element("section", { class: "reel", "aria-labelledby": heading.id }, heading, frame, figures)
  $("reels").append(section)
  solid?.load(film).then(() => show(true))
  return { reel, profile, counters, what, heading, frame, figures, section, board, solid }
})
$("reels").dataset.count = reels.length

/** The scale above the bars of all profiles. */
function axis() {
  const powers = [...Array(1 + Math.floor(Math.log10(most))).keys()]
  const ticks = powers.filter((power) => most < 1e5 || power % 2 === 0).map((power) => element("span",
    { style: `left: ${shareOf(10 ** power, most)}` }, compact.format(10 ** power)))
  const row = levelOf(span("left", "left"), span("chip"), span("bars", ...ticks), span("many"))
  row.classList.add("axis")
  return row
}

/** The rows of a profile, from all pieces left to one. */
function levels(reel, moment, placed, shade) {
  const sum = reel.profile(moment)
  return Array.from({ length: reel.most }, (_, row) => {
    const left = reel.most - row
    const piece = placed[row]
    const colour = piece && film.palette[piece.colour][shade]
    const chip = piece && { text: film.pieces[piece.piece], colour, ink: inkOn(colour) }
    return { left, fits: sum[2 * left], nofits: sum[2 * left + 1], chip }
  })
}

function fit() {
  const headings = Math.max(...screens.map(({ heading }) => heading.offsetHeight))
  const taken = $("header").offsetHeight + $("player").offsetHeight + headings + 64
  for (const { board, solid, frame, figures } of screens) {
    const below = figures.offsetTop > frame.offsetTop + 10 ? figures.offsetHeight : 0
    const height = Math.max(0.3 * innerHeight, 180, innerHeight - taken - below)
    if (solid) solid.element.style.height = `${Math.min(height, frame.clientWidth / 2)}px`
    const scale = scaleIn(film.board.layers, [frame.clientWidth / (solid ? 2 : 1) - 15, height - 10], { room: 2 * board.room })
    board.resize(Math.min(scale, LARGEST))
  }
  show(true)
}

/** Show the reading of the clock; `again`: also on screens that have not changed. */
function show(again = false) {
  const dark = isDark()
  for (const screen of screens) {
    const { reel, section, what } = screen
    const moment = reel.at(reading)
    if (screen.shown === moment && !again) continue
    screen.shown = moment
    const placed = reel.placed(moment)
    paint(screen, placed, dark ? 1 : 0, reel.dead.get(moment))
    screen.profile.show(levels(reel, moment, placed, dark ? 1 : 0), most, (fits) => (fits ? compact.format(fits) : ""))
    for (const [name, place] of screen.counters) place.textContent = grouped.format(reel[name][moment])
    const ended = moment === reel.length - 1
    const kind = reel.kind[moment]
    what.textContent = `${ended ? reel.ending : wordsOf(reel, moment, placed)}. ${share(reel.done[moment])} of the tree is done.`
    section.classList.toggle("found", kind === FOUND)
    section.classList.toggle("ended", ended)
    if (!playing) describe(screen, placed)
  }
  seek.value = reading
  seek.setAttribute("aria-valuetext", `event ${grouped.format(Math.floor(reading))}`)
}

function wordsOf(reel, moment, placed) {
  const nameOf = (piece) => film.pieces[piece?.piece] ?? "A piece"
  const taken = moment ? reel.placed(moment - 1).slice(placed.length) : []
  return KINDS[film.kinds[reel.kind[moment]]]({
    name: nameOf(placed.at(-1)), taken: taken.map(nameOf), was: film.kinds[reel.kind[moment - 1]],
    dead: reel.dead.has(moment), solutions: reel.found[moment],
  })
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumSignificantDigits: 2 })

function share(done) {
  return done > 0 && done < 1e-4 ? "Less than 0.01%" : percent.format(done)
}

/** Show pieces on a board, and in the model of it. */
function paint({ board, solid }, placed, shade, dead) {
  const pieces = [...fixed, ...placed].map(({ piece, colour, cells }) => {
    const tone = film.palette[colour]
    return { name: film.pieces[piece], tone, cells, look: { fill: tone[shade], ink: inkOn(tone[shade]), text: film.pieces[piece] } }
  })
  const owners = film.board.cells.map(() => -1)
  pieces.forEach(({ cells }, number) => cells.forEach((cell) => (owners[cell] = number)))
  board.paintOwners(owners, (number) => pieces[number].look, owners, (cell) => (cell === dead ? { mark: "cross" } : {}))
  solid?.lay(owners, pieces)
}

function describe({ board, profile }, placed) {
  const names = placed.map(({ piece }) => film.pieces[piece]).join(", ")
  board.element.setAttribute("aria-label", `Board with ${placed.length} pieces placed${names && `: ${names}`}`)
  profile.describe()
}

// -- the clock ----------------------------------------------------------------------------------------

function go(to) {
  reading = Math.min(end, Math.max(0, to))
  show()
}

/** Go to the next reading at which something changes, or to the one before; or by several. */
function step(forward, times = 1) {
  pause()
  const ahead = forward
    ? stops.findIndex((one) => one > reading) + times
    : stops.findLastIndex((one) => one < reading) + 2 - times
  if (!forward || reading < end) go(stops[Math.min(Math.max(ahead - 1, 0), stops.length - 1)])
  say(sentence())
}

function solution(forward) {
  pause()
  const at = forward ? finds.find((one) => one > reading) : finds.findLast((one) => one < reading)
  if (at !== undefined) go(at)
  say(at === undefined ? `There is no ${forward ? "later" : "earlier"} solution` : sentence())
}

function sentence() {
  return screens.map(({ reel, what, shown }) =>
    `${reel.strategy}: event ${grouped.format(reel.event[shown])}, ${what.textContent}`).join(". ")
}

/** Events in a second: the slider counts powers. */
const pace = () => 10 ** speed.value

function paceShown() {
  const many = pace()
  const text = many < 10 ? many.toPrecision(2) : grouped.format(Math.round(many))
  $("pace").textContent = `${text}/s`
  speed.setAttribute("aria-valuetext", `${text} events in a second`)
}

function frame(now) {
  if (!playing) return
  const passed = Math.min(0.1, (now - before) / 1000)
  before = now
  go(reading + passed * pace())
  if (reading < end) {
    requestAnimationFrame(frame)
    return
  }
  pause()
  say(sentence())
}

function play() {
  if (reading >= end) reading = 0
  playing = true
  before = performance.now()
  mark()
  requestAnimationFrame(frame)
}

function pause() {
  if (!playing) return
  playing = false
  mark()
  show(true)
}

function mark() {
  const [word, sign] = playing ? ["Pause", "❚❚"] : ["Play", "▸"]
  $("play").ariaLabel = word
  $("play").querySelector(".wide").textContent = word
  $("play").querySelector(".narrow").textContent = sign
}

function faster(powers) {
  speed.value = Number(speed.value) + powers
  paceShown()
}

// -- controls -----------------------------------------------------------------------------------------

function goAndSay(to) {
  pause()
  go(to)
  say(sentence())
}

const actions = {
  start: () => goAndSay(0),
  back: () => step(false),
  play: () => (playing ? pause() : play()),
  forward: () => step(true),
  end: () => goAndSay(end),
  earlier: () => solution(false),
  later: () => solution(true),
  theme: switchTheme,
}
for (const [name, action] of Object.entries(actions)) $(name).addEventListener("click", action)
$("earlier").disabled = $("later").disabled = !reels.some((reel) => reel.kind.includes(FOUND))

seek.addEventListener("input", () => {
  pause()
  go(Number(seek.value))
})
seek.addEventListener("change", () => say(sentence()))
speed.addEventListener("input", paceShown)

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

seek.max = end
// Marks below the slider where solutions are found.
const places = rising(finds.map((at) => Math.round((1000 * at) / end)))
$("ticks").replaceChildren(...places.map((place) => element("i", { style: `left: ${place / 10}%` })))
speed.max = Math.max(2, Math.log10(Math.max(1, end) / 2))
speed.value = Math.log10(Math.min(QUICK, Math.max(1.5, end / SECONDS)))
paceShown()
onTheme(() => show(true))
new ResizeObserver(fit).observe($("reels"))
fit()
mark()
window.film = { go, get reading() { return reading }, get playing() { return playing } }
window.ready = true
if (!still()) play()
