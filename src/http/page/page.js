import { read } from './read.js'
import { showConsumer } from './show-consumer.js'
import { showDeadLetters, showRuns, showSettings } from './show-lists.js'
import { showPlan } from './show-plan.js'
import { showRates } from './show-rates.js'
import { showTimeline } from './show-timeline.js'
import { showVerdict } from './show-verdict.js'
import { durationText } from './words.js'

const CHOICES = ['0', '5', '15', '60']
const refresh = document.getElementById('refresh')

/** The last good answers: they stay on the page when nobody answers any more. */
let state = null
let plans = []
let timer

async function update() {
  clearTimeout(timer)
  const [found, planned, rated, set] = await Promise.allSettled(
    ['state', 'plan', 'rates', 'settings'].map(read),
  )
  if (planned.status === 'fulfilled') plans = planned.value.answer.plans
  if (found.status === 'fulfilled') state = found.value
  const complaint = complaintOf(found)
  sayStale(complaint)
  if (state !== null) showState(state.answer, complaint !== null)
  showPlan(plans, complaintOf(planned))
  if (rated.status === 'fulfilled') showRates(rated.value.answer.rates)
  if (set.status === 'fulfilled') showSettings(set.value.answer.settings)
  document.body.dataset.reading = 'done'
  plan()
}

function showState(answer, isStale) {
  showVerdict(answer.verdict, isStale)
  showTimeline(answer, plans)
  showRuns(answer)
  showConsumer(answer)
  showDeadLetters(answer)
  sayAge()
}

function complaintOf(settled) {
  return settled.status === 'fulfilled' ? settled.value.complaint : String(settled.reason.message)
}

function sayStale(complaint) {
  const stale = document.getElementById('stale')
  stale.hidden = complaint === null
  if (complaint === null) return
  const shown = state === null ? 'Nothing could be read yet' : 'What is shown is the last known state'
  stale.textContent = `▲ ${shown}: ${complaint}`
  if (state === null)
    showVerdict({ sentence: 'nothing yet', advice: ['see whether the database is up'] }, true)
}

function sayAge() {
  if (state === null) return
  document.getElementById('age').textContent =
    `as of ${durationText(Math.max(1000, Date.now() - state.atMs))} ago`
}

function plan() {
  clearTimeout(timer)
  const seconds = Number(refresh.value)
  if (seconds > 0 && !document.hidden) timer = setTimeout(update, seconds * 1000)
}

const asked = new URLSearchParams(location.search).get('refresh')
refresh.value = CHOICES.includes(asked) ? asked : '5'
refresh.addEventListener('change', () => {
  history.replaceState(null, '', `?refresh=${refresh.value}`)
  plan()
})
document.addEventListener('visibilitychange', () => {
  if (document.hidden) clearTimeout(timer)
  else if (refresh.value !== '0') update()
})
addEventListener('resize', () => {
  if (state !== null) showTimeline(state.answer, plans)
})
setInterval(() => {
  if (!document.hidden) sayAge()
}, 1_000)
update()
