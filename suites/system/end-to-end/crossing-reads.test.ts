import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { baseTimeAbi } from '#fixtures/contracts/BaseTime.abi'
import { request } from '../cheats/cheat-node.ts'

/** Azul with block 2, Denim with block 3; nothing moves but by hand. */
const START = 1_800_000_000
const BASE_TIME: Hex = '0x4200000000000000000000000000000000000030'
const FIRST = START + 6

interface Json {
  [key: string]: unknown
}

let devnet: Devnet
const notified: Record<string, Json[]> = {
  ...{ newHeads: [], logs: [], transactionReceipts: [] },
  ...{ newFlashblocks: [], newFlashblockTransactions: [], pendingLogs: [] },
}
let socket: WebSocket
let headWaited: { count: number; resolve: () => void } | undefined

beforeAll(async () => {
  devnet = await startDevnet({
    ...{ enclaves: 0, manual: true, logLevel: 'silent', genesisTime: START },
    upgrades: { azul: 'block 2', denim: 'block 3' },
  })
  await subscribeAll()
})
afterAll(async () => {
  socket?.close()
  await devnet?.stop()
})

/** Subscribes to each kind of `notified`. */
async function subscribeAll(): Promise<void> {
  const kinds = Object.keys(notified)
  const kindOf = new Map<unknown, string>()
  const ready = Promise.withResolvers<void>()
  socket = new WebSocket(devnet.description.wsUrl)
  socket.onmessage = ({ data }) => {
    const { id, result, params } = JSON.parse(String(data))
    if (params) notified[kindOf.get(params.subscription)!]!.push(params.result)
    else if (kindOf.set(result, kinds[id]!).size === kinds.length) ready.resolve()
    if (headWaited && notified.newHeads!.length >= headWaited.count) headWaited.resolve()
  }
  socket.onopen = () => {
    for (const [id, kind] of kinds.entries())
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: [kind] }))
  }
  await ready.promise
}

/** Resolves when so many heads were told. */
async function heads(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  headWaited = { count, resolve }
  if (notified.newHeads!.length >= count) resolve()
  await promise
}

const rpc = <T = Json>(method: string, ...params: unknown[]) =>
  request(devnet.description.rpcUrl, method, params) as Promise<T>
const block = (tag: string | number, full = false) =>
  rpc('eth_getBlockByNumber', typeof tag === 'number' ? `0x${tag.toString(16)}` : tag, full)
const hex = (value: number) => `0x${value.toString(16)}`

/** What BaseTime answers to a call at a block. */
async function timestampMsAt(tag: string, overrides?: Json): Promise<number> {
  const call = { abi: baseTimeAbi, functionName: 'timestampMs' } as const
  const data = await rpc<Hex>(
    ...(['eth_call', { to: BASE_TIME, data: encodeFunctionData(call) }, tag] as const),
    ...(overrides ? [overrides] : []),
  )
  return Number(decodeFunctionResult({ ...call, data }))
}

/** NUMBER and TIMESTAMP, as what a creation returns. */
async function placeAt(tag: string): Promise<number[]> {
  const output = await rpc<Hex>('eth_call', { data: '0x435f524260205260405ff3' }, tag)
  return [Number(`0x${output.slice(2, 66)}`), Number(`0x${output.slice(66)}`)]
}

/** Sends a transaction that leaves one log. */
async function sendLog(): Promise<Hex> {
  const [{ privateKey, address }] = devnet.description.accounts as [
    (typeof devnet.description.accounts)[0],
  ]
  const nonce = Number(await rpc<Hex>('eth_getTransactionCount', address, 'pending'))
  const raw = await privateKeyToAccount(privateKey).signTransaction({
    ...{ type: 'eip1559', chainId: devnet.description.chainId, nonce, gas: 300_000n },
    ...{ maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1n },
    // L2ToL1MessagePasser: a transfer to it emits MessagePassed.
    ...{ to: '0x4200000000000000000000000000000000000016', value: 1n },
  })
  return await rpc<Hex>('eth_sendRawTransaction', raw)
}

