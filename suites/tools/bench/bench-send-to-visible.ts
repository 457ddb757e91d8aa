import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { keccak256 } from 'viem'
import WebSocket from 'ws'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { userKeys } from '#fixtures/chain/dev-keys'
import { RollbedProcess } from '#suites/system/end-to-end/rollbed-process'
import { sign, tokenCreation, transferData, transfers } from './erc20.ts'
import { type BenchResult, percentile, type Row } from './measurement.ts'

const RATE = 100
/** `ROLLBED_BENCH_SECONDS` makes it shorter, to see whether it runs. */
const SECONDS = Number(process.env.ROLLBED_BENCH_SECONDS ?? 20)
/** Tried one after the other, until one is too much. */
const RATES = [200, 400, 600, 800, 1_000, 1_500, 2_000]
/** Of each rate; the one in the middle counts, for a pause of the machine makes the p99 of some seconds. */
const TURNS = 3
/** Milliseconds in which nearly all are to be seen. */
const PATIENCE = 400
/** Room for 2,000 transfers a second. */
const GAS_LIMIT = 200_000_000
const BLOCK = 2_000
const FLASHBLOCK = 200
/** Milliseconds by which a timer may be early. */
const EARLY = 5
const TARGET = `0x${'70'.repeat(20)}`

interface SeenBlock {
  timestamp: `0x${string}`
  transactions: { hash: string }[]
}

/**
 * From sending to the pre-confirmed block, without and with calls of 50M gas, and how flashblocks keep
 * time; and how many a second can be sent before they are seen too late.
 */
export async function benchSendToVisible(): Promise<BenchResult> {
  const rollbed = new RollbedProcess(['up', '--json', '--port-base', '0'])
  try {
    const { rpcUrl, wsUrl } = await rollbed.ready()
    const client = httpRpcClient(rpcUrl)
    const watch = await watchFlashblocks(wsUrl)
    const { token, nonces } = await deployToken(client)
    const send = (rate: number, seconds: number) =>
      load(client, watch, transfers(token, nonces, rate * seconds), rate)
    await send(RATE, 4)
    const quiet = await send(RATE, SECONDS)
    const calls = heavyCalls(rpcUrl)
    const busy = await send(RATE, SECONDS)
    const heavy = await calls.stop()
    const higher: Row[] = []
    await client.request('anvil_setBlockGasLimit', [GAS_LIMIT])
    for (const rate of RATES) {
      const samples: Sample[] = []
      while (samples.length < TURNS) samples.push(await send(rate, SECONDS / 4))
      const sample = samples.sort((a, b) => p99(a) - p99(b))[Math.floor(TURNS / 2)]!
      higher.push(row(`alone, ${rate}/s`, sample))
      if (p99(sample) > PATIENCE) break
    }
    watch.close()
    return {
      title: `${RATE} ERC-20 transfers/s for ${SECONDS} s: from sending to the pending block`,
      note: [
        `${heavy} calls of 50M gas ended meanwhile. Late: behind the 200 ms grid, as a subscriber sees it.`,
        `Higher rates for ${SECONDS / 4} s each, the middle of ${TURNS} turns by its p99, until p99 is above ${PATIENCE} ms; blocks of ${GAS_LIMIT / 1e6}M gas.`,
      ].join('\n'),
      rows: [row('alone', quiet), row('with 50M-gas calls', busy), ...higher],
    }
  } finally {
    await rollbed.stop()
  }
}

const p99 = ({ delays }: Sample) => percentile(delays, 0.99)

interface Sample {
  delays: number[]
  lateness: number[]
  /** Of the flashblocks that were due. */
  published: number
}

function row(what: string, sample: Sample): Row {
  const { delays, lateness, published } = sample
  return {
    what,
    values: {
      'p50 ms': percentile(delays, 0.5),
      'p99 ms': p99(sample),
      'late p50 ms': percentile(lateness, 0.5),
      'late max ms': Math.max(...lateness),
      'flashblocks %': 100 * published,
    },
  }
}

async function watchFlashblocks(wsUrl: string) {
  const socket = new WebSocket(wsUrl)
  await once(socket, 'open')
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}')
  const seen = new Map<string, number>()
  const ticks: { at: number; lateness: number }[] = []
  socket.on('message', (text) => {
    const at = Date.now()
    const block: SeenBlock | undefined = JSON.parse(String(text)).params?.result
    if (!block) return
    for (const { hash } of block.transactions) if (!seen.has(hash)) seen.set(hash, at)
    const start = Number(block.timestamp) * 1000 - BLOCK
    ticks.push({ at, lateness: ((at - start + EARLY) % FLASHBLOCK) - EARLY })
  })
  return { seen, ticks, close: () => socket.close() }
}

async function load(
  client: RpcClient,
  { seen, ticks }: Awaited<ReturnType<typeof watchFlashblocks>>,
  raws: `0x${string}`[],
  rate: number,
): Promise<Sample> {
  const sent = new Map<string, number>()
  const answers: Promise<unknown>[] = []
  const start = Date.now()
  for (const [index, raw] of raws.entries()) {
    const ahead = start + (index * 1000) / rate - Date.now()
    if (ahead > 0) await wait(ahead)
    sent.set(keccak256(raw), Date.now())
    answers.push(client.request('eth_sendRawTransaction', [raw]))
  }
  await Promise.all(answers)
  const end = Date.now()
  while ([...sent.keys()].some((hash) => !seen.has(hash))) await wait(FLASHBLOCK)
  const within = ticks.filter(({ at }) => at >= start && at < end)
  // Each block adds one: the snapshot that opens it.
  const due = (end - start) / FLASHBLOCK + (end - start) / BLOCK
  return {
    delays: [...sent].map(([hash, at]) => seen.get(hash)! - at),
    lateness: within.map(({ lateness }) => lateness),
    published: within.length / due,
  }
}

/** A token of which everybody has some, and how many transactions each has sent by then. */
export async function deployToken(client: RpcClient) {
  const creation = sign(0, 0, null, tokenCreation(), 3_000_000n)
  const creationHash = await client.request('eth_sendRawTransaction', [creation])
  const receipt = await receiptOf(client, creationHash)
  const token = receipt.contractAddress
  let last: unknown
  for (let user = 1; user < userKeys.length; user++) {
    const data = transferData(userKeys[user]!.address, 10n ** 24n)
    last = await client.request('eth_sendRawTransaction', [sign(0, user, token, data)])
  }
  await receiptOf(client, last)
  return { token, nonces: userKeys.map((_, user) => (user === 0 ? userKeys.length : 0)) }
}

async function receiptOf(client: RpcClient, hash: unknown) {
  for (;;) {
    const receipt = await client.request('eth_getTransactionReceipt', [hash])
    if (receipt) return receipt as { contractAddress: `0x${string}` }
    await wait(50)
  }
}

/** Two at a time, until told to stop. Returns how many ended. */
function heavyCalls(url: string) {
  const client = httpRpcClient(url)
  let isOver = false
  const params = [{ to: TARGET, gas: '0x2faf080' }, 'pending', { [TARGET]: { code: '0x5b5f56' } }]
  let count = 0
  const keepCalling = async () => {
    while (!isOver) {
      await client.request('eth_call', params).catch(() => {})
      count++
    }
  }
  const running = Promise.all([keepCalling(), keepCalling()])
  return {
    async stop() {
      isOver = true
      await running
      return count
    },
  }
}
