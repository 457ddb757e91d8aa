import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import WebSocket from 'ws'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { batchInbox } from '#fixtures/chain/constants'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { deployToken } from './bench-send-to-visible.ts'
import { transfers } from './erc20.ts'
import { type BenchResult, percentile, type Row } from './measurement.ts'

const RATE = 100
/** `ROLLBED_BENCH_SECONDS` makes it shorter, to see whether it runs. */
const SECONDS = Number(process.env.ROLLBED_BENCH_SECONDS ?? 20)

/** Blocks of 2 s and of 200 ms under the same load: how soon a head is told after its slot, and what L1 is sent. */
export async function benchTodaysChain(): Promise<BenchResult> {
  const before = await loaded([])
  const today = await loaded(['--chain', 'today'])
  return {
    title: `${RATE} ERC-20 transfers/s for ${SECONDS} s, in blocks of 2 s and of 200 ms`,
    note: [
      'Told: newHeads, after the time of the block. Bytes: of all that is posted to the inbox meanwhile.',
      'Where other programs want the cores, `chrt -r 1 npm run bench -- today` goes before them.',
    ].join('\n'),
    rows: [
      row('blocks of 2 s', before),
      row('blocks of 200 ms', today, { '÷ before': today.bytes / before.bytes }),
    ],
  }
}

interface Loaded {
  /** Milliseconds from a block's slot until it is told. */
  lateness: number[]
  /** On L1, for each transaction. */
  bytes: number
}

function row(what: string, { lateness, bytes }: Loaded, more: Row['values'] = {}): Row {
  return {
    what,
    values: {
      'told p50 ms': percentile(lateness, 0.5),
      'told p99 ms': percentile(lateness, 0.99),
      'bytes a transaction': bytes,
      ...more,
    },
  }
}

async function loaded(flags: readonly string[]): Promise<Loaded> {
  const rollbed = new RollbedProcess(['up', '--json', '--port-base', '0', ...flags])
  try {
    const { rpcUrl, wsUrl, l1RpcUrl } = await rollbed.ready()
    const [client, l1] = [rpcUrl, l1RpcUrl].map((url) => httpRpcClient(url)) as [
      RpcClient,
      RpcClient,
    ]
    const { token, nonces } = await deployToken(client)
    // What is empty until now is posted first.
    await untilSafe(client)
    const began = await numberOf(l1, 'latest')
    // Signed before somebody watches: what the bench itself computes is not the node's lateness.
    const raws = transfers(token, nonces, RATE * SECONDS)
    const heads = await watchHeads(wsUrl)
    await sendAll(client, raws)
    const lateness = heads.close()
    await untilSafe(client)
    return { lateness, bytes: (await posted(l1, began)) / raws.length }
  } finally {
    await rollbed.stop()
  }
}

async function watchHeads(wsUrl: string) {
  const socket = new WebSocket(wsUrl)
  await once(socket, 'open')
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  const lateness: number[] = []
  socket.on('message', (text) => {
    const at = Date.now()
    const head: { timestamp: string; timestampMs?: string } | undefined = JSON.parse(String(text))
      .params?.result
    if (head) lateness.push(at - Number(head.timestampMs ?? Number(head.timestamp) * 1_000))
  })
  return {
    close() {
      socket.close()
      return lateness
    },
  }
}

async function sendAll(client: RpcClient, raws: readonly `0x${string}`[]): Promise<void> {
  const answers: Promise<unknown>[] = []
  const start = Date.now()
  for (const [index, raw] of raws.entries()) {
    const ahead = start + (index * 1_000) / RATE - Date.now()
    if (ahead > 0) await wait(ahead)
    answers.push(client.request('eth_sendRawTransaction', [raw]))
  }
  await Promise.all(answers)
}

/** All that there is now, and one block more, lies on L1. */
async function untilSafe(client: RpcClient): Promise<void> {
  const last = (await numberOf(client, 'latest')) + 1
  while ((await numberOf(client, 'safe')) < last) await wait(250)
}

async function numberOf(client: RpcClient, tag: string): Promise<number> {
  const block = (await client.request('eth_getBlockByNumber', [tag, false])) as { number: string }
  return Number(block.number)
}

/** Bytes that the batcher sent to L1 since a block. */
async function posted(l1: RpcClient, since: number): Promise<number> {
  let bytes = 0
  for (let number = await numberOf(l1, 'latest'); number > since; number--) {
    const block = await l1.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
    for (const { to, input } of (block as { transactions: { to: string; input: string }[] })
      .transactions) {
      if (to?.toLowerCase() === batchInbox.toLowerCase()) bytes += (input.length - 2) / 2
    }
  }
  return bytes
}
