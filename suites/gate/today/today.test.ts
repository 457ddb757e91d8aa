import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/index'
import { type Mutant, startMutantProxy, ZOO } from '#mocks/index'
import { systemClock as clock } from '#protocol/clock/system-clock'
import type { RunResult } from '#reports/model'
import {
  createTestMnemonicDriver,
  type Driver,
  runConformance,
  runMutants,
  selectCases,
} from '../conformance/index.ts'

/** All but those of proofs, for which enclaves would have to start: the played crossing has them. */
const NODE = selectCases('today.*').filter(({ id }) => !id.startsWith('today.proof.'))
const WATCHED = 'today.crossing.watched.01'
/** One of each family, for every commit; `npm run mutants` has all. */
const SAMPLE =
  'today.leap, today.now-and-then, today.by-hash-without, today.pending-time-is-old, today.p256-cheaper, today.same-gas'

/** Seconds from the start to the crossing: the gate is long there by then, on a slow machine, too. */
const AHEAD = 240
/** Seconds that are let to pass at once, when it listens: what is left comes by itself. */
const PASSED = 232

/** Not all at once, and with time enough: a busy machine is no wrong node. */
const PACE = { concurrency: 6, timeout: 240_000 }

let devnet: Devnet
let driver: Driver
let judged: RunResult
let withLostHeads: RunResult

beforeAll(async () => {
  // No case looks at a proof here: without enclaves the chain is there sooner.
  const upgrades = { azul: 'genesis', denim: `+${AHEAD}s` } as const
  devnet = await startDevnet({ enclaves: 0, upgrades })
  const { rpcUrl: rpc, wsUrl } = devnet.description
  const { signal } = new AbortController()
  driver = await createTestMnemonicDriver({ targets: { rpc, ws: wsUrl }, clock, signal })
  const losesHeads = ZOO.find(({ rule }) => rule === 'TODAY-CROSS-06')!
  await using whole = await listenThrough(wsUrl)
  await using lossy = await listenThrough(wsUrl, losesHeads)
  // Both at once: a chain crosses once.
  const runs = Promise.all([
    runConformance({
      targets: { rpc, ws: whole.url },
      driver,
      profile: 'today',
      cases: NODE,
      ...PACE,
    }),
    runConformance({ targets: { rpc, ws: lossy.url }, profile: 'today', only: WATCHED, ...PACE }),
  ])
  await Promise.all([whole.isListening, lossy.isListening])
  await devnet.passTime(PASSED)
  ;[judged, withLostHeads] = await runs
})
afterAll(() => devnet?.stop())

/** A way to the node's subscriptions that tells when the gate has all that it wants. */
async function listenThrough(target: string, mutant?: Mutant) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watched: Mutant = {
    ...(mutant ?? ZOO[0]!),
    apply(context) {
      const hooks = mutant?.apply(context) ?? {}
      return {
        ...hooks,
        call(call) {
          if (call.method === 'eth_subscribe' && call.params[0] === 'pendingLogs') resolve()
          return hooks.call?.(call) ?? call
        },
      }
    },
  }
  const proxy = await startMutantProxy({ target, mutant: watched, clock })
  return {
    url: proxy.url,
    isListening: promise,
    [Symbol.asyncDispose]: () => proxy.stop(),
  }
}

describe('given a devnet that crosses to blocks of 200 ms under the eyes of the gate', () => {
  test('when it is judged as a node of today, then every case of today passes, the crossing included', () => {
    const others = judged.cases.filter(({ verdict }) => verdict !== 'pass')
    expect(others.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    expect(judged.cases.map(({ id }) => id)).toEqual(NODE.map(({ id }) => id))
  })

  test('when heads are lost on the way, then the case that watches the crossing fails (TODAY-CROSS-06)', () => {
    expect(withLostHeads.cases).toMatchObject([{ id: WATCHED, verdict: 'fail' }])
  })

  test('when one rule of a family is broken, then a case of that rule notices', async () => {
    const { rpcUrl: rpc, wsUrl: ws } = devnet.description
    const targets = { rpc, ws }
    const { outcomes } = await runMutants({
      targets,
      driver,
      profile: 'today',
      only: SAMPLE,
      concurrency: 2,
    })
    expect(outcomes).toHaveLength(6)
    expect(outcomes.filter(({ verdict }) => verdict !== 'killed')).toEqual([])
  })

  test('when it is judged by the rules of before, then no rule of today is in the report', async () => {
    const { rpcUrl: rpc } = devnet.description
    const run = await runConformance({ targets: { rpc }, profile: 'base', only: 'RPC-ENV-09' })
    expect(run.rules.filter(({ id }) => id.startsWith('TODAY-'))).toEqual([])
    const all = judged.rules.filter(({ id }) => /^TODAY-(?!PROOF)/.test(id))
    expect(all.filter(({ isJudged }) => !isJudged).map(({ id }) => id)).toEqual([])
  })
})