test('given the chain before Denim, then it answers as deployed nodes do, pre-confirms, and tells no milliseconds', async () => {
  expect(devnet.description.profile).toBe('base')
  expect(await block('pending')).toMatchObject({ number: '0x1' })
  const hash = await sendLog()
  await devnet.node.flashblock()
  expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  await devnet.node.seal()
  await heads(1)
  expect(notified.newFlashblocks!.length).toBeGreaterThan(0)
  expect(notified.pendingLogs).toHaveLength(1)
  expect(await block(1, true)).not.toHaveProperty('timestampMs')
  expect(notified.newHeads!.at(-1)).not.toHaveProperty('timestampMs')
  const logs = await rpc<Json[]>('eth_getLogs', { fromBlock: '0x1', toBlock: '0x1' })
  expect(logs).toHaveLength(1)
  expect(logs[0]).not.toHaveProperty('blockTimestampMs')
})

test('given the specification by its name, then it is refused', async () => {
  const at = (path: string) => fetch(`${devnet.description.rpcUrl}${path}`, { method: 'POST' })
  expect((await at('/spec')).status).toBe(404)
  await expect(
    startDevnet({ enclaves: 0, upgrades: 'today', profile: 'spec', logLevel: 'silent' }),
  ).rejects.toMatchObject({ code: 'UPGRADES_INVALID' })
})

test('given the last block before Denim, then a call at pending sees the first of Denim, and BaseTime stands there already', async () => {
  await devnet.node.seal()
  expect(await placeAt('pending')).toEqual([3, FIRST])
  expect(await timestampMsAt('pending')).toBe(FIRST * 1000)
  await expect(timestampMsAt('latest')).rejects.toThrow()
  // Nothing of it is pre-confirmed.
  const { number } = await block('latest')
  expect(await block('pending')).toMatchObject({ number })
})

test('when Denim comes, then sealed blocks, transactions, logs, receipts and heads tell milliseconds, five to a second', async () => {
  await devnet.node.seal()
  const flashblocks = notified.newFlashblocks!.length
  const hash = await sendLog()
  await devnet.node.flashblock()
  expect(await rpc('eth_getTransactionReceipt', hash)).toBeNull()
  const waiting = await rpc('eth_getTransactionByHash', hash)
  expect(waiting).toMatchObject({ blockHash: null })
  expect(waiting).not.toHaveProperty('blockTimestampMs')
  expect(await timestampMsAt('latest')).toBe(FIRST * 1000)
  expect(await placeAt('pending')).toEqual([4, FIRST])
  expect(await timestampMsAt('pending')).toBe(FIRST * 1000 + 200)
  const stateDiff = { [`0x${'00'.repeat(32)}`]: `0x${(600).toString(16).padStart(64, '0')}` }
  expect(await timestampMsAt('pending', { [BASE_TIME]: { stateDiff } })).toBe(FIRST * 1000 + 600)
  // A whole state takes the place of the forecast, and of the link to what stands behind the proxy.
  await expect(timestampMsAt('pending', { [BASE_TIME]: { state: {} } })).rejects.toThrow()

  for (let each = 4; each <= 8; each++) await devnet.node.seal()
  await heads(8)
  // base/base, anvil's Denim network: behind the fourth part of a second it forecasts 0.
  expect(await timestampMsAt('0x7')).toBe(FIRST * 1000 + 800)
  expect(await timestampMsAt('0x8')).toBe(FIRST * 1000 + 1000)
  const ms = (number: number) => hex(FIRST * 1000 + (number - 3) * 200)
  for (const number of [3, 4, 7, 8]) {
    const seconds = FIRST + (number === 8 ? 1 : 0)
    const one = await block(number, true)
    expect(one).toMatchObject({ timestamp: hex(seconds), timestampMs: ms(number) })
    for (const each of one.transactions as Json[])
      expect(each).toMatchObject({ blockTimestamp: hex(seconds), blockTimestampMs: ms(number) })
  }
  expect(notified.newHeads!.slice(2).map((head) => head.timestampMs)).toEqual(
    [3, 4, 5, 6, 7, 8].map(ms),
  )
  const logged = { blockNumber: '0x4', blockTimestampMs: ms(4) }
  expect(await rpc('eth_getLogs', { fromBlock: '0x3', toBlock: '0x8' })).toMatchObject([logged])
  const receipt = await rpc('eth_getTransactionReceipt', hash)
  expect(receipt).toMatchObject({ logs: [logged] })
  expect(receipt).not.toHaveProperty('blockTimestampMs')
  expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject(logged)
  // Retired: accepted, and silent.
  expect(notified.newFlashblocks).toHaveLength(flashblocks)
  expect(notified.pendingLogs).toHaveLength(1)
})

