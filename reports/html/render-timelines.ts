import { escapeMarkup as safe } from '#reports/escape-markup'
import type { RunResult, Timeline, TimelineLane } from '#reports/model'

const LANE = 20
const PANEL = 120
/** The shortest time that is still seen, of 1,000. */
const LEAST = 1.5
/** Milliseconds at the top of the latencies; the scale is logarithmic. */
const SLOWEST = 100_000

/** Every timeline: lanes with faults shaded, latencies as dots, heads as lines, and what was broken. */
export function renderTimelines({ timelines = [] }: RunResult): string {
  if (timelines.length === 0) return ''
  return `<article data-route="/timeline" data-title="Timeline">
<h2>Timeline</h2>
<p class="legend">Shaded: faults. Dots: what parts did, and how long requests took (green: answered, red: not). Lines: heads. Red lines across: what was broken. Zoom by the wheel or <kbd>+</kbd> <kbd>-</kbd> <kbd>←</kbd> <kbd>→</kbd> <kbd>0</kbd>.</p>
${timelines.map(renderTimeline).join('\n')}
</article>`
}

function renderTimeline(timeline: Timeline): string {
  const { name, duration, lanes, problems } = timeline
  const height = lanes.length * LANE + 2 * PANEL
  const broken = problems.map(
    ({ at, says }) => `<li>${safe(String(Math.round(at)))} ms: ${safe(says)}</li>`,
  )
  return `<section><h3>${safe(name)}</h3>
${broken.length ? `<ul class="broken">${broken.join('')}</ul>` : ''}
<div class="timeline"><ul aria-hidden="true">${lanes.map((lane) => `<li>${safe(lane.name)}</li>`).join('')}<li class="tall">latency, 1 ms to 100 s</li><li class="tall">heads: ${timeline.heads.map((head) => safe(head.name)).join(', ')}</li></ul>
<svg class="zoom" tabindex="0" role="img" aria-label="${safe(inWords(timeline))}" data-duration="${duration}" viewBox="0 0 1000 ${height}" height="${height}" preserveAspectRatio="none">
${lanes.map((lane, index) => renderLane(lane, { duration, height, top: index * LANE })).join('\n')}
${renderRequests(timeline, lanes.length * LANE)}
${renderHeads(timeline, lanes.length * LANE + PANEL)}
${problems.map(({ at, says }) => line('problem', `M${x(at, duration)} 0V${height}`, says)).join('')}
</svg>
<div class="axis"><span>0.0 s</span><span>${seconds(duration)}</span></div></div></section>`
}

function inWords({ name, duration, lanes, requests, problems }: Timeline): string {
  const faults = lanes.reduce((sum, lane) => sum + lane.faults.length, 0)
  return `${name}: ${seconds(duration)}, ${faults} faults, ${requests.length} requests, ${problems.length} problems`
}

function renderLane(
  { faults, events }: TimelineLane,
  { duration, height, top }: { duration: number; height: number; top: number },
): string {
  const shades = faults.map(({ from, to, says }) => {
    const left = x(from, duration)
    const width = Math.max(LEAST, x(to, duration) - left).toFixed(2)
    return `<rect class="veil" x="${left}" y="0" width="${width}" height="${height}"/><rect class="fault" x="${left}" y="${top + 2}" width="${width}" height="${LANE - 4}"><title>${safe(says)}</title></rect>`
  })
  const middle = top + LANE / 2
  const dots = events.map(({ at, says }) =>
    line('dot', `M${x(at, duration)} ${middle}h0`, `${Math.round(at)} ms: ${says}`),
  )
  const rule = `<path class="rule" d="M0 ${top + LANE}H1000"/>`
  return [rule, ...shades, ...dots].join('')
}

function renderRequests({ requests, duration }: Timeline, top: number): string {
  const y = (took: number) => {
    const share = Math.log10(Math.max(1, Math.min(took, SLOWEST))) / Math.log10(SLOWEST)
    return (top + PANEL - 6 - share * (PANEL - 12)).toFixed(1)
  }
  return requests
    .map(({ at, duration: took, isAnswered, says }) => {
      const kind = isAnswered ? 'dot answered' : 'dot failed'
      return line(kind, `M${x(at, duration)} ${y(took)}h0`, `${says}: ${Math.round(took)} ms`)
    })
    .join('')
}

function renderHeads({ heads, duration }: Timeline, top: number): string {
  const numbers = heads.flatMap(({ points }) => points.map(([, number]) => number))
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const y = (number: number) =>
    (top + PANEL - 6 - ((number - least) / Math.max(1, most - least)) * (PANEL - 12)).toFixed(1)
  return heads
    .filter(({ points }) => points.length > 0)
    .map(({ name, points }) => {
      // A head stands until the next one: steps, and on to the end.
      const steps = points.map(([at, number], index) =>
        index === 0 ? `M${x(at, duration)} ${y(number)}` : `H${x(at, duration)}V${y(number)}`,
      )
      const kind = `head head-${name.replaceAll(/[^a-z]/g, '')}`
      return line(kind, `${steps.join('')}H1000`, `${name}, to ${points.at(-1)![1]}`)
    })
    .join('')
}

const line = (kind: string, path: string, says: string) =>
  `<path class="${kind}" d="${path}"><title>${safe(says)}</title></path>`

/** The place of a time, of 1,000. */
const x = (at: number, duration: number) =>
  Number(((Math.min(at, duration) / Math.max(1, duration)) * 1000).toFixed(2))

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
