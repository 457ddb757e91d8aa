import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import { rewriteParams, rewriteResult, without } from '../rewrites.ts'
import type { TeeJson } from '../tee-json.ts'

const proverMutant = mutantsOf('today', 'prover')
const l1Mutant = mutantsOf('today', 'l1')

/** Changes every proposal of a proof, the aggregate too. */
const proposals = (change: (proposal: JsonObject) => JsonObject): Mutant['apply'] =>
  rewriteResult('prover_prove', (result) => {
    const { aggregate_proposal, proposals } = (result as { Tee: TeeJson }).Tee
    const all = { aggregate_proposal: change(aggregate_proposal), proposals: proposals.map(change) }
    return { Tee: all }
  })

/** Calls of one function on L1 are answered with one bit flipped. */
const flipAnswerOf = (selector: string): Mutant['apply'] =>
  rewriteResult('eth_call', (result, call) => {
    const { data = '' } = (call.params[0] ?? {}) as { data?: string }
    return data.startsWith(selector) ? flipLast(result) : result
  })

const flipLast = (value: unknown) => {
  const text = String(value)
  return `${text.slice(0, -1)}${(Number.parseInt(text.slice(-1), 16) ^ 1).toString(16)}`
}

/** `activatedScheduleId(uint64)` and `intervalsForStartingBlock(uint256)`. */
const ACTIVATED = '0xa2e62b5a'
const INTERVALS = '0x326ac384'
/** createWithInitData(uint32,bytes32,bytes,bytes) */
const CREATE_GAME = '0x1011f377'

/** Mutants of proofs and games after the crossing to blocks of 200 ms. */
export const TODAY_PROOF_MUTANTS: readonly Mutant[] = [
  proverMutant(
    'TODAY-PROOF-01',
    'no-schedule',
    'A proposal names no schedule',
    proposals((each) => without(each, 'schedule_id')),
  ),
  proverMutant(
    'TODAY-PROOF-02',
    'other-schedule',
    'The schedule that is named is not the one that was signed',
    proposals((each) => ({ ...each, schedule_id: flipLast(each.schedule_id) })),
  ),
  proverMutant(
    'TODAY-PROOF-03',
    'no-upgrade',
    'The schedule is that of a chain on which nothing is active',
    proposals((each) => ({ ...each, schedule_id: `0x${'00'.repeat(32)}` })),
  ),
  l1Mutant(
    'TODAY-PROOF-04',
    'other-hash',
    'activatedScheduleId is the hash of something else',
    flipAnswerOf(ACTIVATED),
  ),
  l1Mutant(
    'TODAY-PROOF-05',
    'always-slow',
    'Games have the intervals of before for ever',
    rewriteParams('eth_call', ([call, ...rest]) => {
      const { data = '' } = (call ?? {}) as { data?: string }
      if (!data.startsWith(INTERVALS)) return [call, ...rest]
      return [{ ...(call as JsonObject), data: `${INTERVALS}${'0'.repeat(64)}` }, ...rest]
    }),
  ),
  l1Mutant(
    'TODAY-PROOF-06',
    'any-time',
    'A game takes claims whose time has not come',
    // At the time of L1 itself, which is past the claim's.
    rewriteParams('eth_call', (params) => {
      const { data = '' } = (params[0] ?? {}) as { data?: string }
      return data.startsWith(CREATE_GAME) ? params.slice(0, 3) : params
    }),
  ),
]
