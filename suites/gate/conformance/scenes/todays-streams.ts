import { sleep } from '#protocol/clock/clock'
import { cannotJudge } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { encodeLogEntries } from '../probes/contracts.ts'
import { toWord } from '../reads/eth-call.ts'
import type { Notification, SubscriptionClient } from '../wire/subscription-client.ts'
import { probeContracts } from './probe-contracts.ts'
import { todaysBlocks } from './todays-blocks.ts'

/** What Denim retired. */
const RETIRED_STREAMS = ['newFlashblocks', 'newFlashblockTransactions', 'pendingLogs'] as const
type Kind = (typeof RETIRED_STREAMS)[number] | 'newHeads' | 'logs'

/** More than three seconds of the chain. */
const HEADS = 17
/** Milliseconds for them: a slow line is no slow chain. */
const PATIENCE = 20_000
const TOPIC = toWord(0x57ea)

/** What subscriptions said while so many blocks came, with logs in them where the gate may send. */
export interface TodaysStreams {
  heads: readonly JsonObject[]
  logs: readonly JsonObject[]
  /** By kind: whether it was accepted, and what it told. */
  retired: Readonly<Record<string, { isAccepted: boolean; messages: readonly unknown[] }>>
}

export const todaysStreams: Scene<TodaysStreams> = {
  name: 'subscriptions on blocks of 200 ms',
  kind: 'observation',
  async build(t) {
    await t.scene(todaysBlocks)
    const listening = await listen(t)
    try {
      const sent = makeLog(t)
      const isEnough = () => listening.of('newHeads').length >= HEADS
      await Promise.race([listening.socket.until(isEnough), sleep(t.clock, PATIENCE, t.signal)])
      await sent
      if (!listening.isAccepted('newHeads')) cannotJudge('The node refuses newHeads.')
      return {
        heads: listening.of('newHeads').map(({ result }) => expectObject(result, 'head')),
        logs: listening.of('logs').map(({ result }) => expectObject(result, 'log')),
        retired: listening.retired(),
      }
    } finally {
      listening.socket.close()
    }
  },
}

/** One client that subscribes to all of them, and what each was told. */
export async function listen(t: CaseContext): Promise<{
  socket: SubscriptionClient
  isAccepted(kind: Kind): boolean
  of(kind: Kind): Notification[]
  retired(): TodaysStreams['retired']
}> {
  const socket = await t.subscribeTo()
  const ids = new Map<Kind, unknown>()
  for (const kind of ['newHeads', 'logs', ...RETIRED_STREAMS] as const) {
    const { result } = await socket.call('eth_subscribe', [kind, ...(kind === 'logs' ? [{}] : [])])
    if (result !== undefined) ids.set(kind, result)
  }
  const of = (kind: Kind) =>
    socket.notifications.filter(
      ({ subscription }) => ids.has(kind) && subscription === ids.get(kind),
    )
  const isAccepted = (kind: Kind) => ids.has(kind)
  return {
    socket,
    isAccepted,
    of,
    retired: () =>
      Object.fromEntries(
        RETIRED_STREAMS.map((kind) => [
          kind,
          { isAccepted: isAccepted(kind), messages: of(kind).map(({ result }) => result) },
        ]),
      ),
  }
}

/** So that a stream of logs has something to tell. */
async function makeLog(t: CaseContext): Promise<void> {
  if (t.driver.onlyReads) return
  const { logOther } = await t.scene(probeContracts)
  const data = encodeLogEntries([{ topics: [TOPIC], data: '0x' }])
  await t.driver.sealed(await t.driver.send({ account: 2, to: logOther, data }))
}
