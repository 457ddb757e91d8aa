import { type Clock, sleep, withTimeout } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { CaseContext } from '../conformance-case.ts'
import { probeContracts } from '../scenes/probe-contracts.ts'
import type { KnownKind } from '../seen/known-answers.ts'
import { accountQuestions, stateQuestions, type Watched } from '../seen/watched.ts'
import { L1_BLOCK, ORIGIN_CALL, ORIGIN_SLOT, SHORT_ORIGIN_SLOT } from '../spec/l1-origin.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'
import { askKnown } from './ask-known.ts'
import { type AskedTarget, KNOWN_QUESTIONS } from './known-questions.ts'
import { listenToPendingLogs } from './listen-to-pending-logs.ts'
import { makeTraffic } from './make-traffic.ts'
import { pendingFilters } from './pending-filters.ts'

/** A simulation of one empty block: it names its parent. */
export const NOTHING = { blockStateCalls: [{}] }
/** L2ToL1MessagePasser, whose storage root is the withdrawalsRoot (OP spec, Isthmus). */
export const MESSAGE_PASSER = '0x4200000000000000000000000000000000000016'
export const PENDING_PROOF = ['eth_getProof', [MESSAGE_PASSER, [], 'pending']] as const
/** Parameters for the logs of the block at a tag. */
export const logsAt = (tag: string) => [{ fromBlock: tag, toBlock: tag }] as const
export const PENDING_LOGS = { fromBlock: 'pending', toBlock: 'pending' }

/** Milliseconds after which one stream is ended: it has heard a block, and others hear more. */
const MIDDLE = 2_500
/** Milliseconds between two rounds. */
const PAUSE = 10

type Round = readonly (readonly [method: string, params: readonly unknown[]])[]

const PENDING: Round = [
  ['eth_getBlockByNumber', ['pending', false]],
  ['eth_getLogs', [PENDING_LOGS]],
  ['eth_call', [ORIGIN_CALL, 'pending']],
  ['eth_getStorageAt', [L1_BLOCK, SHORT_ORIGIN_SLOT, 'pending']],
  ['eth_simulateV1', [{ blockStateCalls: [{ calls: [ORIGIN_CALL] }] }, 'pending']],
  ['eth_getBlockByNumber', ['pending', true]],
]
const TAGS: Round = ['finalized', 'safe', 'latest', 'earliest'].map((tag) => [
  'eth_getBlockByNumber',
  [tag, false],
])
/** With whole transactions, of which more follows than of their hashes. */
const WHOLE: Round = ['latest', 'safe', 'finalized'].map((tag) => [
  'eth_getBlockByNumber',
  [tag, true],
])
/** What else is read at the tags of sealed blocks: each answer names its block. */
const AT_TAGS: Round = ['finalized', 'safe', 'latest'].flatMap(
  (tag): Round => [
    ['eth_simulateV1', [NOTHING, tag]],
    ['eth_call', [ORIGIN_CALL, tag]],
    ['eth_getStorageAt', [L1_BLOCK, ORIGIN_SLOT, tag]],
    ['eth_getLogs', logsAt(tag)],
    ['eth_getBlockByNumber', [tag, false]],
  ],
)
/** Two blocks with calls, at each tag: whoever simulates needs more than a block of nothing. */
const SIMULATED: Round = ['pending', 'latest', 'safe', 'finalized'].map((tag) => [
  'eth_simulateV1',
  [{ blockStateCalls: [{ calls: [ORIGIN_CALL] }, { calls: [ORIGIN_CALL, ORIGIN_CALL] }] }, tag],
])
/** What the pending block's roots are of: the proof begins with the root of the state. */
const PROOF: Round = [
  ['eth_getBlockByNumber', ['pending', false]],
  PENDING_PROOF,
  ['eth_getBlockByNumber', ['pending', false]],
]
const PROVER: Round = [
  ['healthz', []],
  ['enclave_signerPublicKey', []],
]
/** One question of each kind in a round; milliseconds. */
const KNOWN_PAUSES: Readonly<Record<AskedTarget, number>> = {
  ...{ rpc: 10, api: 20, prover: 100, enclave: 100 },
}
/** Nine filters a round: the looks at the block itself come first. */
const FILTER_PAUSE = 30
/** Its answers wait for enclaves, which have work to do. */
const PROVER_PAUSE = 30
/** One batch of up to fifteen calls; milliseconds. */
const BATCH_PAUSE = 100
/** Milliseconds after which it has looked thousands of times, and what goes on takes its time … */
const OFTEN_FOR = 20_000
/** … such as cases on a slow machine: so much longer is each pause from then on. */
const LATER = 10

