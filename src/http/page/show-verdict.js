import { element } from './element.js'

const ICONS = { safe: '✔', attention: '▲', unsafe: '✖', unknown: '?' }

/** The one sentence, with its colour, its icon, and what to do. An old verdict is no verdict: it is shown as such. */
export function showVerdict({ level, sentence, advice }, isStale) {
  const shown = isStale ? 'unknown' : level
  const text = isStale ? `Not known now. Last known: ${sentence}` : sentence
  const section = document.getElementById('verdict')
  section.className = shown
  section.replaceChildren(
    element(
      'p',
      { class: 'sentence' },
      element('span', { 'aria-hidden': 'true' }, `${ICONS[shown]} `),
      `${text}.`,
    ),
    ...(advice.length === 0
      ? []
      : [element('ul', {}, ...advice.map((each) => element('li', {}, ...withCode(`${each}.`))))]),
  )
}

/** What stands in backticks is a command to copy. */
function withCode(text) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? element('code', {}, part) : part))
}
