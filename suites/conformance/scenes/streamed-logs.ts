import { sleep } from '../../../enclave-sim/protocol/clock/clock.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import type { Hex } from '../drivers/driver.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { encodeLogEntries } from '../probes/contracts.ts'
import { toWord } from '../reads/eth-call.ts'
import { toLogs } from '../reads/get-logs.ts'
import { isSealed } from '../reads/is-sealed.ts'
import { type Probes, probeContracts } from './probe-contracts.ts'
import { OTHER, TRANSFER } from './sealed-history.ts'

export const STREAM_MARKS: readonly Hex[] = [toWord(0x51), toWord(0x52), toWord(0x53)]
/** How long a message may take after its block was sealed before it counts as missing. */
const GRACE = 1_000

/** A block that was sealed before it was polled cannot be compared; another one follows. */
const MOST_STREAMS = 3

/** What pendingLogs sent while three transactions were pre-confirmed one after the other. */
export interface StreamedLogs {
  probes: Probes
  /** The reply to eth_subscribe. */
  subscribed: JsonObject
  /** Transactions in order; each emits one log with its mark as second topic. */
  sent: Hex[]
  /** Notifications of the address filter, with the time they came. */
  messages: { at: number; result: unknown }[]
  /** Notifications of the filter by topic OTHER, which none of the logs fits. */
  unfit: unknown[]
  /** When the driver first saw the transactions sealed. */
  sealedAt: number
  /** pending to pending for the same contract, read before sealing. */
  polled: JsonObject[]
  /** Whether they were still unsealed after that. */
  wasPolledInTime: boolean
  unsubscribed: JsonObject
}

/** Subscribes, then sends three logs at the start of a block. */
export const streamedLogs: Scene<StreamedLogs> = {
  name: 'streamed logs',
  kind: 'observation',
  async build(context) {
    for (let stream = 1; ; stream++) {
      const seen = await watchStream(context)
      const isComplete = seen.messages.length >= seen.sent.length
      // What is late time and again is the target's doing, not that of a slow line.
      if ((seen.wasPolledInTime && isComplete) || stream >= MOST_STREAMS) return seen
    }
  },
}

async function watchStream(context: CaseContext): Promise<StreamedLogs> {
  const { driver, rpc, clock } = context
  const probes = await context.scene(probeContracts)
  const socket = await context.subscribeTo()
  const address = probes.logStream
  const subscribed = await socket.call('eth_subscribe', ['pendingLogs', { address }])
  const other = await socket.call('eth_subscribe', ['pendingLogs', { address, topics: [OTHER] }])
  const messagesOf = (id: unknown) =>
    socket.notifications.filter((each) => each.subscription === id)
  // Runs on one chain share the contract, so each looks at its own transactions only.
  const own = () => messagesOf(subscribed.result).filter(({ result }) => isFrom(sent, result))

  await driver.blockStart()
  const sent: Hex[] = []
  for (const mark of STREAM_MARKS) {
    const data = encodeLogEntries([{ topics: [TRANSFER, mark], data: '0x' }])
    sent.push(await driver.send({ account: 4, to: address, data }))
  }
  const arrived = () => own().length >= sent.length
  const sealed = Promise.all(sent.map((hash) => driver.sealed(hash))).then(() => clock.now())
  await Promise.race([socket.until(arrived), sealed])
  const polled = await rpc.call('eth_getLogs', [
    { address, fromBlock: 'pending', toBlock: 'pending' },
  ])
  const wasPolledInTime = !(await isSealed(rpc, sent[0]!))
  const sealedAt = await sealed
  await Promise.race([socket.until(arrived), sleep(clock, GRACE, context.signal)])
  const unsubscribed = await socket.call('eth_unsubscribe', [subscribed.result])
  const messages = own()
  const unfit = messagesOf(other.result)
  socket.close()
  const logs = 'result' in polled.body ? toLogs(polled.body.result) : []
  return {
    wasPolledInTime,
    probes,
    subscribed,
    sent,
    messages,
    unfit,
    sealedAt,
    polled: logs.filter((log) => isFrom(sent, log)),
    unsubscribed,
  }
}

function isFrom(sent: readonly Hex[], log: unknown): boolean {
  const { transactionHash } = (log ?? {}) as { transactionHash?: Hex }
  return transactionHash !== undefined && sent.includes(transactionHash)
}
