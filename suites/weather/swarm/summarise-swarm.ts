import type { SwarmResult } from './play-swarm.ts'

/** Targets named in the summary; the reports hold the rest. */
const MOST_TARGETS = 8

/** What a swarm reached and what it never did, in a few lines. */
export function summariseSwarm({ played, branches, reached, failures }: SwarmResult): string {
  const { sometimes, faults } = reached
  const never = namesOfNone(sometimes)
  const missing = missingByTarget(faults)
  const brought = Object.values(faults).filter((count) => count > 0).length
  const states = Object.keys(sometimes).length
  const lines = [
    `${played} runs${branches > 0 ? `, ${branches} of them branches` : ''}, ${failures.length} of them broke something.`,
    `States reached: ${states - never.length} of ${states}. Faults brought about: ${brought} of ${Object.keys(faults).length}.`,
  ]
  if (never.length > 0) lines.push(`Never: ${never.join('; ')}.`)
  const most = missing.slice(0, MOST_TARGETS)
  if (most.length > 0) {
    const targets = most.map(({ target, names }) => `${target} (${names.length})`).join(', ')
    const more = missing.length > most.length ? ', …' : ''
    lines.push(`Targets with faults that were never brought about: ${targets}${more}.`)
  }
  return lines.join('\n')
}

const namesOfNone = (counts: Readonly<Record<string, number>>): string[] =>
  Object.keys(counts).filter((name) => counts[name] === 0)

/** Faults that were never brought about, the worst target first. */
export function missingByTarget(faults: Readonly<Record<string, number>>) {
  const byTarget = new Map<string, string[]>()
  for (const name of namesOfNone(faults)) {
    const [target = '', fault = ''] = name.split(' ')
    byTarget.set(target, [...(byTarget.get(target) ?? []), fault])
  }
  return [...byTarget]
    .map(([target, names]) => ({ target, names }))
    .sort((one, other) => other.names.length - one.names.length)
}
