const SVG = 'http://www.w3.org/2000/svg'

/**
 * Makes an element. Text only ever becomes a text node: an id that a stranger wrote is shown and never read as markup.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children)
}

/** The same for SVG. @type {typeof element} */
export function svgElement(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children)
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.append(...children)
  return made
}

/**
 * A table that scrolls by itself where it is too wide, by keyboard too.
 * @param {string} label
 * @param {string[]} head columns that end in `#` hold numbers
 * @param {(Node | string)[][]} rows
 */
export function tableOf(label, head, rows) {
  const isNumber = head.map((name) => name.endsWith('#'))
  const cells = (tag, row) =>
    row.map((cell, at) => element(tag, isNumber[at] ? { class: 'number' } : {}, cell))
  const headCells = head.map((name, at) =>
    element('th', isNumber[at] ? { scope: 'col', class: 'number' } : { scope: 'col' }, name.replace('#', '')),
  )
  const table = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...headCells)),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells('td', row)))),
  )
  return element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, table)
}
