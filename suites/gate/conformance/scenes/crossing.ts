import { cannotJudge, notApplicable } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { poll } from '../poll.ts'
import { getBlock, getTip } from '../reads/get-block.ts'
import { isOfToday } from '../spec/base-time.ts'
import { todaysBlocks } from './todays-blocks.ts'
import { listen } from './todays-streams.ts'

/** Blocks on each side. */
const AROUND = 3n
/** Blocks of 200 ms that are listened to behind a crossing that came while the gate looked. */
const AFTER = 8n
const PATIENCE = 100_000

/** The blocks on both sides of the first of 200 ms, with whole transactions. */
export interface Crossing {
  /** The last three of before; fewer where the chain began later. */
  before: readonly JsonObject[]
  /** The first three of 200 ms. */
  after: readonly JsonObject[]
}

/** Finds the first block of 200 ms by halving, so that years of blocks take some thirty questions. */
export const crossing: Scene<Crossing> = {
  name: 'the crossing',
  kind: 'observation',
  async build(t) {
    await t.scene(todaysBlocks)
    const first = await firstOfToday(t)
    if (first === undefined || first < 2n)
      notApplicable('The chain has had blocks of 200 ms from its first one on.')
    const read = (from: bigint, count: bigint) =>
      Promise.all(
        Array.from({ length: Number(count) }, (_, at) => getBlock(t.rpc, from + BigInt(at), true)),
      )
    const earlier = first < AROUND ? first : AROUND
    return { before: await read(first - earlier, earlier), after: await read(first, AROUND) }
  },
}

/** Number of the first block of 200 ms; undefined where the newest is none. */
export async function firstOfToday({ rpc }: CaseContext): Promise<bigint | undefined> {
  const tip = await getTip(rpc)
  let [before, since] = [0n, tip]
  if (!isOfToday(await getBlock(rpc, tip, true))) return undefined
  while (since - before > 1n) {
    const middle = (before + since) / 2n
    if (isOfToday(await getBlock(rpc, middle, true))) since = middle
    else before = middle
  }
  return since
}

/** What was told while the chain crossed. */
export interface WatchedCrossing {
  /** Heads from before the first block of 200 ms to after it. */
  heads: readonly JsonObject[]
  first: bigint
  /** The newest block when all subscriptions were confirmed. */
  from: bigint
  /** Messages of retired subscriptions that came after the head of the first block of 200 ms. */
  late: readonly { kind: string; at: number }[]
}

/** Listens from before the crossing to after it, where it lies ahead. */
export const watchedCrossing: Scene<WatchedCrossing> = {
  name: 'the crossing, watched',
  kind: 'observation',
  async build(t) {
    const { rpc, clock, signal } = t
    const start = await getTip(rpc)
    if (isOfToday(await getBlock(rpc, start, true)))
      notApplicable('The crossing lies behind: the chain has blocks of 200 ms already.')
    const listening = await listen(t)
    const from = await getTip(rpc)
    try {
      const last = await poll({ clock, signal, every: 200, within: PATIENCE }, async () => {
        const tip = await getTip(rpc)
        const isBehind = tip > AFTER && isOfToday(await getBlock(rpc, tip - AFTER, true))
        return isBehind ? tip : undefined
      })
      if (last === undefined) cannotJudge(`The chain did not cross within ${PATIENCE / 1000} s.`)
      const first = (await firstOfToday(t)) ?? last
      const heads = listening.of('newHeads')
      const crossed = heads.find(({ result }) => {
        const { number } = (result ?? {}) as JsonObject
        return typeof number === 'string' && BigInt(number) >= first
      })
      const { at: since = Number.POSITIVE_INFINITY } = crossed ?? {}
      const late = (
        ['newFlashblocks', 'newFlashblockTransactions', 'pendingLogs'] as const
      ).flatMap((kind) =>
        listening.of(kind).flatMap(({ at }) => (at > since ? [{ kind, at: at - since }] : [])),
      )
      return { heads: heads.map(({ result }) => result as JsonObject), first, from, late }
    } finally {
      listening.socket.close()
    }
  },
}
