import { toWord } from '../reads/eth-call.ts'
import { ABSENT, QUIET } from '../scenes/asked-filters.ts'
import { TRANSFER } from '../scenes/sealed-history.ts'
import { inCapitals } from '../spec/in-capitals.ts'
import type { Hex } from '../wire/hex.ts'
import { WATCHED_MARK } from './listen-to-pending-logs.ts'

/**
 * Filters of eth_getLogs from pending to pending, each of which finds some logs of the watch and not others:
 * one address and several, either letter case, topics by place, alternatives, and both.
 */
export function pendingFilters(emitter: Hex): Record<string, unknown>[] {
  const criteria = [
    { address: emitter },
    { address: inCapitals(emitter) },
    { address: [QUIET, emitter] },
    { address: QUIET },
    { topics: [TRANSFER] },
    { topics: [null, WATCHED_MARK] },
    // Of those with four topics one.
    { topics: [TRANSFER, null, null, toWord(3)] },
    { topics: [[ABSENT, TRANSFER]] },
    { topics: [WATCHED_MARK] },
    { address: [QUIET, emitter], topics: [TRANSFER, [ABSENT, WATCHED_MARK]] },
  ]
  return criteria.map((each) => ({ fromBlock: 'pending', toBlock: 'pending', ...each }))
}
