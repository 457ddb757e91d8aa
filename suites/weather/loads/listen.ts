import { pad } from 'viem'
import type { World } from '#devnet/rollup/world/world'
import { sleep } from '#protocol/clock/clock'
import { MESSAGE_PASSER } from '../model/predeploys.ts'
import { partsOfReceipt } from './chain-reader.ts'

const logParts = ({
  blockHash,
  logIndex,
  removed,
  address,
  topics,
  data,
}: Record<string, unknown>) => ({
  key: `${blockHash} ${Number(logIndex)} ${removed === true}`,
  log: { address, topics, data },
})

/** Of logs that others subscribe to without a choice: whose, and of whom. */
const CHOSEN = ['logs of a contract', 'logs of a sender'] as const

/** What it subscribes to, and how each message is told to whoever judges: first by what it is about. */
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
  ...Object.fromEntries(CHOSEN.map((kind) => [kind, logParts])),
}

/** Its account withdraws, and each log of a withdrawal tells whose it is; tokens go by another. */
const WITHDRAWS = 7

function filterOf(kind: string, { facts }: World): object | undefined {
  const owner = facts.accounts[WITHDRAWS]!.address
  if (kind === CHOSEN[0]) return { address: MESSAGE_PASSER }
  return kind === CHOSEN[1] ? { topics: [null, null, pad(owner)] } : undefined
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

async function connect(world: World, who: string, signal: AbortSignal) {
  const { clients, recorder } = world
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
    const filter = filterOf(kind, world)
    const asked = filter ? ['logs', filter] : [kind]
    const id = String(await subscriber.request('eth_subscribe', asked))
    kinds.set(id, kind)
    recorder.record(who, 'stream.opened', { kind, ...(filter && { filter }) })
    // What came with the answer itself came before it has a name.
    for (const message of unnamed.splice(0)) hear(message)
  }
  await closed.promise
}
