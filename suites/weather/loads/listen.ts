import type { World } from '#devnet/rollup/world/world'
import { sleep } from '#protocol/clock/clock'
import { partsOfReceipt } from './chain-reader.ts'

/** What it subscribes to beside logs, and how each message is told to whoever judges: first by what it is about. */
const KINDS: Readonly<Record<string, (result: never) => Record<string, unknown>>> = {
  newHeads: ({ hash, ...header }: Record<string, unknown>) => ({ key: hash, header }),
  transactionReceipts: (receipts: Record<string, unknown>[]) => ({
    key: receipts[0]?.blockHash,
    receipts: receipts.map(partsOfReceipt),
  }),
  newPendingTransactions: (key: string) => ({ key }),
  newFlashblockTransactions: (key: string) => ({ key }),
  newFlashblocks: ({ transactions }: { transactions: { hash: string }[] }) => ({
    key: transactions.at(-1)?.hash,
  }),
  pendingLogs: ({ transactionHash, removed, address, topics, data }: Record<string, unknown>) => ({
    ...{ key: `${transactionHash} ${removed}`, log: { address, topics, data } },
  }),
}

/** One connection with a subscription of each kind, opened anew where it is lost; it ends with the signal. */
export async function listen(world: World, name: string, signal: AbortSignal): Promise<void> {
  for (let connections = 0; !signal.aborted; connections++) {
    const who = `${name}.${connections}`
    await connect(world, who, signal).catch((error) =>
      world.recorder.record(who, 'stream.failed', { message: String(error) }),
    )
    await sleep(world.clock, 500, signal).catch(() => {})
  }
}

async function connect({ clients, recorder }: World, who: string, signal: AbortSignal) {
  const closed = Promise.withResolvers<void>()
  const kinds = new Map<string, string>()
  const unnamed: { subscription: string; result: never }[] = []
  const hear = ({ subscription, result }: (typeof unnamed)[number]) => {
    const kind = kinds.get(subscription)
    if (!kind) unnamed.push({ subscription, result })
    else recorder.record(who, 'stream.message', { kind, ...KINDS[kind]!(result) })
  }
  const subscriber = await clients.subscriber({
    notification: (params) => hear(params as (typeof unnamed)[number]),
    closed(reason) {
      recorder.record(who, 'stream.closed', { reason })
      closed.resolve()
    },
  })
  signal.addEventListener('abort', () => subscriber.close(), { once: true })
  for (const kind of Object.keys(KINDS)) {
    const id = String(await subscriber.request('eth_subscribe', [kind]))
    kinds.set(id, kind)
    recorder.record(who, 'stream.opened', { kind })
    // What came with the answer itself came before it has a name.
    for (const message of unnamed.splice(0)) hear(message)
  }
  await closed.promise
}
