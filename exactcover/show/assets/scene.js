// The stage: a camera that turns round the model, lights, and frames that are drawn only on change.

import {
  AmbientLight, BufferAttribute, BufferGeometry, DirectionalLight, OrbitControls, PerspectiveCamera, Raycaster,
  Scene, Vector2, Vector3, WebGLRenderer,
} from "three"

const FIELD = 28 // degrees from the top of the picture to its bottom
const ROOM = 1.16 // how much larger than the model the picture is
const CLICK = 5 // pixels that the pointer may move in a click
const FRONT = [0.62, -1, 0.72] // the direction from which a model is seen at first

/**
 * A stage; null where the browser has no WebGL.
 *
 * canvas  where to draw
 * from    the direction from which the model is seen at first
 */
export function stageOn(canvas, from = FRONT) {
  try {
    return new Stage(canvas, from)
  } catch (error) {
    if (!/webgl/i.test(error.message)) throw error
    return null
  }
}

class Stage {
  constructor(canvas, from) {
    this.canvas = canvas
    this.from = new Vector3(...from).normalize()
    this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: true })
    this.scene = new Scene()
    this.camera = new PerspectiveCamera(FIELD, 1, 0.1, 100)
    this.camera.up.set(0, 0, 1)
    // The lights go with the camera, so that what the reader looks at is never dark.
    this.scene.add(this.camera, new AmbientLight(0xffffff, 0.62 * Math.PI))
    const sun = new DirectionalLight(0xffffff, 0.42 * Math.PI)
    sun.position.set(-0.5, 1, 0.62)
    this.camera.add(sun, sun.target)
    sun.target.position.set(0, 0, -1)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.addEventListener("change", () => this.changed())
    this.radius = 1
    this.waiting = false
    new ResizeObserver(() => this.resize()).observe(canvas)
    canvas.addEventListener("webglcontextrestored", () => this.changed())
    this.resize()
  }

  /** Draw a frame soon; several changes make one frame. */
  changed() {
    if (this.waiting) return
    this.waiting = true
    requestAnimationFrame(() => this.draw())
  }

  draw() {
    this.waiting = false
    const distance = this.camera.position.distanceTo(this.controls.target)
    this.camera.near = Math.max(distance / 100, distance - 4 * this.radius)
    this.camera.far = distance + 4 * this.radius
    this.camera.updateProjectionMatrix()
    this.renderer.render(this.scene, this.camera)
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
    const all = new BufferAttribute(new Float32Array(points), 3)
    const geometry = new BufferGeometry().setAttribute("position", all)
    geometry.computeBoundingSphere()
    const { center, radius } = geometry.boundingSphere
    this.radius = Math.max(radius, 0.5)
    const back = again ? this.from.clone() : this.camera.position.clone().sub(this.controls.target).normalize()
    const right = new Vector3(0, 0, 1).cross(back).normalize()
    const up = back.clone().cross(right)
    const tall = Math.tan((FIELD * Math.PI) / 360) / ROOM
    const wide = tall * this.camera.aspect
    let distance = 0.1
    for (let at = 0; at < all.count; at++) {
      const point = new Vector3().fromBufferAttribute(all, at).sub(center)
      const needed = Math.max(Math.abs(point.dot(right)) / wide, Math.abs(point.dot(up)) / tall)
      distance = Math.max(distance, needed + point.dot(back))
    }
    this.controls.target.copy(center)
    this.camera.position.copy(center).addScaledVector(back, distance)
    this.scaled(1)
  }

  /** The model has become larger by a factor: keep it as large in the picture. */
  scaled(factor) {
    this.radius *= factor
    this.controls.minDistance = this.radius * 0.4
    this.controls.maxDistance = this.radius * 30
    this.zoom(1 / factor)
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

  /** Call `click` with a press that does not turn the model, and `hover` with movements of a pointer that is not pressed. */
  onPointer(click, hover = () => {}) {
    let pressed = null
    this.canvas.addEventListener("pointerdown", (event) => (pressed = event))
    this.canvas.addEventListener("pointerup", (event) => {
      const far = pressed ? Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) : Infinity
      pressed = null
      if (far <= CLICK) click(event)
    })
    this.canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons) hover(event)
    })
  }

  /** What is under the pointer nearest to the reader, or undefined. */
  hit(event) {
    return this.#caster(event).intersectObject(this.scene)[0]
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
}