/** Milliseconds for what is under way at its end: the questions of which none was asked yet are many. */
const ENDS_WITHIN = 600_000

export interface Watch {
  /** Ends once it has lasted long enough; what the target does not answer then is given up. */
  end(): Promise<void>
}

/**
 * Looks at a node and a prover host all the time until it is ended: polls every selector, and every method
 * at pending; and where it may send, listens to every stream with two clients and makes traffic to be seen.
 * The answers are judged with all others of the run.
 *
 * @param options `atLeast` milliseconds that it lasts; `kinds` are those of known answers that are asked for;
 *   `watched` is filled with what streams said and what was known
 */
export function watchNode(options: {
  context: CaseContext
  watched: Watched
  atLeast: number
  kinds?: readonly KnownKind[]
}): Watch {
  const { context, watched, atLeast, kinds = [] } = options
  const { clock, signal, targets } = context
  const began = clock.now()
  const until = began + atLeast
  let isAskedToEnd = false
  const isEnding = () => signal.aborted || (isAskedToEnd && clock.now() >= until)
  const stretch = (pause: number) =>
    clock.now() - began < Math.max(atLeast, OFTEN_FOR) ? pause : pause * LATER
  const pollAll = (rpc: JsonRpcClient, round: () => Round, pause = PAUSE) =>
    quietly(
      context,
      watched,
      poll({ rpc, clock, signal, isEnding, round, pause: () => stretch(pause) }),
    )
  const atSlot = () => ['pending', 'latest', 'safe'].flatMap((tag) => ofSlot(watched, tag))
  const parts = [
    ...(targets.rpc
      ? [
          pollAll(context.rpc, () => PENDING),
          pollAll(context.rpc, () => byFilter(watched), FILTER_PAUSE),
          pollAll(context.rpc, () => [...AT_TAGS, ...SIMULATED, ...PROOF], FILTER_PAUSE),
          pollAll(context.rpc, () => accountQuestions(watched), FILTER_PAUSE),
          pollAll(context.rpc, () => [...TAGS, ...atSlot(), ...WHOLE, TAGS[2]!]),
          quietly(context, watched, pollBatches(context, { watched, isEnding, stretch })),
        ]
      : []),
    ...(targets.prover ? [pollAll(context.prover, () => PROVER, PROVER_PAUSE)] : []),
    ...(targets.rpc ? [quietly(context, watched, listen(context, watched, isEnding))] : []),
  ]
  parts.push(...askAll({ context, watched, kinds, isEnding, stretch }))
  return {
    async end() {
      isAskedToEnd = true
      const within = Math.max(0, until - clock.now()) + ENDS_WITHIN
      const late = () => new Error('an answer did not come')
      const ended = Promise.all(parts).then(() => undefined)
      await withTimeout(clock, within, ended, late).catch(({ message }: Error) => {
        watched.brokenBy ??= message
      })
    },
  }
}

/** What is asked at pending again and again. */
export function pendingQuestions(watched: Watched): Round {
  return [...PENDING, ...byFilter(watched), ...ofSlot(watched, 'pending')]
}

function ofSlot({ slot }: Watched, selector: string): Round {
  return slot ? stateQuestions(slot, selector) : []
}

function byFilter({ emitter }: Watched): Round {
  return emitter ? pendingFilters(emitter).map((filter) => ['eth_getLogs', [filter]]) : []
}

