import { describeNotMet } from './head-of-run.ts'
import { judgedRules } from './judged-rules.ts'
import { isFailing, type RunResult } from './model.ts'

const LABEL = 'conformance'
/** Average advance of 11 px Verdana, as badge makers take it. */
const CHARACTER = 7

/**
 * A flat SVG badge: red with the number when something failed, grey with how much was judged, and green
 * only for a signed run in which nothing was left out (`rollbed report verify --badge`).
 */
export function toBadge(result: RunResult, { isWholeAndSigned = false } = {}): string {
  const failing = result.cases.filter((each) => isFailing(each.verdict)).length
  const passing = result.cases.filter((each) => each.verdict === 'pass').length
  const { judged, total } = judgedRules(result)
  const notMet = describeNotMet(result).replaceAll('`', '')
  const text = [
    failing ? `${failing} failed` : `${passing} passed`,
    ...(notMet ? [notMet] : []),
    ...(failing ? [] : [`${judged} of ${total} rules`]),
  ].join(', ')
  const left = LABEL.length * CHARACTER + 10
  const right = text.length * CHARACTER + 10
  const colour = failing ? '#b3261e' : isWholeAndSigned ? '#1f7a3d' : '#6b6b6b'
  const words = (x: number, value: string) =>
    `<text x="${x}" y="14" fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">${value}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${text}">`,
    `<title>${LABEL}: ${text}</title>`,
    `<rect width="${left + right}" height="20" rx="3" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="20" rx="3" fill="${colour}"/>`,
    words(left / 2, LABEL),
    words(left + right / 2, text),
    '</svg>\n',
  ].join('')
}
