import type { CaseContext, ConformanceCase } from './conformance-case.ts'
import { blockOfToday } from './scenes/todays-blocks.ts'

type About = Pick<ConformanceCase, 'id' | 'title' | 'rules' | 'rationale'>

/** A case that asks a node once it has a block of today's chain. */
export function caseOfToday(about: About, run: (t: CaseContext) => Promise<void>): ConformanceCase {
  return {
    ...about,
    area: 'today',
    profiles: ['today'],
    needs: ['rpc'],
    async run(t) {
      await blockOfToday(t)
      await run(t)
    },
  }
}
