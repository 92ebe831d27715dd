// The stage: a camera that turns round the model, lights, and frames that are drawn only on change.

import {
  AmbientLight, Color, DirectionalLight, Group, OrbitControls, PerspectiveCamera, Raycaster, Scene,
  Vector2, Vector3, WebGLRenderer,
} from "three"

const FIELD = 28 // degrees from the top of the picture to its bottom
const ROOM = 1.16 // how much larger than the model the picture is
const SLOW = 2000 // triangles above which a renderer in software gets no antialiasing
const CLICK = 5 // pixels that the pointer may move in a click
const FRONT = [0.62, -1, 0.72] // the direction from which a model is seen at first

/** Figures for tests and curious readers. */
export const told = { frames: 0, milliseconds: 0, slowest: 0, calls: 0, triangles: 0, lines: 0 }

/**
 * A stage; null where the browser has no WebGL.
 *
 * canvas  where to draw
 * faces   about how many triangles there are
 * from    the direction from which the model is seen at first
 */
export function stageOn(canvas, faces, from = FRONT) {
  try {
    return new Stage(canvas, faces, from)
  } catch (error) {
    if (!/webgl/i.test(error.message)) throw error
    return null
  }
}

class Stage {
  constructor(canvas, faces, from) {
    this.canvas = canvas
    this.from = new Vector3(...from).normalize()
    this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: !(faces > SLOW && isSoftware()) })
    this.scene = new Scene()
    this.model = new Group()
    this.scene.add(this.model)
    this.camera = new PerspectiveCamera(FIELD, 1, 0.1, 100)
    this.camera.up.set(0, 0, 1)
    // The lights go with the camera, so that what the reader looks at is never dark.
    this.scene.add(this.camera, new AmbientLight(0xffffff, 0.62 * Math.PI))
    const sun = new DirectionalLight(0xffffff, 0.42 * Math.PI)
    sun.position.set(-0.5, 1, 0.62)
    this.camera.add(sun, sun.target)
    sun.target.position.set(0, 0, -1)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = false
    this.controls.addEventListener("change", () => this.changed())
    this.radius = 1
    this.listeners = []
    this.waiting = false
    this.before = null // called before the next frame: what it changes is in this frame
    new ResizeObserver(() => this.resize()).observe(canvas)
    canvas.addEventListener("webglcontextrestored", () => this.changed())
    this.resize()
  }

  /** Call `listener` after each frame. */
  onFrame(listener) {
    this.listeners.push(listener)
  }

  /** Draw a frame soon; several changes make one frame. */
  changed() {
    if (this.waiting) return
    this.waiting = true
    requestAnimationFrame(() => this.draw())
  }

  draw() {
    const start = performance.now()
    this.before?.()
    this.waiting = false
    const distance = this.camera.position.distanceTo(this.controls.target)
    this.camera.near = Math.max(distance / 100, distance - 4 * this.radius)
    this.camera.far = distance + 4 * this.radius
    this.camera.updateProjectionMatrix()
    this.renderer.render(this.scene, this.camera)
    for (const listener of this.listeners) listener()
    const { calls, triangles, lines } = this.renderer.info.render
    told.milliseconds = performance.now() - start
    told.slowest = Math.max(told.slowest, told.milliseconds)
    Object.assign(told, { frames: told.frames + 1, calls, triangles, lines })
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas
    if (!clientWidth || !clientHeight) return
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
    this.renderer.setSize(clientWidth, clientHeight, false)
    const before = this.camera.aspect
    this.camera.aspect = clientWidth / clientHeight
    this.camera.updateProjectionMatrix()
    if (this.points && before !== this.camera.aspect) this.fit(this.points, false)
    this.changed()
  }

  /** Move the camera so that all points are in the picture; `again`: from the first direction. */
  fit(points, again = true) {
    this.points = points
    const point = new Vector3()
    const [low, high] = boxOf(points)
    const middle = low.clone().add(high).divideScalar(2)
    this.radius = Math.max(low.distanceTo(high) / 2, 0.5)
    const back = again ? this.from.clone() : this.camera.position.clone().sub(this.controls.target).normalize()
    const right = new Vector3(0, 0, 1).cross(back).normalize()
    const up = back.clone().cross(right)
    const tall = Math.tan((FIELD * Math.PI) / 360) / ROOM
    const wide = tall * this.camera.aspect
    let distance = 0
    for (let at = 0; at < points.length; at += 3) {
      point.fromArray(points, at).sub(middle)
      const needed = Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / tall)
      distance = Math.max(distance, needed + point.dot(back))
    }
    this.controls.target.copy(middle)
    this.camera.position.copy(middle).addScaledVector(back, Math.max(distance, 0.1))
    this.#setLimits()
    this.controls.update()
    this.changed()
  }

  #setLimits() {
    this.controls.minDistance = this.radius * 0.4
    this.controls.maxDistance = this.radius * 30
  }

  /** The model has become larger or smaller: keep it as large in the picture. */
  scaled(radius) {
    const factor = this.radius / radius
    this.radius = radius
    this.#setLimits()
    this.zoom(factor)
  }

  turn(left, up) {
    this.controls.rotateLeft(left)
    this.controls.rotateUp(up)
    this.controls.update()
  }

  zoom(factor) {
    const back = this.camera.position.clone().sub(this.controls.target)
    this.camera.position.copy(this.controls.target).addScaledVector(back, 1 / factor)
    this.controls.update()
    this.changed()
  }

  /**
   * Call `click` with a press that does not turn the model, and `hover` with each movement of a
   * pointer that is not pressed, or with null when there is none.
   */
  onPointer(click, hover) {
    const { canvas } = this
    let pressed = null
    canvas.addEventListener("pointerdown", (event) => {
      pressed = event
      hover(null)
    })
    canvas.addEventListener("pointerup", (event) => {
      const far = pressed ? Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) : Infinity
      pressed = null
      if (far <= CLICK) click(event)
    })
    canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons) hover(event)
    })
    canvas.addEventListener("pointerleave", () => hover(null))
  }

  /** The nearest of these objects under the pointer, or undefined. */
  hit(event, objects) {
    return this.#caster(event).intersectObjects(objects, false)[0]
  }

  /** The ray from the camera through the pointer: {origin, direction}. */
  ray(event) {
    const { origin, direction } = this.#caster(event).ray
    return { origin: origin.toArray(), direction: direction.toArray() }
  }

  #caster(event) {
    const box = this.canvas.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * 2 - 1
    const y = 1 - ((event.clientY - box.top) / box.height) * 2
    const ray = new Raycaster()
    ray.setFromCamera(new Vector2(x, y), this.camera)
    return ray
  }

  /** Where a point of space is on the canvas, in pixels. */
  onCanvas(x, y, z) {
    const place = new Vector3(x, y, z).project(this.camera)
    const { clientWidth, clientHeight } = this.canvas
    return [((place.x + 1) / 2) * clientWidth, ((1 - place.y) / 2) * clientHeight]
  }
}

/** The least and the greatest coordinates of points: two vectors. */
export function boxOf(points) {
  const low = new Vector3(Infinity, Infinity, Infinity)
  const high = low.clone().negate()
  const point = new Vector3()
  for (let at = 0; at < points.length; at += 3) {
    point.fromArray(points, at)
    low.min(point)
    high.max(point)
  }
  return [low, high]
}

/** The red, green and blue of a colour, for light that adds up. */
export function linear(hex) {
  return new Color(hex).toArray()
}

function isSoftware() {
  const context = document.createElement("canvas").getContext("webgl2")
  const names = context?.getExtension("WEBGL_debug_renderer_info")
  const name = names ? context.getParameter(names.UNMASKED_RENDERER_WEBGL) : ""
  context?.getExtension("WEBGL_lose_context")?.loseContext()
  return /swiftshader|llvmpipe|software/i.test(name)
}