test('given every other way to read a block of Denim, then it tells the milliseconds where Base does, and nowhere else', async () => {
  const blockTimestampMs = hex(FIRST * 1000 + 200)
  const { hash, timestampMs, transactions } = await block(4)
  expect(timestampMs).toBe(blockTimestampMs)
  expect(await rpc('eth_getBlockByHash', hash, false)).toMatchObject({ timestampMs })
  expect(await rpc('eth_getHeaderByHash', hash)).toMatchObject({ timestampMs })
  expect(await rpc('eth_getHeaderByNumber', '0x4')).toMatchObject({ timestampMs })
  expect(await rpc('eth_getHeaderByNumber', '0x2')).not.toHaveProperty('timestampMs')
  const index = hex((transactions as Hex[]).length - 1)
  for (const [method, of] of [
    ['eth_getTransactionByBlockHashAndIndex', hash],
    ['eth_getTransactionByBlockNumberAndIndex', '0x4'],
  ] as const) {
    expect(await rpc(method, of, index)).toMatchObject({ blockTimestampMs })
    expect(await rpc(method, '0x2', '0x0').catch(() => ({}))).not.toHaveProperty('blockTimestampMs')
  }
  const receipts = await rpc<Json[]>('eth_getBlockReceipts', '0x4')
  for (const receipt of receipts) expect(receipt).not.toHaveProperty('blockTimestampMs')
  expect(receipts.at(-1)).toMatchObject({ logs: [{ blockTimestampMs }] })
  const filter = await rpc('eth_newFilter', { fromBlock: '0x4', toBlock: '0x4' })
  expect(await rpc('eth_getFilterLogs', filter)).toMatchObject([{ blockTimestampMs }])
  // Streams: the log of block 1 without, that of block 4 with them.
  expect(notified.logs!.map((log) => log.blockTimestampMs)).toEqual([undefined, blockTimestampMs])
  const streamed = notified.transactionReceipts!.flat() as unknown as Json[]
  expect(streamed.filter(({ blockNumber }) => blockNumber === '0x4')).toEqual(receipts)
  for (const method of ['debug_traceBlockByNumber', 'trace_block'])
    expect(JSON.stringify(await rpc(method, '0x4'))).not.toContain('TimestampMs')
  const history = await rpc('eth_feeHistory', '0x8', '0x8', [])
  const fees = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async (each) => block(each)))
  expect(history).toMatchObject({ oldestBlock: '0x1' })
  expect((history.baseFeePerGas as Hex[]).slice(0, 8)).toEqual(
    fees.map(({ baseFeePerGas }) => baseFeePerGas),
  )
  // It is nowhere called as BaseTime calls it.
  expect(JSON.stringify([await block(4, true), receipts])).not.toContain('illisPart')
})

test('given logs that are polled, then eth_getFilterChanges tells milliseconds, and pending reads are those of latest', async () => {
  const filter = await rpc('eth_newFilter', {})
  const hash = await sendLog()
  const [{ address }] = devnet.description.accounts as [(typeof devnet.description.accounts)[0]]
  const at = (method: string, tag: string) => rpc(method, address, tag)
  // The pool counts for a nonce; nothing of it is there yet.
  expect(Number(await at('eth_getTransactionCount', 'pending'))).toBe(
    Number(await at('eth_getTransactionCount', 'latest')) + 1,
  )
  expect(await at('eth_getBalance', 'pending')).toBe(await at('eth_getBalance', 'latest'))
  const range = { fromBlock: 'pending', toBlock: 'pending' }
  expect(await rpc('eth_getLogs', range)).toEqual([])
  await devnet.node.flashblock()
  await devnet.node.seal()
  const { timestampMs, number } = await block('latest')
  const logged = [{ blockNumber: number, blockTimestampMs: timestampMs, transactionHash: hash }]
  expect(await rpc('eth_getFilterChanges', filter)).toMatchObject(logged)
  expect(await rpc('eth_getLogs', range)).toMatchObject(logged)
  expect(await rpc('eth_getBlockTransactionCountByNumber', 'pending')).toBe(
    await rpc('eth_getBlockTransactionCountByNumber', 'latest'),
  )
})

