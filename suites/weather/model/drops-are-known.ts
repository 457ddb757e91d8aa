import type { Checker, Found, LoggedEvent } from '../checkers/checker.ts'
import { eventsOf } from './events-of.ts'

/** As the table of errors names them. */
const CODE = /^[A-Z][A-Z_]+$/

export const dropsAreKnown: Checker = {
  name: 'drops-are-known',
  says: 'What was dropped, and not sent again, is told as dropped to whoever asks, with the code of its reason.',
  safety: (events) =>
    eventsOf(events, 'drops.seen').flatMap(({ t, asked, drops }): Found[] => {
      const { known, perhaps } = droppedBy(events, asked, t)
      const codes = new Map(drops.map(({ hash, code }) => [String(hash), code]))
      const missing = [...known].filter((hash) => !codes.has(hash) && !perhaps.has(hash))
      const strange = [...codes.keys()].filter((hash) => !known.has(hash) && !perhaps.has(hash))
      const spelled = [...codes].filter(([, code]) => !CODE.test(code))
      return [
        ...missing.map((hash) => `Transaction ${hash} was dropped, and nobody is told.`),
        ...strange.map((hash) => `Transaction ${hash} is told as dropped, and was not.`),
        ...spelled.map(
          ([hash, code]) => `Transaction ${hash} was dropped by ${code}, which is no code.`,
        ),
      ].map((problem) => ({ t, problem }))
    }),
}

/** @returns what was dropped for good when it was asked, and what came or went while it was answered */
function droppedBy(events: readonly LoggedEvent[], asked: number, until: number) {
  const known = new Set<string>()
  const perhaps = new Set<string>()
  for (const { t, who, what, data } of events) {
    if (t > until) break
    if (who !== 'node') continue
    // With a node goes what it knew.
    if (what === 'ended') known.clear()
    const isMove = what === 'pooled' || what === 'discarded'
    if (isMove && t >= asked) perhaps.add(String(data.hash))
    if (what === 'discarded') known.add(String(data.hash))
    if (what === 'pooled') known.delete(String(data.hash))
  }
  return { known, perhaps }
}
