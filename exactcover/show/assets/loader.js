// Imports the main module of a page whose modules are texts in it; see document.py.
(() => {
  const nonce = document.currentScript.nonce
  const imports = {}
  for (const text of document.querySelectorAll("script[data-module]")) {
    const blob = new Blob([text.textContent], { type: "text/javascript" })
    imports[text.dataset.module] = URL.createObjectURL(blob)
  }
  const add = (type, content) => {
    const script = document.createElement("script")
    script.type = type
    script.nonce = nonce
    script.textContent = content
    document.head.append(script)
  }
  add("importmap", JSON.stringify({ imports }))
  add("module", 'import "MAIN"')
})()