/** Asks each target that was given for the kinds of known answers that are of it. */
function askAll(options: {
  context: CaseContext
  watched: Watched
  kinds: readonly KnownKind[]
  isEnding: () => boolean
  stretch: (pause: number) => number
}): Promise<void>[] {
  const { context, watched, kinds, isEnding, stretch } = options
  const { clock, signal, targets } = context
  const byTarget = Object.groupBy(kinds, (kind) => KNOWN_QUESTIONS[kind].target)
  const askInTurn = (target: AskedTarget, ofTarget: readonly KnownKind[]) => {
    const asked = ofTarget.map((kind) => ({ kind, questions: KNOWN_QUESTIONS[kind].make(context) }))
    const { known } = watched
    const pause = () => stretch(KNOWN_PAUSES[target])
    return quietly(context, watched, askKnown({ asked, known, clock, signal, pause, isEnding }))
  }
  return (Object.keys(byTarget) as AskedTarget[]).flatMap((target) => {
    if (!targets[target]) return []
    const all = byTarget[target] ?? []
    const alone = all.filter((kind) => KNOWN_QUESTIONS[kind].isAlone)
    const others = all.filter((kind) => !KNOWN_QUESTIONS[kind].isAlone)
    return [others, ...alone.map((kind) => [kind])].map((kinds) => askInTurn(target, kinds))
  })
}

/** A node that breaks off, limits requests or seals nothing: the cases tell of that. */
async function quietly(
  { signal }: CaseContext,
  watched: Watched,
  part: Promise<void>,
): Promise<void> {
  try {
    await part
  } catch (error) {
    if (error instanceof RollbedError || signal.aborted) return
    // No answer ends a run, whatever its shape; who has nothing to judge then says why.
    watched.brokenBy ??= error instanceof Error ? error.message : String(error)
  }
}

async function poll(options: {
  rpc: JsonRpcClient
  clock: Clock
  signal: AbortSignal
  isEnding: () => boolean
  round: () => Round
  pause: () => number
}): Promise<void> {
  const { rpc, clock, signal, isEnding, round, pause } = options
  while (!isEnding()) {
    for (const [method, params] of round()) await rpc.call(method, params)
    await sleep(clock, pause(), signal)
  }
}

/** The same questions in batches, one round after the other; none any more of a node that answers no batch (OPEN-01). */
async function pollBatches(
  { rpc, clock, signal }: CaseContext,
  options: { watched: Watched; isEnding: () => boolean; stretch: (pause: number) => number },
): Promise<void> {
  const { watched, isEnding, stretch } = options
  while (!isEnding()) {
    const rounds = [
      [...PENDING, ...ofSlot(watched, 'pending')],
      [...SIMULATED, ...WHOLE, ...ofSlot(watched, 'latest')],
      byFilter(watched),
      AT_TAGS,
    ]
    for (const round of rounds.filter(({ length }) => length > 0)) {
      const calls = round.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
      const { http } = await rpc.post(JSON.stringify(calls))
      if (!Array.isArray(http.json)) return
      await sleep(clock, stretch(BATCH_PAUSE), signal)
    }
  }
}

/** Listens, and makes what is to be heard; in the middle one stream is ended. */
async function listen(
  context: CaseContext,
  watched: Watched,
  isEnding: () => boolean,
): Promise<void> {
  const { driver, clock, signal, rpc, targets, profile } = context
  // Each transaction of a poor account costs its owner money.
  if (driver.onlyReads || driver.lacksMoney) return
  const probes = await context.scene(probeContracts)
  const open = (onNotification: Parameters<CaseContext['subscribeTo']>[0]) =>
    context.subscribeTo(onNotification)
  const url = targets.ws
  if (!url || profile === 'today') {
    await makeTraffic({ driver, probes, clock, signal, watched, isEnding })
    return
  }
  const listening = await listenToPendingLogs({ open, rpc, url, probes, clock, signal })
  if (!listening) return
  const endsOne = sleep(clock, MIDDLE, signal).then(() => listening.endOne())
  // It is awaited further down; what is thrown before that says more.
  endsOne.catch(() => {})
  const last = await makeTraffic({ driver, probes, clock, signal, watched, isEnding })
  await endsOne
  watched.streams.push(...(await listening.end(last)))
}
