import type { TornVerdict } from './judge-torn-folder.ts'
import { TORN_KINDS, type TornCase, type TornKind } from './torn-case.ts'

type Outcome = TornVerdict['outcome']

/** How often what became of a folder, by what happened to which file. */
export type TornTable = Record<string, Partial<Record<TornKind, Partial<Record<Outcome, number>>>>>

/** Files and kinds stand in the order in which they are met, and in that of the kinds. */
export function tornTable(
  judged: readonly { each: Pick<TornCase, 'file' | 'kind'>; outcome: Outcome }[],
): TornTable {
  const table: TornTable = {}
  for (const kind of TORN_KINDS)
    for (const { each, outcome } of judged) {
      if (each.kind !== kind) continue
      const own = table[each.file] ?? {}
      const counts = own[kind] ?? {}
      table[each.file] = { ...own, [kind]: { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 } }
    }
  return table
}