test('given a chain past Denim, then what it retired is gone or is latest, and estimates know the most gas of a transaction', async () => {
  await expect(rpc('eth_sendRawTransactionSync', '0x00')).rejects.toMatchObject({ code: -32601 })
  expect(await block('pending')).toEqual(await block('latest'))
  // The path that follows the specification elsewhere answers as deployed nodes do here (-32001 there).
  const unknown = rpc('eth_simulateV1', { blockStateCalls: [{}] }, '0x999')
  await expect(unknown).rejects.toMatchObject({ code: -32000, message: 'header not found' })
  // Loops until it has no gas; a call may have 50 million, a transaction 2^24.
  await expect(rpc('eth_estimateGas', { data: '0x5b5f56' })).rejects.toThrow('16777216')
})

test('given a client of today that asks for a retired stream, then it is accepted and silent', async () => {
  const before = notified.newFlashblockTransactions!.length
  const answer = Promise.withResolvers<Json>()
  const late = new WebSocket(devnet.description.wsUrl)
  const heard: string[] = []
  late.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Json
    if (message.params) heard.push(String(data))
    else answer.resolve(message)
  }
  late.onopen = () =>
    late.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_subscribe',
        params: ['newFlashblocks'],
      }),
    )
  expect(await answer.promise).toMatchObject({ result: expect.stringMatching(/^0x/) })
  await sendLog()
  await devnet.node.flashblock()
  const seen = notified.newHeads!.length
  await devnet.node.seal()
  await heads(seen + 1)
  // What follows a head on another connection has come, too, once this one answers again.
  const again = Promise.withResolvers<void>()
  late.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Json
    if (message.params) heard.push(String(data))
    else again.resolve()
  }
  late.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_blockNumber', params: [] }))
  await again.promise
  late.close()
  expect(heard).toEqual([])
  expect(notified.newFlashblockTransactions).toHaveLength(before)
})

test('given simulated blocks without times, then they take those of the schedule, and an equal second is allowed from Denim on alone', async () => {
  const simulate = async (tag: string, times: (number | undefined)[]) => {
    const blockStateCalls = times.map((time) =>
      time === undefined ? {} : { blockOverrides: { time: hex(time) } },
    )
    const blocks = await rpc<Json[]>('eth_simulateV1', { blockStateCalls }, tag)
    return blocks.map(({ timestamp }) => Number(timestamp) - FIRST)
  }
  const none = undefined
  expect(await simulate('0x1', [none, none, none, none, none, none, none])).toEqual([
    -2, 0, 0, 0, 0, 0, 1,
  ])
  expect(await simulate('0x5', [FIRST, none, FIRST + 5, none])).toEqual([0, 0, 5, 5])
  // Numbers that are left out become empty blocks, each in its slot; nobody sets BaseTime in any of them.
  const gap = { blockStateCalls: [{ blockOverrides: { number: '0x9' } }] }
  const filled = await rpc<Json[]>('eth_simulateV1', gap, '0x2')
  expect(filled.map(({ timestamp }) => Number(timestamp) - FIRST)).toEqual([0, 0, 0, 0, 0, 1, 1])
  for (const each of filled) expect(each).not.toHaveProperty('timestampMs')
  const data = encodeFunctionData({ abi: baseTimeAbi, functionName: 'timestampMillisPart' })
  const asked = { blockStateCalls: [{}, { calls: [{ to: BASE_TIME, data }] }] }
  const parts = await rpc<{ calls: { returnData: Hex }[] }[]>('eth_simulateV1', asked, '0x4')
  expect(Number(parts[1]!.calls[0]!.returnData)).toBe(200)
  await expect(simulate('0x1', [FIRST - 4])).rejects.toMatchObject({ code: -38021 })
  await expect(simulate('0x5', [FIRST - 1])).rejects.toMatchObject({ code: -38021 })
})

test('given a fork to come, then eth_config names it as the next, and afterwards as the current one', async () => {
  const { current, next, last } = (await rpc('eth_config')) as Record<string, Json | null>
  expect([next, last]).toEqual([null, null])
  expect(current).toMatchObject({
    activationTime: START + 4,
    blobSchedule: { baseFeeUpdateFraction: 0, max: 0, target: 0 },
  })
  await using early = await startDevnet({
    ...{ enclaves: 0, manual: true, logLevel: 'silent', genesisTime: START },
    upgrades: { azul: 'block 2' },
  })
  const before = (await request(early.description.rpcUrl, 'eth_config')) as Record<string, Json>
  expect(before.current).toMatchObject({ activationTime: START, blobSchedule: null })
  expect(before.next).toMatchObject({ activationTime: START + 4 })
  expect(before.last).toEqual(before.next)
  expect(before.next!.forkId).not.toBe(before.current!.forkId)
})
